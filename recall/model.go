package recall

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"keepmum/store"
)

// Model decides what is told: in which order statements stand, and whether any is told
// at all. Both are sums of features. Its weights are fitted to testdata/told (make
// train-told), and docs/context.md has the figures.
type Model struct {
	Order Features `json:"order"` // weights of the features of a statement
	Gate  Features `json:"gate"`  // and of those of a prompt,
	Least float64  `json:"least"` // whose sum is so much where something is told
}

//go:embed weights.json
var weights []byte

var builtIn = func() (m Model) {
	if err := json.Unmarshal(weights, &m); err != nil {
		panic("weights.json: " + err.Error()) // it is a part of the program
	}
	return m
}()

// What a model decides by. The first three are of a prompt, too.
const (
	featureDepth       = iota // how much of the prompt its session holds, more for what is often in it;
	featureRatio              // the same as a part of what the session holds that holds most;
	featureKnown              // of a prompt: how much of it any session holds;
	featureTurn               // how much of it the turn holds, with what the agent said before it,
	featureBefore             // and that alone;
	featureSettled            // how sure the statement settles something,
	featureSettledMore        // and beyond what is sure;
	featureAnswering          // the user answered a question,
	featureReversing          // or took something back;
	featureLength             // the logarithm of how long it is;
	featureFirst              // a session begins with what is asked,
	featureLast               // and ends with thanks;
	featureReported           // the agent said it
	nFeatures
)

var featureNames = [nFeatures]string{"depth", "ratio", "known", "turn", "before", "settled", "settled more",
	"answering", "reversing", "length", "first", "last", "reported"}

// Features are the values of features, or their weights.
type Features [nFeatures]float64

// Sum is what some features come to with their weights.
func (f *Features) Sum(weights *Features) (sum float64) {
	for i, v := range f {
		sum += v * weights[i]
	}
	return sum
}

// MarshalJSON names the features that are not 0.
func (f Features) MarshalJSON() ([]byte, error) {
	named := map[string]float64{}
	for i, v := range f {
		if v != 0 {
			named[featureNames[i]] = v
		}
	}
	return json.Marshal(named)
}

// UnmarshalJSON reads features by their names.
func (f *Features) UnmarshalJSON(data []byte) error {
	var named map[string]float64
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	for name, v := range named {
		i := slices.Index(featureNames[:], name)
		if i < 0 {
			return fmt.Errorf("there is no feature %q", name)
		}
		f[i] = v
	}
	return nil
}

// tells says that a past holds enough of a text for some of it to be told: that a
// session holds so many of its words is no chance. Of a short text less is enough.
func (m *Model) tells(about *store.About) bool {
	f := promptFeatures(about)
	return f.Sum(&m.Gate) >= m.Least || slices.ContainsFunc(about.Subjects,
		func(s store.Subject) bool { return s.Session != 0 && holdsMost(about, s.Weight) })
}

// promptFeatures are those of a prompt and the past: how much of the prompt the session
// holds that holds most of it, and how much of it any does. Both grow with the prompt: of
// short ones they let little be told (docs/context.md).
func promptFeatures(about *store.About) Features {
	rare := max(about.Rare, 1)
	return Features{featureDepth: deepest(about) / rare, featureKnown: about.Known / rare}
}

// deepest is how much of a text the session holds that holds most of it.
func deepest(about *store.About) (most float64) {
	for _, s := range about.Subjects {
		if s.Session != 0 {
			most = max(most, s.Depth)
		}
	}
	return most
}

// features are those of a statement of a session. How much of the prompt is held counts
// by its root; how sure the statement settles something counts as much.
func (g *gathering) features(st *statement, m moment, s store.Subject) Features {
	rare := max(g.about.Rare, 1)
	f := Features{
		featureDepth:  math.Sqrt(s.Depth / rare),
		featureRatio:  s.Depth / max(g.deepest, 1),
		featureTurn:   math.Sqrt(g.about.Weight(m.terms|m.asked) / rare),
		featureBefore: math.Sqrt(g.about.Weight(m.asked) / rare),
	}
	if st.said != "" { // by the user
		f[featureFirst] = is(m.first) // a session begins with what is asked,
		f[featureLast] = is(m.last)   // and ends with thanks
	}
	st.settling(&f)
	return f
}

// settling are the features of what a statement says, whatever it is about.
func (st *statement) settling(f *Features) {
	f[featureSettled] = min(st.settles, settledMost)
	f[featureSettledMore] = min(max(st.settles-settledMost, 0), moreMost)
	if st.said == "" {
		f[featureReported] = 1
		return
	}
	f[featureAnswering] = is(st.asked != "")
	f[featureReversing] = is(reverses(st.said))
	f[featureLength] = math.Log(float64(1+len(st.said))) / log20
}

var log20 = math.Log(20)

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// of are the features of a memory, which stands for itself: what it holds of the prompt
// is its turn and its session.
func (st *statement) of(rare float64) Features {
	root := math.Sqrt(st.weight / max(rare, 1))
	f := Features{featureDepth: root * aloneDepth, featureRatio: aloneRatio, featureTurn: root}
	st.settling(&f)
	return f
}

// Example is a statement as a model is fitted to it.
type Example struct {
	Text     string
	Features Features
}

// Examples are the statements of sessions that could be told about a text, and what the
// gate sees of it.
func Examples(ctx context.Context, src Source, q store.Subjects) ([]Example, Features, error) {
	found, err := statements(ctx, src, &builtIn, q, true)
	if err != nil {
		return nil, Features{}, err
	}
	var out []Example
	for _, st := range found {
		if st.session != 0 && st.settles > 0 {
			out = append(out, Example{st.asked + "\n" + st.said, st.features})
		}
	}
	about, err := src.Subjects(ctx, q)
	return out, promptFeatures(&about), err
}
