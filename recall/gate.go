package recall

import (
	"math"
	"math/bits"
	"slices"

	"keepmum/store"
)

// Gate are the features of a prompt's best statement that decide whether anything is told, or their weights.
type Gate struct {
	Score   float64 `json:"score,omitempty"`   // of the statement,
	Margin  float64 `json:"margin,omitempty"`  // and how far below it those of all other sessions but one are;
	Fourth  float64 `json:"fourth"`            // weight, in rare words, of the fourth rarest word it shares with the prompt;
	Known   float64 `json:"known,omitempty"`   // share of the prompt's weight that earlier work contains at all;
	Others  float64 `json:"others,omitempty"`  // how much of the prompt other sessions contain, above what is usual;
	Session float64 `json:"session,omitempty"` // weight, in rare words, of what its session has of the prompt,
	Second  float64 `json:"second,omitempty"`  // the largest of other sessions but the nearest, as a share of it,
	Same    float64 `json:"same,omitempty"`    // how much it and the statement of the nearest session repeat each other
	Shared  float64 `json:"-"`                 // weight of the second rarest word it shares with the prompt
	Least   float64 `json:"least"`             // of the weights only: the minimum of the sum
}

const (
	// sharedWords is how many words must be shared: three rare words in common are often chance (a name, a screen, a
	// verb).
	sharedWords = 4
	// fewSessions is the number of sessions with something of the prompt up to which there is nothing to compare the best
	// statement with.
	fewSessions = 2
	// youngSessions is how many sessions a young project has at most. With so few there is little to compare with, and
	// most words of a prompt are new: it has a gate of its own. It was better with 4 to 6 and with 11 to 13 sessions, and
	// worse with 40.
	youngSessions = 14
	// reportWords is how many content words a long prompt has at least: a bug report of some 100 words. Any chat contains
	// much of it by chance, so what counts is how far the session is ahead of the next one.
	reportWords = 50
	// secondWord is the minimum weight, in rare words, of the second rarest word that the best statement shares with a
	// prompt that is not long, in a young project secondYoung. In eight real projects, where one prompt in ten needs
	// anything, half to two thirds of the tellings had less; of the rules of testdata/told that were told, one in six.
	secondWord, secondYoung = 0.5, 0.7
	// lineWords is how many words of a prompt any statement must have, and one more for each perWord bytes of an agent's
	// words in it, but at most mostWords more; lineWeight is the weight of two of them in rare words. In those projects
	// two of five needless statements had less than two, and one useful one in six.
	lineWords, perWord, mostWords, lineWeight = 2, 400, 4, 0.5
	// maxSecond limits the feature Second. It may be more than 1, because the session of the best statement need not be
	// the one that contains most of the prompt.
	maxSecond = 1.5
)

// usualOthers is the square root of the mean weight, in rare words, of a prompt in sessions other than the right one.
// Where it is exceeded, chats are long or the prompt is: then any session contains much of it.
const usualOthers = 2.0

// usualSame is the share of content words that statements of two sessions have in common where they are about different
// things. Where it is exceeded, two sessions are about one subject: an older rule and its amendment, say.
const usualSame = 0.15

// Grown returns the features that count in a project with many sessions.
func (f *Gate) Grown() []*float64 {
	return []*float64{&f.Score, &f.Margin, &f.Fourth, &f.Known, &f.Others}
}

// Young returns the features that count in a project with few sessions.
func (f *Gate) Young() []*float64 { return []*float64{&f.Score, &f.Fourth, &f.Session} }

// Report returns the features that count for a long prompt.
func (f *Gate) Report() []*float64 { return []*float64{&f.Margin, &f.Fourth, &f.Second, &f.Same} }

// passes reports whether the weighted sum of the features is large enough. The best statement for a prompt that is no
// bug report must share two words with it, too.
func (g *gathering) passes(f *Gate) bool {
	young := g.about.Sessions <= youngSessions
	switch {
	case !g.isReport() && (f.Shared < secondWord || young && f.Shared < secondYoung):
		return false
	case young:
		return weighted(f.Young(), g.model.Young.Young()) >= g.model.Young.Least
	case g.isReport():
		return weighted(f.Report(), g.model.Report.Report()) >= g.model.Report.Least
	}
	return weighted(f.Grown(), g.model.Gate.Grown()) >= g.model.Gate.Least
}

func weighted(features, weights []*float64) (sum float64) {
	for i, v := range features {
		sum += *v * *weights[i]
	}
	return sum
}

// opens returns a function that reports whether a statement may be told: at a prompt that is not long, what is worth
// it; at others what is about the prompt itself, if the best statement passes the gate.
func (g *gathering) opens() func(st *statement) bool {
	f, found := g.gate()
	switch {
	case g.isShort():
		return func(st *statement) bool { return g.isWorth(st, f.Others) }
	case found && g.passes(&f):
		return func(st *statement) bool { return st.sure && g.isAbout(st) }
	}
	return func(st *statement) bool { return st.sure && st.session == 0 && g.isAbout(st) }
}

