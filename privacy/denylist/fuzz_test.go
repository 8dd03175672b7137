package denylist

import (
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

// FuzzPassages checks that passages are whole lines in order, and that every line of a denied file is in one, whatever
// is around it.
func FuzzPassages(f *testing.F) {
	for _, s := range []string{"a.go:1:x\n.env:2:y\nz", "diff --git a/.env b/.env\n+x\n", ".env\n1:a\n2:b\n\nc",
		"==> .env <==\nx\n==> a <==\ny", "C:\\a\\.env:3:x", "--- a/.env\n+++ b/.env\n+A=b", "x\r\n.env:1:y\r\n"} {
		f.Add(s)
	}
	d := ordinary(f)
	f.Fuzz(func(t *testing.T, text string) {
		i := d.Inspect(Event{Dir: "/x", Output: text})
		last := 0
		for _, p := range i.Passages(text) {
			wholeLines := (p[0] == 0 || text[p[0]-1] == '\n') && (p[1] == len(text) || text[p[1]-1] == '\n')
			if p[0] < last || p[1] <= p[0] || !wholeLines {
				t.Fatalf("%q: %v", text, p)
			}
			last = p[1]
		}
		const line = "\n.env:7:A=b\n"
		var found strings.Builder
		for _, p := range i.Passages("x\n" + line + text) {
			found.WriteString(("x\n" + line + text)[p[0]:p[1]])
		}
		if !strings.Contains(found.String(), line[1:]) {
			t.Fatalf("%q before %q is not found", line, text)
		}
	})
}
