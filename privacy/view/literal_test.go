package view

import (
	"testing"

	"keepmum/privacy/scan"
)

func TestALiteralIsReadAsWhatItStandsFor(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`plain`, "plain"},
		{`a\n\tb`, "a\n\tb"},
		{`\"q\" \\`, `"q" \`},
		{`\u00e9\x41`, "éA"},
		{`Пароль\n`, "Пароль\n"},
		{`it\'s \q`, `it\'s \q`},
		{`end\`, `end\`},
	} {
		v := unquotedView(c.in, scan.Stretch{From: 0, To: len(c.in)})
		if string(v.Text) != c.want {
			t.Errorf("%q became %q, want %q", c.in, v.Text, c.want)
		}
		if len(v.From) != len(v.Text) || v.End != len(c.in) {
			t.Errorf("%q: %d bytes come from %d places, up to %d", c.in, len(v.Text), len(v.From), v.End)
		}
	}
}

func TestOnlyALiteralThatEndsItsLineIsNoted(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{`# "a = \"b\""`, true},
		{"x: 1 # \"a\\n\"\nmore", true},
		{`# "no escape"`, false},
		{`# "a\n" and more`, false},
		{`# "open\n`, false},
	} {
		s := scan.NewScanner()
		s.Text = c.text
		for at := 0; at+3 <= len(c.text); at++ {
			if c.text[at:at+3] == CommentedLiterals[0] {
				Literal(s, at+3)
			}
		}
		if got := len(s.Literals) == 1; got != c.want {
			t.Errorf("%q: %v", c.text, s.Literals)
		}
	}
}

func TestAGutterIsTold(t *testing.T) {
	for _, c := range []struct {
		line string
		kind scan.Gutter
		n    int
	}{
		{"   12\tcode", scan.Counted, 6},
		{"12:code", scan.Searched, 3},
		{"file.go:12:code", scan.Searched, 11},
		{"+added", scan.Changed, 1},
		{"> said", scan.Cited, 2},
		{"web-1  | log", scan.Framed, 9},
		{"12:30 a time", scan.NoGutter, 0},
		{"https://host", scan.NoGutter, 0},
		{"", scan.NoGutter, 0},
	} {
		if kind, n := GutterOf(c.line); kind != c.kind || n != c.n {
			t.Errorf("%q: %v %d, want %v %d", c.line, kind, n, c.kind, c.n)
		}
	}
}

func TestALineOfAHexdumpIsRead(t *testing.T) {
	raw, body := DumpLine("00000010: 4442 5f50 4153 53  DB_PASS")
	if string(raw) != "DB_PASS" || body != 10 {
		t.Errorf("%q from %d", raw, body)
	}
	if raw, _ := DumpLine("deploy: ab cd"); raw != nil {
		t.Errorf("no hexdump: %q", raw)
	}
}
