package pair

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/speech"
	"keepmum/privacy/value"
)

func TestADefaultBelongsToTheNameOfItsBlock(t *testing.T) {
	checkMarked(t,
		"variable \"db_password\" {\n  type = string\n  default = \"«Tulpe77#feld»\"\n}\n", // Terraform
		"variable \"db_password\" { default = \"«Tulpe77#feld»\" }",                        // on one line
		"Parameters:\n  DbPassword:\n    Type: Text\n    Default: «Tulpe77#feld»\n",        // CloudFormation
		"  db_password:\r\n    type: text\r\n    default: «Tulpe77#feld»\r\n",              // with CRLF
		"add_argument(\"--password\", default=\"«Tulpe77#feld»\")",                         // Python
		"  Pw text `envconfig:\"DB_PASSWORD\" default:\"«Tulpe77#feld»\"`",                 // Go
		"{\"db_password\": {\"type\": \"text\", \"default\": \"«Tulpe77#feld»\"}}",         // JSON
	)
	checkMarked(t,
		"variable \"region\" {\n  default = \"Tulpe77#feld\"\n}\n",
		"variable \"db_password\" {\n  default = var.other\n}\n",
		"variable \"db_password\" {\n  default = \"\"\n}\n",
		"auth [success=1 new_authtok_reqd=ok default=Tulpe77#feld]", // one of several in brackets, as PAM's
		"  db_password:\n    default:\n      Tulpe77#feld",          // on another line
		"variable \"db_password\" {\n}\nvariable \"region\" {\n  default = \"Tulpe77#feld\"\n}\n",
		"db_password:\n"+strings.Repeat("  # filler\n", maxBlockHead/10)+"  default: Tulpe77#feld\n", // too far away
		"default", "default=", "default: ", "default:\"",
	)
}

func TestNamesInOtherLanguagesAreNamesOfSettings(t *testing.T) {
	checkMarked(t,
		"heslo=«Tulpe77#feld»", "heslo: «Tulpe77#feld»", "  - Kennwort: «Tulpe77#feld»",
		`"heslo" : "«Tulpe77#feld»"`, "DB_HESLO = «Tulpe77#feld»", "{wachtwoord: '«Tulpe77#feld»'}",
		"mot_de_passe=«Tulpe77#feld»",
	)
	for _, w := range OtherLanguageWords() {
		if !value.ASCII(w) || w == "" || strings.ToLower(w) != w {
			t.Errorf("the automaton cannot hold %q", w)
		}
	}
}

func TestTheLiteralsOfACallEndWithIt(t *testing.T) {
	for text, want := range map[string][]string{
		`"a", 'b')`: {"a", "b"}, "`a`": {"a"}, `"a", url.String(), "b"); f("c")`: {"a", "b"}, `"a",` + "\n\t\"b\")": {"a",
			"b"},
		"\"a\"\n\"b\"": {"a"}, `""`: {""}, `"a\"b"`: {`a\"b`}, ``: nil, `x)`: nil, `"open`: {"open"}, "\n\"a\"": {"a"},
		`"é", "\xff"`: {"é", `\xff`}, strings.Repeat(`"a",`, 20): slices.Repeat([]string{"a"}, 8),
	} {
		var got []string
		for _, sp := range Literals(&scan.Scanner{Text: "f(" + text}, len("f(")) {
			got = append(got, sp.In("f("+text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestALiteralInThePlaceOfAPassword(t *testing.T) {
	for v, want := range map[string]bool{
		"Tulpe77": true, "qwertzuiop": true, "a1b2": true, "": false, "a1": false, "user": false, "two 2 words": false,
		"<pass1>": false,
		"/etc/x1": false, "changeme": false, "${P4SS}": false, "f(1)x": false, strings.Repeat("a1", 65): false,
	} {
		if got := TypedPassword(v); got != want {
			t.Errorf("%.20q: %v", v, got)
		}
	}
}

func TestTagsAndColoursAreMeasured(t *testing.T) {
	for text, want := range map[string]string{
		"<b>x": "<b>", "</strong>x": "</strong>", `<span class="a">x`: `<span class="a">`, "&lt;b&gt;x": "&lt;b&gt;",
		"<BR>":          "<BR>",
		`\u001b[1;31mx`: `\u001b[1;31m`, `\x1b[0mx`: `\x1b[0m`, `\033[32mx`: `\033[32m`, `\e[mx`: `\e[m`,
		"^[[1mx":     "^[[1m",
		"<password>": "", "<b": "", "x<b>": "", "<>": "", "< b>": "", `\n`: "", `\u001b[1;3`: "", "^x": "", "&amp;": "",
		"é":                                    "",
		"<b " + strings.Repeat("x", 100) + ">": "",
	} {
		if got := MarkLength(text); got != len(want) {
			t.Errorf("%q: %d, want %d", text, got, len(want))
		}
	}
}

// What is read a second time, without tags, is near a name, and no byte of it is read twice.
func TestStretchesAroundNamesDoNotTouch(t *testing.T) {
	for _, n := range []int{1, 50, 3 * ViewReach} {
		read(t, strings.Repeat("password: <b>x</b>"+strings.Repeat(" ", n), 100))
		if len(work.marked) == 0 || work.marked[0].From != 0 {
			t.Errorf("every %d bytes: %v", n, work.marked)
		}
		for i := 1; i < len(work.marked); i++ {
			if work.marked[i].From <= work.marked[i-1].To {
				t.Errorf("every %d bytes: %v", n, work.marked[i-1:i+1])
			}
		}
	}
	if got := Around(nil, 10, 20); got[0] != (scan.Stretch{From: 0, To: 20}) {
		t.Errorf("in a short text: %v", got)
	}
}

// The name of a vendor ends at the sign ^; at most three more words may be between it and the separator.
func TestTheValueOfAVendorsSettingStartsBehindItsSeparator(t *testing.T) {
	for text, want := range map[string]string{
		"acme^ = hafen": "hafen", "acme^_api_key=hafen": "hafen", "acme^ api key: hafen": "hafen",
		`acme^.token = "hafen"`:      `hafen"`,
		"acme^ one two three: hafen": "hafen", "acme^ one two three four: hafen": "", "acme^ is hafen": "", "acme^": "",
		"^":      "",
		"acme^ ": "", "acme^\n= hafen": "", "acme^" + strings.Repeat("_x", 40) + "=hafen": "",
	} {
		i := strings.IndexByte(text, '^')
		text = strings.Replace(text, "^", "", 1)
		at, ok := ValueAfter(text, i)
		if got := text[min(at, len(text)):]; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %v, %q, want %q", text, ok, got, want)
		}
	}
}

// Each cue beyond ASCII is found where it stands, but not in what was told to have only Latin letters.
func TestCuesInOtherAlphabetsAreFound(t *testing.T) {
	words, of := speech.NonASCIICues()
	if len(words) < 50 {
		t.Fatalf("only %d words", len(words))
	}
	for n, w := range words {
		s := &scan.Scanner{Text: "a \xc3 " + w + " \xff b"}
		FindNonASCIICues(s)
		isIt := func(c scan.Cue) bool { return c.Of == of[n] && strings.Contains(s.Text[c.Start:c.End], w) }
		if !slices.ContainsFunc(s.Cues, isIt) {
			t.Errorf("%s is no cue: %v", w, s.Cues)
		}
		s = &scan.Scanner{Text: w, Latin: true}
		if FindNonASCIICues(s); len(s.Cues) > 0 {
			t.Errorf("%s was looked for", w)
		}
	}
}
