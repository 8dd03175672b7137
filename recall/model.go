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

// Model decides what is told. The score of a statement is the weighted sum of its features. The weights are fitted to
// testdata/told (make train-told); docs/context.md has the figures.
type Model struct {
	Order  Features `json:"order"`  // weights of the features of a statement,
	Gate   Gate     `json:"gate"`   // of those that decide whether anything of a session is told,
	Young  Gate     `json:"young"`  // the same in a project with few sessions,
	Report Gate     `json:"report"` // and about a long prompt,
	Commit Commit   `json:"commit"` // and whether a commit is,
	Short  Worth    `json:"short"`  // and what is told at a prompt that is not long
}

//go:embed weights.json
var weights []byte

var builtIn = func() (m Model) {
	if err := json.Unmarshal(weights, &m); err != nil {
		panic("weights.json: " + err.Error()) // it is embedded in the binary
	}
	return m
}()

// The features of a statement, as indices of [Features].
const (
	featureDepth       = iota // how much of the prompt its session contains, more for words that are frequent there;
	featureRatio              // the same relative to the session that contains most;
	featureTurn               // how much of it the turn contains, including the agent's message before it,
	featureBefore             // and that message alone;
	featureSettled            // how surely the statement settles something,
	featureSettledMore        // and the part above a limit;
	featureAnswering          // the user answered a question,
	featureReversing          // or took something back;
	featureLength             // the logarithm of its length;
	featureFirst              // the first message of a session, often a request,
	featureLast               // and the last one, often thanks;
	featureReported           // the agent said it
	nFeatures
)

var featureNames = [nFeatures]string{"depth", "ratio", "turn", "before", "settled", "settled more",
	"answering", "reversing", "length", "first", "last", "reported"}

// Features are the values of features, or their weights.
type Features [nFeatures]float64

// Sum returns the weighted sum of some features.
func (f *Features) Sum(weights *Features) (sum float64) {
	for i, v := range f {
		sum += v * weights[i]
	}
	return sum
}

// MarshalJSON writes the features that are not 0, by name.
func (f Features) MarshalJSON() ([]byte, error) {
	named := map[string]float64{}
	for i, v := range f {
		if v != 0 {
			named[featureNames[i]] = v
		}
	}
	return json.Marshal(named)
}

// UnmarshalJSON reads features by name.
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

// most returns the largest value that a measure has for any session.
func most(about *store.About, measure func(store.Subject) float64) (out float64) {
	for _, s := range about.Subjects {
		if s.Session != 0 {
			out = max(out, measure(s))
		}
	}
	return out
}

// deepest returns how much of a text is in the session that contains most of it.
func deepest(about *store.About) float64 {
	return most(about, func(s store.Subject) float64 { return s.Depth })
}

// heaviest returns the weight of the session that contains most of a text.
func heaviest(about *store.About) float64 {
	return most(about, func(s store.Subject) float64 { return s.Weight })
}

// place returns the features of where a statement was made. How much of the prompt is contained counts by its square
// root.
func (g *gathering) place(m moment, s store.Subject) Features {
	rare := max(g.about.Rare, 1)
	return Features{
		featureDepth:  math.Sqrt(s.Depth / rare),
		featureRatio:  s.Depth / max(g.deepest, 1),
		featureTurn:   math.Sqrt(g.about.Weight(m.terms|m.asked) / rare),
		featureBefore: math.Sqrt(g.about.Weight(m.asked) / rare),
	}
}

// setSettling sets the features of how a statement settles something, whatever it is about.
func (st *statement) setSettling(f *Features) {
	f[featureSettled] = min(st.settles, maxSettledScore)
	f[featureSettledMore] = min(max(st.settles-maxSettledScore, 0), maxMore)
	if st.said == "" {
		f[featureReported] = 1
		return
	}
	f[featureAnswering] = is(st.asked != "")
	f[featureReversing] = is(st.reverses)
	f[featureLength] = math.Log(float64(1+len(st.said))) / log20
}

var log20 = math.Log(20)

// is returns a condition as the value of a feature: 1 = it is true.
func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// aloneFeatures returns the features of a memory. It has no turn and no session, so what it contains of the prompt
// counts for both.
func (st *statement) aloneFeatures(rare float64) Features {
	root := math.Sqrt(st.weight / max(rare, 1))
	f := Features{featureDepth: root * aloneDepth, featureRatio: aloneRatio, featureTurn: root}
	st.setSettling(&f)
	return f
}

// Example is a statement in the form in which a model is fitted to it.
type Example struct {
	Text     string
	Features Features
}

// Examples returns the statements of sessions that could be told about a text.
func Examples(ctx context.Context, src Source, q store.Subjects) ([]Example, error) {
	found, err := statements(ctx, src, &builtIn, q, hearer{asked: true})
	var out []Example
	for _, st := range found {
		if st.session != 0 && st.settles > 0 {
			out = append(out, Example{st.asked + "\n" + st.said, st.features})
		}
	}
	return out, err
}

// GateExample returns the features that decide whether anything is told about a text, with a model's order.
func GateExample(ctx context.Context, src Source, m *Model, q store.Subjects) (f Gate, found bool, err error) {
	g, err := gathered(ctx, src, m, q, false)
	if err != nil {
		return Gate{}, false, err
	}
	f, found = g.gate()
	return f, found, nil
}

// CommitExample returns the features that decide whether the commit that contains most of a text is told, and what it
// says.
func CommitExample(ctx context.Context, src Source, q store.Subjects) (f Commit, text string, found bool, err error) {
	g, err := gathered(ctx, src, &builtIn, q, false)
	if err != nil {
		return Commit{}, "", false, err
	}
	for _, st := range g.out {
		if st.commit != nil {
			return *st.commit, st.said, true, nil
		}
	}
	return Commit{}, "", false, nil
}
