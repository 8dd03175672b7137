// Package language answers two questions: in which language is a text written, and which of its words say nothing about
// its subject?
//
// It knows the languages of stopwords.tsv, and English, which everything else is taken for. A text is in the language
// of most of its stop words. Chinese, Japanese and Russian are known by their letters.
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

// Of languages that are named in the code.
const (
	English  = "en"
	Chinese  = "zh"
	Japanese = "ja"
	Russian  = "ru"
)

//go:embed stopwords.tsv
var stopWords string

// table has the stop words of each language, and the languages of each stop word.
type table struct {
	words     map[string][]string
	languages map[string][]string
}

var stops = sync.OnceValue(func() table {
	t := table{map[string][]string{}, map[string][]string{}}
	for line := range strings.Lines(stopWords) {
		name, words, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		t.words[name] = strings.Fields(words)
		for _, w := range t.words[name] {
			t.languages[w] = append(t.languages[w], name)
		}
	}
	for _, w := range english {
		t.languages[w] = append(t.languages[w], English)
	}
	return t
})

// english are the most frequent words of English texts: they tell it from other languages.
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
	// fewStops is how many stop words of another language a text has at least. Two may be a name ("de la").
	fewStops = 3
	// Of a short text less is enough, if no word in it is English.
	shortStops = 2
)

// Of returns the language of a text.
func Of(text string) string {
	if name := byLetters(text); name != "" {
		return name
	}
	known := stops()
	counts := map[string]int{}
	n := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, name := range known.languages[strings.ToLower(w)] {
			counts[name]++
		}
		if n++; n >= enoughWords {
			break
		}
	}
	return most(counts)
}

// most returns the language with the most stop words, if there are enough of them.
func most(counts map[string]int) string {
	best := English
	for name, n := range counts {
		if n > counts[best] || n == counts[best] && best != English && name < best {
			best = name
		}
	}
	if n := counts[best]; n >= fewStops || n >= shortStops && counts[English] == 0 {
		return best
	}
	return English
}

// byLetters returns the language of a text in which a third of the letters are of no alphabet that others share.
func byLetters(text string) string {
	var all, han, kana, cyrillic, n int
	for _, r := range text {
		if n++; n > 20*enoughWords {
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
