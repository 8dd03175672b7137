package store

import (
	"math"
	"slices"
	"strings"
	"time"
)

// profile says how documents of a kind are scored: BM25's k1 and b, and how much a word counts in each field. Messages
// are short and need the messages around them to be understood; tool output does not. The title of a tool use is the
// file or the command: it is scored once more on its own, so that a long text does not dilute it.
type profile struct {
	k1, b                   float64
	title, who, ident, near float64
	named                   float64 // weight of the title scored on its own
	task                    float64 // weight factor for words that say what to do, not what it is about
	dialogue                bool
}

func profileOf(k Kind) profile {
	if k == KindObservation {
		return profile{k1: 2, b: 1, title: 4, who: 1, ident: 0.75, named: 0.2, task: 0.4}
	}
	return profile{k1: 0.7, b: 0.3, title: 4, who: 1, ident: 0.75, near: 0.1, task: 1, dialogue: k == KindPrompt}
}

// Factors for what word counts do not show.
const (
	dateFactor     = 1.4  // the query names the month, day or year of the document
	speakerFactor  = 1.5  // the query names the speaker
	pairFactor     = 1.2  // two adjacent words of the query are adjacent here
	questionFactor = 0.85 // a question contains no answer
	nextCredit     = 0.25 // of the score of the prompt before or after
	secondCredit   = 0.2  // of the second prompt before or after
	sessionCredit  = 0.3  // of the session as one document
	workCredit     = 0.2  // of everything done in the same turn, as one document
)

// scorer scores documents against one query.
type scorer struct {
	terms []term
	place map[lexeme]int  // index of each term
	few   [1 << 10]uint64 // one bit per low part of a lexeme: enough to reject nearly all other words
	dates dateHints
	avg   map[Kind]float64
}

func newScorer(text string, terms []term, avg map[Kind]float64) *scorer {
	s := &scorer{terms: terms, place: map[lexeme]int{}, dates: findDates(text), avg: avg}
	for i, t := range terms {
		l := lexemeOf(t.stem)
		s.place[l] = i
		s.few[l>>6&(1<<10-1)] |= 1 << (l & 63)
	}
	return s
}

// term returns the index of a word among the query's terms, or -1.
func (s *scorer) term(l lexeme) int {
	if s.few[l>>6&(1<<10-1)]>>(l&63)&1 == 0 {
		return -1
	}
	if i, ok := s.place[l.whole()]; ok {
		return i
	}
	return -1
}

// tally is how often a document contains each term of the query.
type tally struct {
	tf    []float64 // by term, weighted by field
	pairs bool
}

// trust counts terms once that the index has for a document but that are not in the part of it that was read.
func (t *tally) trust(terms uint64) {
	for i := range t.tf {
		if t.tf[i] == 0 && terms>>i&1 != 0 {
			t.tf[i] = 1
		}
	}
}

// count adds the words of one field. If a word is itself a term, its parts are not counted as well.
func (s *scorer) count(t *tally, field []lexeme, weight, ident float64) {
	last, lastAt, n, whole := -1, -1, 0, false
	for _, l := range field {
		part := l.part()
		if !part {
			n++
			whole = false
		}
		i := s.term(l)
		switch {
		case i < 0:
		case part && !whole:
			t.tf[i] += weight * ident
		case !part:
			whole = true
			t.tf[i] += weight
			t.pairs = t.pairs || last >= 0 && i == last+1 && n == lastAt+1 && !s.terms[i].ident
			last, lastAt = i, n
		}
	}
}

