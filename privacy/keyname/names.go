package keyname

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed names.txt
var namesText string

// table is names.txt.
type table struct {
	rules   map[string][]rule // by the last word, in the singular
	ignored map[string]bool
}

// rule is what a line says about one last word.
type rule struct {
	strength Strength
	after    map[string]bool // words before it; nil = whatever is before it
}

var names = sync.OnceValue(func() *table { return readTable(namesText) })

func readTable(text string) *table {
	t := &table{map[string][]rule{}, map[string]bool{}}
	strengths := map[string]Strength{"no": NotSecret, "weak": Weak, "token": Token, "password": Password}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		r := rule{strength: strengths[words[0]]}
		lasts := words[1:]
		if n := slices.Index(words, "after"); n > 0 {
			lasts, r.after = words[1:n], map[string]bool{}
			for _, w := range words[n+1:] {
				r.after[strings.TrimPrefix(w, "-")] = true
			}
		}
		for _, w := range lasts {
			if words[0] == "ignored" {
				t.ignored[w] = true
			} else {
				t.rules[w] = append(t.rules[w], r)
			}
		}
	}
	return t
}
