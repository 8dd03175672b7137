package store

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// profile is how the documents of a kind are weighed: BM25's k1 and b, and
// what a word counts in each field. What people say is short and is
// understood from what stands around it; what tools say is not.
type profile struct {
	k1, b                   float64
	title, who, ident, near float64
	dialogue                bool
}

func profileOf(k Kind) profile {
	if k == KindObservation {
		return profile{k1: 2, b: 0.85, title: 4, who: 1, ident: 0.75}
	}
	return profile{k1: 0.7, b: 0.3, title: 4, who: 1, ident: 0.75, near: 0.1, dialogue: k == KindPrompt}
}

// Factors for what no word count shows.
const (
	dateFactor     = 1.4  // the query names the month, day or year of the document
	speakerFactor  = 1.5  // the query names who spoke
	pairFactor     = 1.2  // two words of the query stand side by side
	questionFactor = 0.85 // a question holds no answer
	nextCredit     = 0.25 // of the score of the prompt before or after
	secondCredit   = 0.2  // of the one before or after that
	sessionCredit  = 0.3  // of the session as one document
)

// scorer weighs documents against one query.
type scorer struct {
	terms  []term
	byStem map[string]int
	starts []bool // by the first letters of the stems: nearly all words are told apart by them
	bytes  [256]byteClass
	dates  dateHints
	avg    map[Kind]float64
}

func newScorer(text string, terms []term, avg map[Kind]float64) *scorer {
	s := &scorer{terms: terms, byStem: map[string]int{}, starts: make([]bool, 1<<15), dates: findDates(text), avg: avg}
	for c := range s.bytes {
		s.bytes[c] = class(byte(c))
	}
	for i, t := range terms {
		s.byStem[t.stem] = i
		for c := byte(0); c < 32; c++ {
			// A stem of four letters has the first three of its words; a shorter one may differ in the third (sky, ski).
			if len(t.stem) < 4 || c == t.stem[2]&31 {
				s.starts[start(t.stem)&^31|int(c)] = true
			}
		}
	}
	return s
}

// start is a number of the first three letters of a word, whatever their case.
func start(w string) (k int) {
	for i := range 3 {
		k <<= 5
		if i < len(w) {
			k |= int(w[i] & 31)
		}
	}
	return k
}

// term returns which term of the query a word is, -1 when it is none.
func (s *scorer) term(w string) int {
	if !s.starts[start(w)] && isASCII(w) {
		return -1
	}
	if i, ok := s.byStem[stem(fold(w))]; ok {
		return i
	}
	return -1
}

// isASCII looks at the beginning of a word, as far as [start] does.
func isASCII(w string) bool {
	for i := 0; i < len(w) && i < 3; i++ {
		if w[i] >= 0x80 {
			return false
		}
	}
	return true
}

// tally is what a document holds of the query.
type tally struct {
	tf    []float64 // by term, weighed by field
	pairs bool
}

// count adds the words of one field.
func (s *scorer) count(t *tally, text string, weight, ident float64) {
	last, lastAt := -1, -1
	s.scan(text, func(w string, _, n int, mixed bool) {
		i := s.term(w)
		if i >= 0 {
			t.tf[i] += weight
			t.pairs = t.pairs || last >= 0 && i == last+1 && n == lastAt+1 && !s.terms[i].ident
			last, lastAt = i, n
		} else if mixed && ident > 0 {
			splitWord(w, func(part string) {
				if j := s.term(part); j >= 0 {
					t.tf[j] += weight * ident
				}
			})
		}
	})
}

// scan calls f for the n-th word of a text if it may be a term of the query or
// hold one as a part. It is the innermost loop of a search: a plain word that
// begins like no term costs a look at its bytes.
func (s *scorer) scan(text string, f func(w string, start, n int, mixed bool)) {
	for i, n := 0, 0; i < len(text); {
		if s.bytes[text[i]] == other && text[i] < utf8.RuneSelf {
			i++
			continue
		}
		from, key, mixed := i, 0, false
		for i < len(text) {
			c := s.bytes[text[i]]
			if c == other {
				r, size := utf8.DecodeRuneInString(text[i:])
				if size == 1 && r < utf8.RuneSelf || !isWord(r) {
					if i == from {
						i += size
					}
					break
				}
				mixed = true
				key <<= 5
				i += size
				continue
			}
			if i-from < 3 {
				key = key<<5 | int(text[i]&31)
			}
			mixed = mixed || c != lower && i > from
			i++
		}
		if i-from < 3 {
			key <<= 5 * (3 - (i - from))
		}
		n++
		if mixed || s.starts[key&(1<<15-1)] {
			f(text[from:i], from, n, mixed)
		}
	}
}

// score weighs a document by its own words and, for what people say, by the
// words around it. It also returns what the document holds of the query.
func (s *scorer) score(d *candidate, around string) (float64, []float64) {
	p := profileOf(d.Kind)
	t := tally{tf: make([]float64, len(s.terms))}
	s.count(&t, d.Title, p.title, p.ident)
	s.count(&t, d.Who, p.who, 0)
	s.count(&t, d.Text, 1, p.ident)
	own, pairs := slices.Clone(t.tf), t.pairs
	if p.near > 0 && around != "" {
		s.count(&t, around, p.near, 0)
	}
	length := 1 - p.b + p.b*float64(d.Tokens)/max(s.avg[d.Kind], 1)
	sum := 0.0
	for i, f := range t.tf {
		if f > 0 {
			sum += s.terms[i].idf * f * (p.k1 + 1) / (f + p.k1*length)
		}
	}
	return sum * s.factors(d, p, pairs), own
}

// whole is the score of a session as one document.
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
	if who := speaker(d); who != "" && s.names(who) {
		f *= speakerFactor
	}
	if strings.HasSuffix(strings.TrimSpace(d.Text), "?") {
		f *= questionFactor
	}
	return f
}

// names says that the query has a word of a name.
func (s *scorer) names(name string) (found bool) {
	words(name, func(w string, _ int) bool {
		found = found || s.term(w) >= 0
		return !found
	})
	return found
}

// speaker is who said a prompt: the field, or a name before a colon.
func speaker(d *candidate) string {
	if d.Who != "" {
		return d.Who
	}
	text := d.Text
	if i := strings.Index(text[:min(len(text), 40)], ": "); i > 0 && !strings.ContainsAny(text[:i], ".,;!?/\n") && class(text[0]) == upper {
		return text[:i]
	}
	return ""
}

// dateHints are the parts of dates that a query names.
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
		clear(h.days) // a bare number is no date
	}
	return h
}

func (h dateHints) see(w string) {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if w == name || len(w) == 3 && w == name[:3] && m != time.May && m != time.March {
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

// match says that a date is one that the query names.
func (h dateHints) match(t time.Time) bool {
	if len(h.months) == 0 && len(h.years) == 0 {
		return false
	}
	return (len(h.months) == 0 || h.months[t.Month()]) && (len(h.years) == 0 || h.years[t.Year()]) && (len(h.days) == 0 || h.days[t.Day()])
}

// idf is the weight of a word that stands in df of n documents.
func idf(n, df float64) float64 { return math.Log(1 + (n-df+0.5)/(df+0.5)) }
