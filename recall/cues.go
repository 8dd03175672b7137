package recall

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"keepmum/language"
)

// cueFiles has a table for each language: a kind of cue, and its pattern. A text in another language than English is
// matched without diacritics, and also with the patterns of English: people mix the two.
//
//go:embed cues/*.tsv
var cueFiles embed.FS

// cue is a sign that a message settles something, or that a sentence only asks for something.
type cue struct {
	weight  float64
	pattern *regexp.Regexp
}

// cues are those of one language.
type cues struct {
	settle  []cue          // of a rule or a decision,
	ask     []cue          // and of a question or a request
	back    *regexp.Regexp // how something is changed or taken back
	accepts *regexp.Regexp // how a user accepts a proposal
	plain   bool           // match without diacritics
}

// The weights are rough: a stated rule has two or three of the signs, a request or a question none.
var (
	settling = []struct {
		kind   string
		weight float64
	}{{"rule", 1}, {"reason", 0.7}, {"scope", 0.6}}
	requesting = []struct {
		kind   string
		weight float64
	}{{"question", -0.8}, {"question at the end", -0.8}, {"request", -0.6}}
)

const (
	// value matches numbers with units, times, and the names of functions and variables.
	value = `\b\d+(?:[.,:]\d+)?\s?(?:%|[a-zA-Z]{1,9}\b|[\p{Cyrillic}\p{Han}\p{Katakana}])|\b\d{1,2}:\d{2}\b|` +
		`\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b`
	// asked matches the end of a question.
	asked = `[?？]\s*$`
)

// tables has the cues of each language, which are compiled at their first use.
var tables = func() map[string]func() *cues {
	all := map[string]func() *cues{}
	for _, name := range append(language.Names(), language.English, language.Chinese, language.Japanese) {
		all[name] = sync.OnceValue(func() *cues { return newCues(name) })
	}
	return all
}()

// cuesOf returns the cues of the language of a text.
func cuesOf(text string) *cues { return tables[language.Of(text)]() }

func newCues(name string) *cues {
	says := readCues(language.English)
	if name != language.English {
		for kind, expr := range readCues(name) {
			says[kind] += "|" + expr
		}
	}
	compiled := func(kind string) *regexp.Regexp { return regexp.MustCompile("(?i)" + says[kind]) }
	c := cues{back: compiled("takes back"), accepts: compiled("accepts"), plain: name != language.English,
		settle: []cue{{0.5, regexp.MustCompile(value)}}, ask: []cue{{-1, regexp.MustCompile(asked)}}}
	for _, s := range settling {
		c.settle = append(c.settle, cue{s.weight, compiled(s.kind)})
	}
	for _, s := range requesting {
		c.ask = append(c.ask, cue{s.weight, compiled(s.kind)})
	}
	return &c
}

// readCues reads the table of a language. It is part of the program, so that a fault in it is one of the program.
func readCues(name string) map[string]string {
	text, err := cueFiles.ReadFile("cues/" + name + ".tsv")
	if err != nil {
		panic(err)
	}
	says := map[string]string{}
	for line := range strings.Lines(string(text)) {
		kind, expr, found := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !found || says[kind] != "" {
			panic(fmt.Sprintf("cues/%s.tsv: %q is no line of a kind and its pattern, or the second of its kind", name, kind))
		}
		says[kind] = expr
	}
	return says
}

// of returns a text as the patterns match it.
func (c *cues) of(text string) string {
	if c.plain {
		return language.Plain(text)
	}
	return text
}

// reverses reports whether a sentence changes or takes back what applied before.
func (c *cues) reverses(text string) bool { return c.back.MatchString(c.of(text)) }