// isAbout reports whether a statement itself is about the text, and not only its session: it shares some words with a
// text that is not long, the more the longer it is, as a long one shares words with anything, and many if several
// sessions were told of it already.
func (g *gathering) isAbout(st *statement) bool {
	if st.session == 0 {
		return st.commit == nil || !g.often[st.id] || st.commit.Title*st.commit.Title >= lineWords
	}
	least := 1
	if !g.isReport() {
		least = lineWords + min((len(st.asked)+len(st.said)/3)/perWord, mostWords) // an agent writes more than it says
	}
	if g.often[st.id] {
		least = max(least, mostWords)
	}
	rare, words := g.shared(st.holds)/max(g.about.Rare, 1), bits.OnesCount64(st.holds)
	return words >= least && rare >= lineWeight*float64(least)/2
}

// isReport reports whether the text is as long as a bug report.
func (g *gathering) isReport() bool { return len(g.about.Weights) >= reportWords }

// shared returns the weight of some terms of the text.
func (g *gathering) shared(terms uint64) (sum float64) {
	for ; terms != 0; terms &= terms - 1 {
		sum += g.about.Weights[bits.TrailingZeros64(terms)]
	}
	return sum
}

// gate returns the features of the best statement that can be told. The statements must be sorted.
func (g *gathering) gate() (f Gate, found bool) {
	best := slices.IndexFunc(g.out, func(st statement) bool { return st.session != 0 && st.settles > 0 && !g.told[st.id] })
	if best < 0 {
		return f, false
	}
	st := &g.out[best]
	near := g.nearest(st)
	rare := max(g.about.Rare, 1)
	return Gate{
		Score:  st.score,
		Margin: g.margin(st, near.session),
		Fourth: nthWeight(g.about, st.holds, sharedWords) / rare,
		Shared: nthWeight(g.about, st.holds, 2) / rare,
		Known:  g.about.Known / max(g.about.All, 1),
		Others: max(math.Sqrt(others(g.about, st.session)/rare)-usualOthers, 0),

		Session: st.weight / rare,
		Second:  min(second(g.about, st.session, near.session)/max(st.weight, 1), maxSecond),
		Same:    max(alike(st, &near)-usualSame, 0),
	}, true
}

// nearest returns the best statement of the sessions other than that of the best statement. That session may be near
// because it says what applied before, or what replaced it.
func (g *gathering) nearest(best *statement) (near statement) {
	for _, st := range g.out {
		if st.session != 0 && st.session != best.session && st.settles > 0 {
			return st
		}
	}
	return near
}

// fewOfRule is the minimum number of words that statements are compared by: of fewer, one in common is a large share.
const fewOfRule = 6

// alike returns the share of the content words of the shorter of two statements that both have.
func alike(a, b *statement) float64 {
	some := store.ContentWords(a.asked + "\n" + a.said)
	others := store.ContentWords(b.asked + "\n" + b.said)
	return float64(common(others, wordSet(some))) / float64(max(min(len(some), len(others)), fewOfRule))
}

// second returns the largest weight of the sessions other than two.
func second(about *store.About, best, near int64) float64 {
	return most(about, func(s store.Subject) float64 { return s.Weight * is(s.Session != best && s.Session != near) })
}

// margin returns how far below the best statement those of all other sessions but the nearest are, at most [maxBehind]:
// what is further below was not judged.
func (g *gathering) margin(best *statement, near int64) float64 {
	sessions := 0
	for _, s := range g.about.Subjects {
		if s.Session != 0 {
			sessions++
		}
	}
	if sessions <= fewSessions {
		return 0
	}
	for _, st := range g.out {
		if st.session != 0 && st.session != best.session && st.session != near && st.settles > 0 {
			return min(best.score-st.score, maxBehind)
		}
	}
	return maxBehind
}

// nthWeight returns the n-th largest weight of some terms.
func nthWeight(about *store.About, terms uint64, n int) float64 {
	var weights []float64
	for ; terms != 0; terms &= terms - 1 {
		weights = append(weights, about.Weights[bits.TrailingZeros64(terms)])
	}
	if len(weights) < n {
		return 0
	}
	slices.Sort(weights)
	return weights[len(weights)-n]
}

// others returns the mean weight of the sessions other than one.
func others(about *store.About, session int64) float64 {
	sum, n := 0.0, 0.0
	for _, s := range about.Subjects {
		if s.Session != 0 && s.Session != session {
			sum += s.Weight
			n++
		}
	}
	return sum / max(n, 1)
}
