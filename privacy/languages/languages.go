package languages

import (
	_ "embed"
	"strings"
	"sync"
)

// Text is the content of languages.txt.
//
//go:embed languages.txt
var Text string

// ByKind returns the words for secrets in other languages, by kind: password, key, label.
var ByKind = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(Text) {
		kind, word, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if ok && kind != "#" {
			out[kind] = append(out[kind], strings.ReplaceAll(word, "␣", " "))
		}
	}
	return out
})
