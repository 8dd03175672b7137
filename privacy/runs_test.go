package privacy

import (
	"slices"
	"strings"
	"testing"
)

// simpleRuns is what findRuns must find, by the simplest means.
func simpleRuns(text string) (out []run) {
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && bodyByte(text[i]) {
			continue
		}
		if i-from >= minRun {
			out = append(out, run{from, i})
		}
		from = i + 1
	}
	return out
}

func FuzzRuns(f *testing.F) {
	for _, s := range []string{"", strings.Repeat("a", 15), strings.Repeat("a", 16), "a b " + strings.Repeat("x=", 9) + " c", "aaaaaaaaa aaaaaaaaaaaaaaaaa", "kubernetes.io/service-account.name: default-token"} {
		for n := range 17 {
			f.Add(strings.Repeat("-", n) + "." + s)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scanner{set: sharedRules(), text: text}
		s.findRuns()
		if want := simpleRuns(text); !slices.Equal(s.runs, want) {
			t.Fatalf("%q: found %v, want %v", text, s.runs, want)
		}
	})
}
