package rules

import (
	_ "embed"
	"strings"
	"sync"
)

// LanguageWords contains the text of languages.txt.
//
//go:embed languages.txt
var LanguageWords string

// Languages returns the words for secrets in other languages, by kind: password, key, label.
var Languages = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(LanguageWords) {
		kind, word, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if ok && kind != "#" {
			out[kind] = append(out[kind], strings.ReplaceAll(word, "␣", " "))
		}
	}
	return out
})
