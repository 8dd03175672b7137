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

// FuzzPassages compares the look at the lines that may name a file with a look
// at every line.
func FuzzPassages(f *testing.F) {
	for _, s := range []string{"a.go:1:x\n.env:2:y\nz", "diff --git a/.env b/.env\n+x\n", ".env\n1:a\n2:b\n\nc", "==> .env <==\nx\n==> a <==\ny", "C:\\a\\.env:3:x", "--- a/.env\n+++ b/.env\n+A=b", "x\r\n.env:1:y\r\n"} {
		f.Add(s)
	}
	g := newGate(f, Options{Home: testHome})
	f.Fuzz(func(t *testing.T, text string) {
		_, w := g.denylist.withhold(Raw{Dir: "/x", Output: text})
		var got, want []string
		for _, p := range w.passages(text) {
			got = append(got, strings.SplitAfter(text[p.start:p.end], "\n")...)
		}
		for s, at := noSection, 0; at < len(text); {
			line, _, _ := strings.Cut(text[at:], "\n")
			end := min(at+len(line)+1, len(text))
			bare := strings.TrimSuffix(line, "\r")
			if s = w.next(s, bare, text[end:]); s.denied() && !s.heading || s == noSection && w.deniedLine(bare) {
				want = append(want, text[at:end])
			}
			at = end
		}
		got = slices.DeleteFunc(got, func(l string) bool { return l == "" })
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}
