package privacy

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// simpleRuns is what findRuns must find, by the simplest means.
func simpleRuns(text string) (out []scan.Stretch) {
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && scan.BodyByte(text[i]) {
			continue
		}
		if i-from >= scan.MinRun {
			out = append(out, scan.Stretch{From: from, To: i})
		}
		from = i + 1
	}
	return out
}

func FuzzRuns(f *testing.F) {
	for _, s := range []string{"", strings.Repeat("a", 15), strings.Repeat("a", 16), "a b " + strings.Repeat("x=", 9) +
		" c", "aaaaaaaaa aaaaaaaaaaaaaaaaa", "kubernetes.io/service-account.name: default-token"} {
		for n := range 17 {
			f.Add(strings.Repeat("-", n) + "." + s)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scan.Scanner{Set: sharedRules(), Text: text}
		scan.FindRuns(&s)
		if want := simpleRuns(text); !slices.Equal(s.Runs, want) {
			t.Fatalf("%q: found %v, want %v", text, s.Runs, want)
		}
	})
}
