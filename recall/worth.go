package recall

import (
	"math"
	"slices"
	"unicode"

	"keepmum/store"
)

// Worth are the features of a statement that decide whether it is told at a prompt that is not long, or their weights.
// Most such prompts need nothing. The weights are fitted to lines that readers judged for prompts of real projects, and
// to the short prompts of testdata/told; docs/context.md has the figures.
type Worth struct {
	Share   float64 `json:"share"`   // share of the prompt's weight in its session,
	Weight  float64 `json:"weight"`  // and the square root of that weight, in rare words;
	Others  float64 `json:"others"`  // how much of the prompt other sessions contain, above what is usual;
	Settles float64 `json:"settles"` // how surely it settles something;
	Score   float64 `json:"score"`   // of what was said in a session, its score above [usualScore];
	Commit  float64 `json:"commit"`  // it is a commit,
	Title   float64 `json:"title"`   // and the square root of how many rare words of the prompt the first line contains;
	Length  float64 `json:"length"`  // the logarithm of its length;
	Shown   float64 `json:"shown"`   // rare words of the prompt in the line that is told, relative to that line's length,
	Digits  float64 `json:"digits"`  // and the share of digits in it
	Least   float64 `json:"least"`   // of the weights only: the minimum of the sum
}

const (
	// longPrompt is how many content words a long prompt has at least. The prompts of real projects that readers judged
	// are shorter, nearly all, and the bug reports of testdata/told longer.
	longPrompt = 30
	// usualScore, shortLength and shortLine make the features small; they change no decision.
	usualScore, shortLength, shortLine = 8, 30, 50
	// mostSettles limits the feature Settles.
	mostSettles = 3
)

// List returns the features in a fixed order.
func (f *Worth) List() []*float64 {
	return []*float64{&f.Share, &f.Weight, &f.Others, &f.Settles, &f.Score, &f.Commit, &f.Title, &f.Length, &f.Shown,
		&f.Digits}
}

// isShort reports whether the text is not long: then each statement is judged for itself.
func (g *gathering) isShort() bool { return len(g.about.Weights) < longPrompt }

// isWorth reports whether a statement is told at a short prompt. Memories have a rule of their own.
func (g *gathering) isWorth(st *statement, others float64) bool {
	switch {
	case st.kind != store.KindPrompt && st.commit == nil:
		return st.sure
	case st.settles <= 0, st.session != 0 && st.score < g.best-maxBehind:
		return false
	}
	if g.asks && g.holdsQuestion(st) {
		return true
	}
	f := g.worth(st, others)
	return weighted(f.List(), g.model.Short.List()) >= g.model.Short.Least
}

// holdsQuestion reports whether a session contains most of a short question, and a statement's turn much of it.
func (g *gathering) holdsQuestion(st *statement) bool {
	return st.holds != 0 && g.shared(st.turn) >= max(g.about.Rare, mostOfIt/2*g.about.All) &&
		slices.ContainsFunc(g.about.Subjects,
			func(s store.Subject) bool { return s.Session == st.session && holdsMost(g.about, s.Weight) })
}

// worth returns the features of a statement.
func (g *gathering) worth(st *statement, others float64) Worth {
	rare, line := max(g.about.Rare, 1), st.line(maxCommit, maxShown)
	f := Worth{
		Share:   st.share,
		Weight:  math.Sqrt(max(st.weight, 0) / rare),
		Others:  others,
		Settles: min(st.settles, mostSettles),
		Length:  math.Log(float64(shortLength + len(st.asked) + len(st.said))),
		Shown:   g.about.Common(line) / rare / math.Log(float64(shortLine+len(line))),
		Digits:  digits(line) / float64(len(line)),
	}
	if st.commit != nil {
		f.Commit, f.Title = 1, st.commit.Title
	} else {
		f.Score = st.score - usualScore
	}
	return f
}

// digits returns the number of digits in a text.
func digits(text string) (n float64) {
	for _, r := range text {
		n += is(unicode.IsDigit(r))
	}
	return n
}
