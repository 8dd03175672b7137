package privacy

import (
	"fmt"
	"strings"
	"testing"
)

// ordinaryOutput is what a build or a test run prints.
func ordinaryOutput(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "src/handlers/user_%d.go:%d:%d: ok\tkeepmum/handlers\t%d.%03ds coverage: %d%% of statements\n", i,
			i*7, i%80, i%9, i%1000, i%100)
	}
	return b.String()[:size]
}

func BenchmarkWithhold(b *testing.B) {
	g := newGate(b, Options{Home: testHome})
	text := ordinaryOutput(64 << 10)
	for name, r := range map[string]Raw{
		"command": {Session: "s", Dir: "/home/dev/shop", Tool: "Bash",
			Input: map[string]any{"command": "cd api && go test ./... 2>&1 | tail -50"}, Output: map[string]any{"stdout": text}},
		"grep": {Session: "s", Dir: "/home/dev/shop", Tool: "Grep", Input: map[string]any{"pattern": "x"}, Output: text},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				withhold(g.denylist, r)
			}
		})
	}
}

// floodInputs are 64 KB each, made to be slow.
func floodInputs() map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, 64<<10/len(s)) }
	return map[string]string{
		"words": repeat("cat x "), "substitutions": repeat("$(a "), "backquotes": repeat("`a`"), "quotes": repeat(`"$a"`),
		"braces": "cat " + repeat("{a,b}"), "pipes": repeat("a|"), "assignments": repeat("a=$a$a;"), "one word": repeat("a"),
		"colons": repeat("a:"), "numbered": repeat("a:1:\n"), "diff": repeat("diff --git a/b b/b\n"),
		"headings": repeat("==> a <==\n"), "minus": repeat("a-1-\n"), "names": repeat("--- a/b\n+++ b/b\n"),
		"globs": "cat " + repeat("*? "), "heredocs": repeat("a <<b\nb\n"), "dots": repeat("../"),
		"equals": repeat("a=b "), "ats": repeat("@a "), "fences": repeat("```a\n"),
		"secrets": repeat("PASSWORD=hunter2! "), "json": repeat(`{"a":`), "strings": repeat(`"a"+`),
		"escapes": repeat(`\x`), "parens": repeat("("), "open braces": repeat("{ "), "env names": repeat("A_B=\n"),
		"prefix": repeat("prefix"), "line": repeat(" "), "NUL": repeat("\x00"),
	}
}

// floodEvents are the ways a flood may come: as a command, as the output of a
// search, of env and of a denied file, as a prompt.
func floodEvents(text string) map[string]Raw {
	return map[string]Raw{
		"command": {Session: "s", Dir: "/x", Tool: "Bash", Input: map[string]any{"command": text}},
		"search":  {Session: "s", Dir: "/x", Tool: "Grep", Output: text},
		"env":     {Session: "s", Dir: "/x", Tool: "Bash", Input: map[string]any{"command": "env"}, Output: text},
		"denied":  {Session: "s", Dir: "/x", Tool: "Read", Input: map[string]any{"path": ".env"}, Output: text},
		"prompt":  {Session: "s", Dir: "/x", Fields: map[string]string{"text": text}},
	}
}

// FuzzWithholdIsIdempotent has no output that a second pass changes again.
func FuzzWithholdIsIdempotent(f *testing.F) {
	f.Add("a.go:1:x\n.env:2:y\n", "grep -rn x .")
	f.Add("diff --git a/.env b/.env\n+x\n", "git diff")
	f.Add("A=b\nxyz\n", "env")
	g := newGate(f, Options{Home: testHome})
	f.Fuzz(func(t *testing.T, output, command string) {
		r := bash(command)
		r.Output = output
		once, _ := withhold(g.denylist, r)
		twice, _ := withhold(g.denylist, once)
		if once.Output != twice.Output {
			t.Fatalf("%q, then %q", once.Output, twice.Output)
		}
	})
}
