package pair

import (
	"strings"
	"testing"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
)

// TestTheValueOfANameIsRead reads the value after the word NAME in each notation.
func TestTheValueOfANameIsRead(t *testing.T) {
	for _, c := range []struct {
		text, want string
		sep        judge.Sep
	}{
		{`NAME=hafen`, "hafen", judge.Equals},
		{`NAME: hafen`, "hafen", judge.Colon},
		{`"NAME": "hafen kran"`, "hafen kran", judge.Colon},
		{`NAME("hafen")`, "hafen", judge.Call},
		{`["NAME", "hafen"]`, "hafen", judge.Comma},
		{`| NAME | hafen |`, "hafen", judge.Column},
		{`<NAME>hafen</NAME>`, "hafen", judge.Element},
		{`name="NAME" value="hafen"`, "hafen", judge.Sibling},
		{`NAME == "hafen"`, "hafen", judge.Compare},
		{`--NAME hafen`, "hafen", judge.Blank},
		{`${NAME:-hafen}@host/${DB}`, "hafen", judge.Equals},
		{`${NAME:=hafen}`, "hafen", judge.Equals},
		{`NAME = hafen; more`, "hafen", judge.Equals},
		{`(NAME: hafen)”-error`, "hafen", judge.Colon},
		{"NAME to `hafen'.\nNAME to `kran'.", "hafen", judge.Blank},
		{"NAME = `hafen\nkran`", "hafen\nkran", judge.Equals},
	} {
		from := strings.Index(c.text, "NAME")
		a, ok := Assigned(c.text, from, from+len("NAME"), scan.MaxValue)
		if !ok || a.Sep != c.sep || c.text[a.Start:a.End] != c.want {
			v := c.text[min(a.Start, len(c.text)):min(a.End, len(c.text))]
			t.Errorf("%q: %v, separator %d, value %q", c.text, ok, a.Sep, v)
		}
	}
}

func TestWhatOnlyLooksLikeAnAssignmentHasNoValue(t *testing.T) {
	for _, text := range []string{`${NAME:?is not set}`, `${NAME:+is set}`, `${NAME:-open`, `NAME`, `NAME::more`} {
		from := strings.Index(text, "NAME")
		if a, ok := Assigned(text, from, from+len("NAME"), scan.MaxValue); ok && a.Sep != judge.Blank {
			t.Errorf("%q: separator %d, value %q", text, a.Sep, text[a.Start:a.End])
		}
	}
}
