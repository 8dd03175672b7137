package assign

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// assigned is the value VALUE of the name NAME in a text, and where the name is.
func assigned(text string, sep Sep, quoted bool) (s *scan.Scanner, from, to int, a Assignment) {
	from = strings.Index(text, "NAME")
	at := strings.Index(text, "VALUE")
	return &scan.Scanner{Text: text}, from, from + len("NAME"), Assignment{Sep: sep, Quoted: quoted, Start: at,
		End: at + len("VALUE")}
}

func TestALineOfSettings(t *testing.T) {
	for _, c := range []struct {
		text   string
		sep    Sep
		quoted bool
		want   bool
	}{
		{"NAME=VALUE", Equals, false, true}, {"  - NAME: VALUE\n", Colon, false, true}, {"# NAME = VALUE\r\n", Equals,
			false, true},
		{"set NAME=VALUE", Equals, false, true}, {`"NAME": "VALUE",`, Colon, true, true}, {`x = "a:\n  NAME: VALUE\n"`,
			Colon, false, true},
		{"x NAME=VALUE", Equals, false, false}, {"NAME=VALUE x", Equals, false, false}, {`NAME = "VALUE"`, Equals, true,
			false},
		{"NAME(x) = VALUE", Equals, false, false}, {"NAME VALUE", Blank, false, false}, {`NAME: "VALUE"`, Colon, true,
			false},
		{`"NAME": "VALUE`, Colon, true, false}, {`"NAME" = "VALUE"`, Equals, true, false}, {`log("NAME: VALUE")`, Colon,
			false, false},
		{`NAME = "VALUE`, Equals, true, false}, {`"NAME=VALUE\n"`, Equals, false, false}, {`x = "a:\n  NAME: VALUE, b"`,
			Colon, false, false},
	} {
		s, from, _, a := assigned(c.text, c.sep, c.quoted)
		if got := ConfigLine(s, from, a); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}

func TestALineOfAnEnvironment(t *testing.T) {
	for _, c := range []struct {
		text   string
		quoted bool
		want   bool
	}{
		{"NAME=VALUE", false, true}, {"export NAME=VALUE", false, true}, {`NAME="VALUE"`, true, true},
		{"docker run -e NAME=VALUE", false, true},
		{"ENV NAME=VALUE", false, true}, {"  - NAME=VALUE", false, true}, {"docker build --build-arg NAME=VALUE", false,
			true},
		{"NAME = VALUE", false, false}, {"x.NAME=VALUE", false, false}, {"if NAME=VALUE", false, false}, {"NAME=(VALUE",
			false, false}, {"NAME=[(VALUE", false, false},
	} {
		s, from, to, a := assigned(c.text, Equals, c.quoted)
		a.Spaced = strings.Contains(c.text, " = ")
		if got := EnvironmentLine(s, from, to, a); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
	for text, sep := range map[string]Sep{"NAME:VALUE": Colon, "name=VALUE": Equals} {
		s := &scan.Scanner{Text: text}
		if EnvironmentLine(s, 0, len("NAME"), Assignment{Sep: sep, Start: len("NAME="), End: len(text)}) {
			t.Errorf("%q is one", text)
		}
	}
	for name, want := range map[string]bool{"DB_PASS": true, "DB2": true, "DB": false, "Db_Pass": false,
		"DB-PASS": false, "": false, "DBa": false, "DBz": false} {
		if got := Capitals(name); got != want {
			t.Errorf("%s is written like a variable of an environment: %v", name, got)
		}
	}
}

func TestAValueMayGoOnToTheEndOfItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\"b;c d": "a\"b;c", "abc\",\nx": "abc", "abc": "abc", "": "", "a'b'": "a'b", "\n": "", "ключ;\r\n": "ключ",
		strings.Repeat("x", 900): strings.Repeat("x", MaxJudged),
	} {
		if got := text[:RestOfLine(&scan.Scanner{Text: text}, 0)]; got != want {
			t.Errorf("%.20q: %.20q", text, got)
		}
	}
}

