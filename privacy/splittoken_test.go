package privacy

import (
	"strings"
	"testing"
)

func TestATokenInTwoStringsOfOneEventIsTakenOut(t *testing.T) {
	const token = "ghp_Hq7Tz2Vb9Xc4Nm6Lp1Rk8Wd3Sf5Gj04JlIlk"
	type m = map[string]any
	for n := 8; n <= len(token)-8; n += 4 {
		a, b := token[:n], token[n:]
		for name, r := range map[string]Raw{
			"the outputs of a program": {Tool: "Bash", Input: m{"command": "x"}, Output: m{"stdout": "so it is " + a,
				"stderr": b + " and more"}},
			"a name and its value":   {Tool: "Bash", Input: m{"command": "x", a: b}},
			"the elements of a list": {Tool: "Bash", Input: m{"command": "x", "parts": []any{a, b}}},
			"an old and a new text":  {Tool: "Edit", Input: m{"file_path": "/x/a.go", "old_string": a, "new_string": b}},
			"a text and a command":   {Tool: "Bash", Input: m{"description": "use " + a, "command": b}},
		} {
			c := newGate(t, Options{}).Event(r)
			kept := c.Input.JSON().String() + c.Output.JSON().String()
			if strings.Contains(kept, a[4:]) || strings.Contains(kept, b) {
				t.Errorf("%s, cut at %d: %s", name, n, kept)
			}
		}
	}
}

func TestStringsSideBySideStay(t *testing.T) {
	in := map[string]any{"a1b2c3d4e5": "f6a7b8c9d0e1f2a3", "parts": []any{"da39a3ee5e6b4b0d3255",
		"bfef95601890afd80709"}, "task": "toolu_01AbCdEf23456"}
	g := newGate(t, Options{})
	if c := g.Event(Raw{Tool: "Bash", Input: in}); len(c.Findings) > 0 {
		t.Errorf("%v: %s", c.Findings, c.Input.JSON())
	}
}

func TestTheValuesBesideAListOfNamesBelongToThem(t *testing.T) {
	c := newGate(t, Options{}).Event(Raw{Tool: "connect", Input: map[string]any{"names": []any{"user", "password"},
		"values": []any{"bob", "hV7nD2sKq9XwB4mTcP"}}})
	if got, want := c.Input.JSON().String(),
		`{"names":["user","password"],"values":["bob","[REDACTED:password`; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}
