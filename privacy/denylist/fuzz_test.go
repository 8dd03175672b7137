package denylist

import (
	"slices"
	"strings"
	"testing"
)

func ordinary(t testing.TB) *List {
	t.Helper()
	d, err := New(Options{Home: "/home/dev"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ran(command string) Event {
	return Event{Tool: "Bash", Dir: "/home/dev/shop", Input: map[string]any{"command": command}}
}

// FuzzShell checks that no command makes the analysis panic, or hides an existing file that is one of its words.
func FuzzShell(f *testing.F) {
	for _, s := range []string{"cat .env", "a=$(b `c`) <<< x", "bash -c 'x' | tee y", "cat {a,b}.{c,d}",
		"$'\\x41\\u0041'", "a <<E\nx\nE", "(((", "\\", "find . -exec a {} \\;"} {
		f.Add(s)
	}
	d := ordinary(f)
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 4096 {
			t.Skip()
		}
		d.Inspect(ran(script))
		if strings.ContainsAny(script, "'\"\\`$#<(){}!\x00") { // it may turn what follows into a comment or a string
			t.Skip()
		}
		i := d.Inspect(ran(script + "\ncat .env\n"))
		if i.Verdict.Denied == "" {
			t.Fatalf("%q hides the file", script)
		}
	})
}

// FuzzPassages compares the check of lines that may name a file with a check of every line.
func FuzzPassages(f *testing.F) {
	for _, s := range []string{"a.go:1:x\n.env:2:y\nz", "diff --git a/.env b/.env\n+x\n", ".env\n1:a\n2:b\n\nc",
		"==> .env <==\nx\n==> a <==\ny", "C:\\a\\.env:3:x", "--- a/.env\n+++ b/.env\n+A=b", "x\r\n.env:1:y\r\n"} {
		f.Add(s)
	}
	d := ordinary(f)
	f.Fuzz(func(t *testing.T, text string) {
		i := d.Inspect(Event{Dir: "/x", Output: text})
		var got, want []string
		for _, p := range i.Passages(text) {
			got = append(got, strings.SplitAfter(text[p[0]:p[1]], "\n")...)
		}
		for s, at := noSection, 0; at < len(text); {
			line, _, _ := strings.Cut(text[at:], "\n")
			end := min(at+len(line)+1, len(text))
			bare := strings.TrimSuffix(line, "\r")
			if s = i.next(s, bare, text[end:]); s.hidden && !s.heading || s == noSection && i.deniedLine(bare) {
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