func TestLinesOfASection(t *testing.T) {
	for text, want := range map[string]bool{
		"[db]\nNAME = x": true, "[db]\nhost = a\n# more\n\nNAME = x": true, "[db]\r\nhost = a\r\nNAME = x": true,
		"NAME = x": false, "host = a\nNAME = x": false, "[db]\nfor i in list:\nNAME = x": false,
		"[db]\nx = f(1)\nNAME = x": false,
		"[db]\n; more\nNAME = x":   true, "[db\nNAME = x": false, "db]\nNAME = x": false, "[db]\nhost\nNAME = x": false,
		"[db]\nthe host = a\nNAME = x":                        false,
		"[db]\n" + strings.Repeat("a = 1\n", 11) + "NAME = x": true,
		"[db]\n" + strings.Repeat("a = 1\n", 12) + "NAME = x": false, // too far above
	} {
		if got := InSection(&scan.Scanner{Text: text}, strings.Index(text, "NAME")); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}

// TestHelpDescribesAnOption has the name of an option, and what follows it, in the place of its value VALUE.
func TestHelpDescribesAnOption(t *testing.T) {
	for _, c := range []struct {
		text, value string
		sep         Sep
		want        bool
	}{
		{"  --NAME   the word to log in with", "the", Blank, true}, {"--NAME=WORD   what to log in with", "WORD", Equals,
			true},
		{"--NAME 密码 を入力", "密码", Blank, true},
		{"tool --NAME hafen next", "hafen", Blank, false}, {"tool --NAME   hafen", "hafen", Blank, false},
		{"tool --NAME=hafen   next", "hafen", Equals, false}, {"tool --NAME   hafen --next", "hafen", Blank, false},
		{"NAME   the word to log in with", "the", Blank, false}, // no option
		{"tool --NAME   hafen;next", "hafen", Blank, false}, {"tool --NAME   hafen ", "hafen", Blank, false},
		{"tool --NAME   hafen \n  next", "hafen", Blank, false}, {"tool --NAME=HAFEN next", "HAFEN", Equals, false},
		{"tool --NAME=HAFEN7   next", "HAFEN7", Equals, false},
	} {
		from, at := strings.Index(c.text, "NAME"), strings.Index(c.text, c.value)
		n := &scan.Called{From: from, To: from + len("NAME"), Words: []string{"name"}}
		a := Assignment{Sep: c.sep, Start: at, End: at + len(c.value)}
		if got := HelpText(&scan.Scanner{Text: c.text}, n, a); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
	quoted := Assignment{Sep: Equals, Quoted: true, Start: len(`--key="`), End: len(`--key="HAFEN`)}
	if HelpText(&scan.Scanner{Text: `--key="HAFEN"   next`}, &scan.Called{From: 2, To: 5, Words: []string{"key"}}, quoted) {
		t.Error("a value in quotes is a description")
	}
	n := &scan.Called{From: 2, To: 13, Words: []string{"no", "password"}}
	if !HelpText(&scan.Scanner{Text: "--no-password hafen"}, n, Assignment{Sep: Blank, Start: 14, End: 19}) {
		t.Error("an option that says no has a value")
	}
}

func TestAnAccountStandsBeforeItsPassword(t *testing.T) {
	for text, want := range map[string]bool{
		"user=kim, NAME": true, "Login: kim NAME": true, "kim@example.org NAME": true, "USERNAME kim NAME": true,
		"NAME": false, "colour blue NAME": false, "user" + strings.Repeat(" ", 100) + "NAME": false, "kim`s NAME": false,
	} {
		if got := AccountBefore(&scan.Scanner{Text: text}, strings.LastIndex(text, "NAME")); got != want {
			t.Errorf("%.20q: %v", text, got)
		}
	}
	if AccountBefore(&scan.Scanner{Text: "password"}, len("password")) {
		t.Error("there is an account in front of the end of a text")
	}
	for v, want := range map[string]int{
		"kim:moss7": 4, "kim:abcd": 4, "kim:abc": 0, ":moss77": 0, "http://moss": 0, "k m:moss7": 0, "kim": 0, "": 0,
		"ким:moss77": 0, "aws:eu-central-1": 0, "SHA256:moss77": 0, "npm:moss-agent": 0, "docs:moss7": 5,
	} {
		if got := AccountName(v); got != want {
			t.Errorf("%q: a name of %d bytes, want %d", v, got, want)
		}
	}
}
