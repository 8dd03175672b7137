package main

import (
	"strings"
	"testing"
)

func TestLinesAreFoldedBelowTheirLastColumn(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"short", "ok    disk   free\n", "ok    disk   free\n"},
		{"running text", "there are no memories here, add one\n", "there are no memories\nhere, add one\n"},
		{"columns", "  12  done  fix the rounding of totals\n",
			"  12  done  fix the\n            rounding\n            of totals\n"},
		{"no room for the last column", "  12  2026-11-23 22:06  failed  sh deploy.sh\n",
			"  12  2026-11-23 22:06\n  failed  sh deploy.sh\n"},
		{"colours take no room", "\x1b[2mone two three four\x1b[0m\n", "\x1b[2mone two three four\x1b[0m\n"},
		{"a long word stays whole", strings.Repeat("x", 30) + " y", strings.Repeat("x", 30) + "\ny"},
		{"no line feed at the end", "one two three four five six", "one two three four\nfive six"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fold(c.text, 22); got != c.want {
				t.Errorf("folded:\n%q\nwant\n%q", got, c.want)
			}
			if got := fold(c.text, 0); got != c.text {
				t.Errorf("with no width: %q", got)
			}
		})
	}
}

func TestExamplesCanBePastedAtAnyWidth(t *testing.T) {
	h := helper{width: 40}
	h.examples("  mum memory add \"Money is kept in minor units\" --type learning\n" +
		"  mum up    start the daemon of this machine")
	want := "  mum memory add \\\n    \"Money is kept in minor units\" \\\n    --type learning\n" +
		"  mum up    start the daemon of this\n            machine\n"
	if got := h.b.String(); got != want {
		t.Errorf("examples:\n%s\nwant\n%s", got, want)
	}
}
