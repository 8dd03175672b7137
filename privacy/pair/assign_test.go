package pair

import (
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
)

// TestTheValueOfANameIsRead reads the value after the word NAME in each notation.
func TestTheValueOfANameIsRead(t *testing.T) {
	for _, c := range []struct {
		text, want string
		sep        assign.Sep
	}{
		{`NAME=hafen`, "hafen", assign.Equals},
		{`NAME: hafen`, "hafen", assign.Colon},
		{`"NAME": "hafen kran"`, "hafen kran", assign.Colon},
		{`NAME("hafen")`, "hafen", assign.Call},
		{`["NAME", "hafen"]`, "hafen", assign.Comma},
		{`| NAME | hafen |`, "hafen", assign.Column},
		{`<NAME>hafen</NAME>`, "hafen", assign.Element},
		{`name="NAME" value="hafen"`, "hafen", assign.Sibling},
		{`NAME == "hafen"`, "hafen", assign.Compare},
		{`--NAME hafen`, "hafen", assign.Blank},
		{`${NAME:-hafen}@host/${DB}`, "hafen", assign.Equals},
		{`${NAME:=hafen}`, "hafen", assign.Equals},
		{`NAME = hafen; more`, "hafen", assign.Equals},
		{`(NAME: hafen)”-error`, "hafen", assign.Colon},
		{"NAME to `hafen'.\nNAME to `kran'.", "hafen", assign.Blank},
		{"NAME = `hafen\nkran`", "hafen\nkran", assign.Equals},
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
		if a, ok := Assigned(text, from, from+len("NAME"), scan.MaxValue); ok && a.Sep != assign.Blank {
			t.Errorf("%q: separator %d, value %q", text, a.Sep, text[a.Start:a.End])
		}
	}
}
