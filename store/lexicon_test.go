package store

import (
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
)

// A cached word has the same lexemes as when it is read again, whatever words replaced it meanwhile.
func TestALexiconReadsAWordAlwaysTheSame(t *testing.T) {
	all := []string{"harbour", "Harbours", "parseURL", "utf8", "aVeryLongNameOfManyPartsThatNobodyWouldType", "Überfahrt",
		"漢字文書", strings.Repeat("long", 40)}
	for i := range longtest.Size(plainWords+plainWords/4, 3*plainWords) {
		all = append(all, "w"+strings.Repeat("x", i%5)+string(rune('a'+i%26))+string(rune('a'+i/26%26))+
			string(rune('a'+i/676%26)))
	}
	var l lexicon
	for range 2 {
		for _, w := range all {
			if got, _ := l.read(w, 0); !slices.Equal(got, appendLexemes(nil, w)) {
				t.Fatalf("%q is read as %v, want %v", w, got, appendLexemes(nil, w))
			}
		}
	}
}
