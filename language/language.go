// Package language answers one question: in which language is a text written, judging by the words that say nothing
// about its subject?
//
// These stop words are in stopwords.tsv, by language; any text that is in none of those languages is taken for English.
// A text is in the language of which it has the most different stop words: at least two, one of which must not be in
// shared.txt, the list of those that are also English words or names of programs (bin, pod, die). Chinese, Japanese and
// Russian are recognised by their letters.
package language

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The languages that are named in the code.
const (
	English  = "en"
	Chinese  = "zh"
	Japanese = "ja"
	Russian  = "ru"
)

//go:embed stopwords.tsv
var stopWords string

//go:embed shared.txt
var shared string

// table has the stop words of each language, and the languages of each stop word.
type table struct {
	words     map[string][]string
	languages map[string][]string
	shared    map[string]bool // those of shared.txt
}

var stops = sync.OnceValue(func() table {
	t := table{map[string][]string{}, map[string][]string{}, map[string]bool{}}
	for w := range strings.FieldsSeq(shared) {
		t.shared[w] = true
	}
	for line := range strings.Lines(stopWords) {
		name, words, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		t.words[name] = strings.Fields(words)
		for _, w := range t.words[name] {
			if utf8.RuneCountInString(w) > 1 {
				t.languages[w] = append(t.languages[w], name)
			}
		}
	}
	for _, w := range english {
		t.languages[w] = append(t.languages[w], English)
	}
	return t
})

// english has the most frequent words of English texts, which tell them from texts in other languages.
var english = strings.Fields(`a about after all also am an and any are as at be because been before but by can could
	did do does don't for from had has have he her his how i if in into is it its just like me more my no not now of on
	only or our out over please she should so some than that the their them then there these they this those to under
	up use was we were what when where which while who why will with would you your`)

// Names returns the languages with stop words, sorted.
func Names() []string { return slices.Sorted(maps.Keys(stops().words)) }

// StopWords returns the stop words of a language, in lower case; none for English.
func StopWords(name string) []string { return stops().words[name] }

// IsStopWord reports whether a word, in lower case, is a stop word of any language, or one of the most frequent words
// of English. It serves texts that are too short to say in which language they are.
func IsStopWord(w string) bool { return len(stops().languages[w]) > 0 }

const (
	// enoughWords is how many words are looked at: a long text is in the language of its beginning.
	enoughWords = 300
	// fewStops is how many different stop words of another language a text has at least.
	fewStops = 2
)

// Of returns the language of a text.
func Of(text string) string {
	if name := byLetters(text); name != "" {
		return name
	}
	known := stops()
	seen := map[string]bool{}
	counts := map[string]int{} // different stop words, by language
	own := map[string]bool{}   // languages with a stop word that is not shared
	n := 0
	for token := range strings.FieldsSeq(text) {
		if n++; n > enoughWords {
			break
		}
		token = strings.Trim(token, punctuation)
		if strings.ContainsAny(token, inCode) {
			continue
		}
		for w := range strings.FieldsFuncSeq(token, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if w = strings.ToLower(w); !seen[w] {
				seen[w] = true
				for _, name := range known.languages[w] {
					counts[name]++
					own[name] = own[name] || !known.shared[w]
				}
			}
		}
	}
	maps.DeleteFunc(counts, func(name string, _ int) bool { return name != English && !own[name] })
	return most(counts)
}

const (
	punctuation = `.,;:!?…()[]"'“”„«»¿¡*`
	inCode      = `0123456789/\._=<>{}[]()$@#:"|` // no word of a sentence has one of these
)

// most returns the language with the most stop words, if there are enough of them.
func most(counts map[string]int) string {
	best := English
	for name, n := range counts {
		if n > counts[best] || n == counts[best] && best != English && name < best {
			best = name
		}
	}
	if counts[best] < fewStops {
		return English
	}
	return best
}

// byLetters returns the language of a text of whose letters more than a third belong to a script by which it is known;
// "" = of no such text.
func byLetters(text string) string {
	const enough = 20 * enoughWords // characters
	var all, han, kana, cyrillic, n int
	for _, r := range text {
		if n++; n > enough {
			break
		}
		switch {
		case r < unicode.MaxLatin1:
			if unicode.IsLetter(r) {
				all++
			}
			continue
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		}
		all++
	}
	switch {
	case 3*cyrillic > all:
		return Russian
	case 3*(han+kana) <= all:
		return ""
	case 8*kana > han:
		return Japanese
	}
	return Chinese
}

// Plain returns a text without the diacritics of Latin letters, with "ss" for "ß".
func Plain(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		if r == 'ß' {
			b.WriteString("ss")
			continue
		}
		b.WriteRune(Letter(r))
	}
	return b.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Letter returns a Latin letter without its diacritics. Those of other alphabets make another letter: й is not и.
func Letter(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	var buf [2 * utf8.UTFMax]byte
	base, _ := utf8.DecodeRune(norm.NFD.AppendString(buf[:0], string(r)))
	if base < utf8.RuneSelf && unicode.IsLetter(base) {
		return base
	}
	return r
}
