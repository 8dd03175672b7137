package store

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode"

	"keepmum/language"
	"keepmum/sorting"
)

// Query selects documents. The zero value selects the most recent ones.
type Query struct {
	Text    string
	Project string // a name; "" and "*" = all
	Type    Kind   // "" and "all" = all
	Branch  string
	Tool    string
	File    string // part of a path
	Agent   string
	Since   time.Time // inclusive
	Until   time.Time // exclusive
	AsOf    time.Time // documents of that time, and the memories valid then; zero = now
	Limit   int       // 0 = 20
	Offset  int

	Meaning Meaning // of the text; zero: only words are compared
	Nearest bool    // only nearness in meaning counts
	Exact   bool    // the document must contain the exact text, ignoring case

	ProjectID  int64 // instead of Project; 0 = none
	Everywhere bool  // include memories without a project

	Without []int64 // documents to omit

	heldOnly bool // memories that were not valid then are already removed
}

// Results are the documents found, best first.
type Results struct {
	Hits        []Hit
	Total       int               // how many results there are on all pages
	Corrections map[string]string // words that no document contains, and what was searched for instead
	NoWords     bool              // the text has no word to search for
}

// Hit is a document that was found.
type Hit struct {
	ID      int64
	Type    Kind
	Date    time.Time
	Tool    string
	Title   string
	Snippet string // HTML, with the words of the query in <mark>
	Files   []string
	Project string
	Session string
	Agent   string
	Role    string
	Who     string // of a note, "agent" if an agent wrote it
	Branch  string
	Turn    int64 // the prompt that began its turn; 0 = none
	Score   float64

	ProjectID int64 // 0 = it belongs to none
}

// term is one word of a query.
type term struct {
	word  string // lower case, without diacritics
	stem  string // as in the index
	ident bool   // only a part of an identifier
	open  bool   // followed by a star: also matches words that begin like this
	task  bool   // says what to do, not what it is about
	df    float64
	idf   float64
}

const maxTerms = 64 // a set of terms is a uint64

// parse returns the content words of any text. It keeps stop words if there is nothing else.
func parse(text string) []term {
	content := contentTerms(text)
	return content[:min(len(content), maxTerms)]
}

// fewContent is how many content words a text has at least besides the stop words of its language: "bin dir" may be
// German, or two folders.
const fewContent = 2

// contentTerms returns the words of a text that say something, up to four times as many as a query has.
func contentTerms(text string) []term {
	all := parseWords(text)
	isStop := stopWordsOf(text)
	var content []term
	for _, t := range all {
		if !isStop(t.word) {
			content = append(content, t)
		}
	}
	if len(content) < fewContent {
		content = slices.DeleteFunc(slices.Clone(all), func(t term) bool { return stopWords[t.word] })
	}
	if len(content) == 0 {
		return all
	}
	return content
}

// telling returns the terms of a long text that make a query: the rarest of those that any document contains, and as
// large a share of the new ones. Their frequencies must be known.
func telling(terms []term) []term {
	if len(terms) <= maxTerms {
		return terms
	}
	known, fresh := []term{}, []term{}
	for _, t := range terms {
		if t.df > 0 {
			known = append(known, t)
		} else {
			fresh = append(fresh, t)
		}
	}
	sorting.Stable(known, func(a, b term) int { return cmp.Compare(a.df, b.df) })
	n := (maxTerms*len(known) + len(terms) - 1) / len(terms)
	return append(known[:n:n], fresh[:maxTerms-n]...)
}

// parseWords returns the different words of a text, up to four times as many as a query has.
func parseWords(text string) []term { return wordsIn(text, 4*maxTerms) }

// allWords returns all of them.
func allWords(text string) []term { return wordsIn(text, math.MaxInt) }

func wordsIn(text string, most int) []term {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", " "), " ")
	seen := map[string]bool{}
	var out []term
	add := func(w string, ident, open bool) {
		w = fold(w)
		st := stem(w)
		if w == "" || seen[st] || len(w) > 200 {
			return
		}
		seen[st] = true
		out = append(out, term{word: w, stem: st, ident: ident, open: open, task: taskWords[st]})
	}
	words(text, func(w string, start int) bool {
		if hasWide(w) {
			splitWide(w, false, func(part string, _ int) { add(part, false, false) })
		} else {
			add(w, false, strings.HasPrefix(text[start+len(w):], "*"))
			splitWord(w, func(part string, _ int) { add(part, true, false) })
		}
		return len(out) < most
	})
	return out
}

// fold converts a word to lower case and removes diacritics, as the tokenizer does.
func fold(w string) string {
	ascii, low := true, true
	for i := 0; i < len(w); i++ {
		ascii = ascii && w[i] < 0x80
		low = low && (w[i] < 'A' || w[i] > 'Z')
	}
	switch {
	case ascii && low:
		return w
	case ascii:
		return strings.ToLower(w)
	}
	var b strings.Builder
	for _, r := range w {
		if !isDiacritic(r) {
			b.WriteRune(language.Letter(lowered(r)))
		}
	}
	return b.String()
}

// lowered returns a letter in lower case. ς and σ are one letter, as are the two signs µ; ı and i are not.
func lowered(r rune) rune {
	if r == 'ı' {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// match returns an index query for one term: a quoted string, so that nothing in it is an operator.
func match(t term) string { return `"` + strings.ReplaceAll(t.word, `"`, "") + `"` }

// matchAll returns an index query for documents with all of some terms. The parts of a name need not be asked for.
func matchAll(terms []term) string {
	var all []string
	for _, t := range terms {
		if !t.ident {
			all = append(all, match(t))
		}
	}
	return strings.Join(all, " AND ")
}

// rarest returns the positions of terms, rarest first.
func rarest(terms []term) []int {
	out := make([]int, len(terms))
	for i := range terms {
		out[i] = i
	}
	sort.SliceStable(out, func(i, j int) bool { return terms[out[i]].df < terms[out[j]].df })
	return out
}

// stopWords say nothing about the subject of a query.
var stopWords = stopSet(
	`a about after all also am an and any are as at be because been before being but by can could did do does doing for
	from had has have having he her here hers him his how i if in into is it its just let like me more most my no not now
	of off on once only or other our out over own please same she should so some such than that the their them then there
	these they this those to too under until up very was we were what when where which while who whom why will with would
	you your yours`)

// taskWords are the stems of words that say what to do: prompts contain them, the work that follows rarely does.
var taskWords = stemSet(
	`fix fixed add added remove removed update change make use using improve support allow implement refactor clean handle
	avoid ensure rename move replace convert introduce drop simplify tweak rewrite create set close missing better new
	prevent correct proper work need let try put show switch`)

// stopsElsewhere are the stop words of other languages, without diacritics.
var stopsElsewhere = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, name := range language.Names() {
		all[name] = map[string]bool{}
		for _, w := range language.StopWords(name) {
			all[name][fold(w)] = true
		}
	}
	return all
})

// stopWordsOf returns whether a word is a stop word in a text: one of English, or of the language of the text.
func stopWordsOf(text string) func(word string) bool {
	own := stopsElsewhere()[language.Of(text)]
	return func(word string) bool { return stopWords[word] || own[word] }
}

func stopSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

func stemSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range stopSet(list) {
		set[stem(w)] = true
	}
	return set
}
