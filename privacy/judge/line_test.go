package judge

import "testing"

func TestKindsOfLines(t *testing.T) {
	for text, want := range map[string]string{
		"and then they went to the harbour again": "prose", "| a | b | c |": "row", "x = f(a, b);": "code",
		"if (a) { b }": "code",
		"call(x":       "statement", "a, b, c, d": "notes", "a,b,c,d": "list", "name: value": "setting", "a=b": "setting",
		"moss": "short", "": "short", "R2 D2 C3 K9 B4": "other",
	} {
		l := line{}
		if l.countWords(text); l.kind != want {
			t.Errorf("%q is %s, not %s", text, l.kind, want)
		}
	}
	for text, want := range map[string]string{
		"moss": "a", "Moss": "A", "Øre": "A", "  moss": "indented a", "\t- moss": "indented -", "1. moss": "1.",
		"1) moss": "1.", "12 moss": "0",
		"": "nothing", "  ": "nothing", "#x": "#",
	} {
		if got := beginning(text); got != want {
			t.Errorf("%q begins with %q, not %q", text, got, want)
		}
	}
}