// score scores a document by its own words and, for messages, by those of the messages around it. It also returns the
// counts of the query's terms in the document itself.
func (s *scorer) score(d *candidate, held uint64, around [][]lexeme) (float64, []float64) {
	p := profileOf(d.Kind)
	t := tally{tf: make([]float64, len(s.terms))}
	s.count(&t, d.title, p.title, p.ident)
	s.count(&t, d.who, p.who, 0)
	s.count(&t, d.body, 1, p.ident)
	if d.cut {
		t.trust(held)
	}
	own, pairs := slices.Clone(t.tf), t.pairs
	if p.near > 0 {
		for _, other := range around {
			s.count(&t, other, p.near, 0)
		}
	}
	sum := s.sum(&t, p, 1-p.b+p.b*float64(d.Tokens)/max(s.avg[d.Kind], 1))
	if p.named > 0 {
		title := tally{tf: make([]float64, len(s.terms))}
		s.count(&title, d.title, 1, p.ident)
		sum += p.named * s.sum(&title, p, 1/p.k1)
	}
	return sum * s.factors(d, p, pairs), own
}

// sum is BM25 over the counted terms; length is relative to the average of 1.
func (s *scorer) sum(t *tally, p profile, length float64) float64 {
	sum := 0.0
	for i, f := range t.tf {
		if f == 0 {
			continue
		}
		w := s.terms[i].idf * f * (p.k1 + 1) / (f + p.k1*length)
		if s.terms[i].task {
			w *= p.task
		}
		sum += w
	}
	return sum
}

// whole returns the score of a session or of a turn's work as one document.
func (s *scorer) whole(w *whole) float64 {
	const k1 = 1.2
	sum := 0.0
	for i, f := range w.tf {
		sum += s.terms[i].idf * f * (k1 + 1) / (f + k1)
	}
	return sum
}

func (s *scorer) factors(d *candidate, p profile, pairs bool) float64 {
	f := 1.0
	if pairs {
		f *= pairFactor
	}
	if s.dates.match(time.UnixMilli(d.At).UTC()) {
		f *= dateFactor
	}
	if !p.dialogue {
		return f
	}
	if slices.ContainsFunc(d.speaker, func(l lexeme) bool { return !l.part() && s.term(l) >= 0 }) {
		f *= speakerFactor
	}
	if d.question {
		f *= questionFactor
	}
	return f
}

// dateHints are the parts of dates that a query mentions.
type dateHints struct {
	months map[time.Month]bool
	years  map[int]bool
	days   map[int]bool
}

func findDates(text string) dateHints {
	h := dateHints{map[time.Month]bool{}, map[int]bool{}, map[int]bool{}}
	words(text, func(w string, _ int) bool {
		h.see(strings.ToLower(w))
		return true
	})
	if len(h.months) == 0 {
		clear(h.days) // a bare number is not a date
	}
	return h
}

func (h dateHints) see(w string) {
	for m := time.January; m <= time.December; m++ {
		if isMonth(w, m) {
			h.months[m] = true
		}
	}
	n := 0
	for i := 0; i < len(w) && w[i] >= '0' && w[i] <= '9' && i < 5; i++ {
		n = n*10 + int(w[i]-'0')
	}
	switch {
	case len(w) == 4 && n >= 1970 && n < 2100:
		h.years[n] = true
	case n >= 1 && n <= 31 && len(w) <= 4:
		h.days[n] = true
	}
}

// isMonth reports whether w is the name of a month or its first three letters, except "may" and "mar", which are words
// of their own.
func isMonth(w string, m time.Month) bool {
	name := strings.ToLower(m.String())
	short := len(w) == 3 && w == name[:3] && m != time.May && m != time.March
	return w == name || short
}

// match reports whether a date matches what the query mentions.
func (h dateHints) match(t time.Time) bool {
	if len(h.months) == 0 && len(h.years) == 0 {
		return false
	}
	month := len(h.months) == 0 || h.months[t.Month()]
	year := len(h.years) == 0 || h.years[t.Year()]
	day := len(h.days) == 0 || h.days[t.Day()]
	return month && year && day
}

// idf returns the weight of a word that df of n documents contain. It is never negative: df may be an estimate, or
// older than n.
func idf(n, df float64) float64 {
	n = max(n, df)
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}
