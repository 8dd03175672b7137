package recall

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"keepmum/store"
)

// Gate are the features of a prompt's best statement that decide whether anything is told, or their weights.
type Gate struct {
	Score   float64 `json:"score"`   // of the statement;
	Share   float64 `json:"share"`   // square root of the share of the prompt's weight in the statement itself;
	Trouble float64 `json:"trouble"` // number of the prompt's words of technical trouble that it does not contain;
	Others  float64 `json:"others"`  // how much of the prompt other sessions contain, above what is usual
}

// usualOthers is the square root of the mean weight, in rare words, of a prompt in sessions other than the right one.
// Where it is exceeded, chats are long or the prompt is: then any session contains much of it.
const usualOthers = 2.0

// List returns the features in a fixed order.
func (f *Gate) List() []*float64 { return []*float64{&f.Score, &f.Share, &f.Trouble, &f.Others} }

// Sum returns the weighted sum of some features.
func (f *Gate) Sum(weights *Gate) (sum float64) {
	w := weights.List()
	for i, v := range f.List() {
		sum += *v * *w[i]
	}
	return sum
}

// tells reports whether anything is told: if the best statement passes the gate, or if a session contains most of a
// short text.
func (g *gathering) tells(text string) bool {
	if slices.ContainsFunc(g.about.Subjects,
		func(s store.Subject) bool { return s.Session != 0 && holdsMost(g.about, s.Weight) }) {
		return true
	}
	f, found := g.gate(text)
	return found && f.Sum(&g.model.Gate) >= g.model.Least
}

// gate returns the features of a text's best statement. The statements must be sorted.
func (g *gathering) gate(text string) (f Gate, found bool) {
	best := slices.IndexFunc(g.out, func(st statement) bool { return st.session != 0 && st.settles > 0 })
	if best < 0 {
		return f, false
	}
	st := &g.out[best]
	return Gate{
		Score:   st.score,
		Share:   math.Sqrt(g.about.Weight(st.holds) / max(g.about.All, 1)),
		Trouble: float64(bits.OnesCount64(troubles(g.about, text) &^ st.holds)),
		Others:  max(math.Sqrt(others(g.about, st.session)/max(g.about.Rare, 1))-usualOthers, 0),
	}, true
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

// troubles returns the terms of a text that speak of technical trouble.
func troubles(about *store.About, text string) (terms uint64) {
	known := troubleStems()
	for _, w := range store.ContentWords(text) {
		if known[w] || strings.HasSuffix(w, "error") || strings.HasSuffix(w, "exception") {
			terms |= about.Term(w)
		}
	}
	return terms
}

// troubleWords speak of how a program fails: it breaks, it is slow, it looks wrong, it cannot read a file. What
// somebody settled seldom decides that, unless it speaks of the same trouble.
const troubleWords = `error exception crash crashes hang hung freeze frozen timeout deadlock traceback stack null
	undefined nan leak
	slow slower cpu memory disk cache reload polling query queries profiler
	layout pixel px font overlap flicker blank black spinner scroll chart click translation typo
	browser safari firefox chrome ios android utc timezone
	encoding utf unicode csv excel parse parser upload download socket connection reconnect endpoint console
	compile flaky upgrade migration rename`

var troubleStems = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, w := range store.ContentWords(troubleWords) {
		known[w] = true
	}
	return known
})
