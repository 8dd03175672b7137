package assign

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// TestTheValueBehindASeparator reads what is behind the sign ^ of each text; its value is between «».
func TestTheValueBehindASeparator(t *testing.T) {
	for _, c := range []struct {
		sep   Sep
		texts []string
	}{
		{Equals, []string{
			`^ "«hafen kran»" x`, `^'«hafen»'`, "^ `«a\nb»`", `^ b"«hafen»"`, `^ @"«hafen»"`, `^ R"(«hafen»"`,
			`^ """«hafen»"""`,
			`^ ["«hafen»"]`, `^ ("«hafen»")`, `^ []string{"«hafen»"}`, `^ [[«hafen»]]`, `^ q{«hafen»};`, `^{«hafen»};x=1`,
			`^ Some("«hafen»")`, `^ []byte("«hafen»")`, "^ []byte(`«hafen»`)", `^ *b"«hafen»"`,
			`^ Buffer.from('«hafen»', "hex")`,
			`^ «[]byte(hafen)»`,
			`^ «std::string(»"{}-2")`, `^ «str(»"hafen 2")`, `^ «QString(»"%1")`,
			`^\"«hafen»\"`, `^\\"«hafen»\\"`, `^ &quot;«hafen»&quot;`, `^ "«a\"b»"`, `^ "«a\\»"`,
			"^«hafen» kran", "^«hafen»\r\nx", "^«hafen»; x", "^«a,b» c", "^«hafen», x", "^«hafen»,next=1",
			"^«a&amp;b»&next=1",
			"^«hafen»)", "^«hafen».", "^«hafen»:", "^«hafen»\\n", "^«hafen»<x", "^«hafen»\"", "^** «hafen»", "^«haf\xffen» x",
			"^«ключ»”", "^ «seehafen»", "^ «*hafen*»", "^ *** «hafen»", "^ «****» hafen", `^ <<"«hafen»">>`, "^ '''«hafen»'''",
			`^ «\»`, "^«hafen»&amp;next=1", "^«hafen»,; x", `^«haf\en» x`, "^«hafen»&quot; x", "^«a&b» kran", "^«f(x)» y",
			"^«(hafen)» y", "^«a,=b» c", "^«hafen,kran»", "^«hafen»,a.b=1", "^«{a» b};", "^«q{a» b};", "^«{hafen}»",
			"^«[[hafen]]x» y", "^«hafen»,\"next\"", "^«hafen»,\tx",
			"^ [-alt-]{+«neu»+}", "^\n  «hafen»",
		}},
		{Colon, []string{"^ &anchor «hafen»", "^ !!str «hafen»", "^ |\n  «hafen»\n", "^ >-\r\n  «hafen»\r\n",
			"^\n  «hafen»", "^ «{hafen}»; x", "^ «&&hafen»", "^ «&»", "^ «&" + strings.Repeat("x", 60) + "» hafen"}},
		{Column, []string{"^ «hafen»| x", "^ «hafen»"}},
		{Call, []string{`^"«hafen»")`, `^ '«hafen»', 1)`}},
		{Blank, []string{"^ «hafen» kran", "^ `«hafen»'.", "^ `«hafen.kran»'."}},
	} {
		for _, want := range c.texts {
			text := strings.NewReplacer("«", "", "»", "").Replace(want)
			a, ok := Assignment{Sep: c.sep, MaxLength: scan.MaxValue}.Value(text, 1)
			if !ok || a.Start < 1 || a.End > len(text) {
				t.Errorf("%q: %v, %+v", want, ok, a)
				continue
			}
			if got := text[:a.Start] + "«" + text[a.Start:a.End] + "»" + text[a.End:]; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		}
	}
}

func TestThereMayBeNoValue(t *testing.T) {
	for _, c := range []struct {
		sep  Sep
		text string
	}{
		{Equals, ""}, {Equals, "  "}, {Equals, `""`}, {Equals, "''"}, {Equals, "\n"}, {Equals, "\nnext = 1"}, {Equals,
			"  \n\nx"},
		{Equals, ";"}, {Equals, ")"}, {Equals, "..."}, {Equals, "\x00"}, {Colon, "|\nnext: 1"}, {Blank, "\n  hafen"},
		{Column, "|"},
		{Column, "\n| x"}, {Column, "\n  hafen"}, {Colon, "&anchor "}, {Equals, "\n  "},
		{Comma, " name)"}, {Call, "name)"}, {Compare, " other"}, // names of other values
	} {
		if a, ok := (Assignment{Sep: c.sep, MaxLength: scan.MaxValue}).Value(c.text, 0); ok {
			t.Errorf("%d, %q: %q", c.sep, c.text, c.text[a.Start:a.End])
		}
	}
}

// TestALiteralMayEndBehindTheNameInIt has the name PWD in quotes, and after it the literal's end or the value.
func TestALiteralMayEndBehindTheNameInIt(t *testing.T) {
	for _, c := range []struct {
		text   string
		sep    Sep
		spaced bool
		want   string
	}{
		{`"PWD=" + "hafen"`, Equals, false, ""}, {`\"PWD=\" + dir`, Equals, false, ""}, {`"PWD(" + "hafen"`, Call, false, ""},
		{`x \\"PWD=\\" + dir`, Equals, false, ""}, {`"PWD='hafen'"`, Equals, false, "hafen"},
		{`"PWD=\"hafen\""`, Equals, false, "hafen"}, {`"PWD" = "hafen"`, Equals, true, "hafen"},
		{`"PWD":"hafen"`, Colon, false, "hafen"}, {`PWD="hafen"`, Equals, false, "hafen"},
	} {
		a, from := Assignment{Sep: c.sep, Spaced: c.spaced, MaxLength: scan.MaxValue}, strings.Index(c.text, "PWD")
		a.SetContext(c.text, from)
		a, ok := a.Value(c.text, strings.IndexAny(c.text, "=:(")+1)
		if got := c.text[a.Start:a.End]; ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %v, %q", c.text, ok, got)
		}
	}
}

// TestWordsBetweenANameAndItsValueAreSkipped reads what follows a name without a sign: words of a sentence.
func TestWordsBetweenANameAndItsValueAreSkipped(t *testing.T) {
	for _, c := range []struct {
		text, want string
		verb       bool
	}{
		{"hafen", "hafen", false}, {"is hafen now", "hafen", true}, {"is now: hafen", "hafen", true},
		{"has been changed to hafen", "hafen", true},
		{"for the staging database is hafen", "hafen", true}, {"für den Drucker lautet hafen", "hafen", true},
		{"of kim: hafen", "hafen", true}, {"starts with hafen", "hafen", true}, {"string = hafen", "hafen", false},
		{"set with hafen", "with", true}, {"for hafen", "for", false}, {"for bugs closes: hafen", "for", false},
		{"is\nhafen", "is", false},
	} {
		a, ok := Assignment{MaxLength: scan.MaxValue}.WithoutSeparator(c.text, 0)
		if got := c.text[a.Start:a.End]; !ok || got != c.want || a.AfterVerb != c.verb {
			t.Errorf("%q: %v, %q, after a verb %v", c.text, ok, got, a.AfterVerb)
		}
	}
}

func TestAValueIsFollowedToItsLimit(t *testing.T) {
	for _, open := range []string{`"`, "'", "`", "", `"""`, `\"`, "&quot;"} {
		text := open + strings.Repeat("x", 3*scan.MaxValue)
		for _, most := range []int{1, 64, scan.MaxValue} {
			a, ok := Assignment{Sep: Equals, MaxLength: most}.Value(text, 0)
			if !ok || a.Start != len(open) || a.End-a.Start != most {
				t.Errorf("%q, up to %d: %v, [%d, %d)", open, most, ok, a.Start, a.End)
			}
		}
	}
}

func TestALiteralEndsWithItsOwnQuote(t *testing.T) {
	for _, c := range []struct {
		text    string
		quote   byte
		escapes int
		want    string
	}{
		{`ab" c`, '"', 0, "ab"}, {`a\"b" c`, '"', 0, `a\"b`}, {`a\\" c`, '"', 0, `a\\`}, {`a'b"`, '"', 0, "a'b"}, {`ab`,
			'"', 0, "ab"},
		{``, '"', 0, ""}, {"ab\ncd\"", '"', 0, "ab"}, {"ab\ncd`", '`', 0, "ab\ncd"}, {`ab\" c`, '"', 1, "ab"},
		{`a\\\"b\" c`, '"', 1, `a\\\"b`}, {"ab&quot;c", '&', 0, "ab"}, {`a&quot;b"`, '"', 0, "a&quot;b"}, {"a&b&#34;c", '&', 0, "a&b"}, {"é\xff\"", '"', 0,
			"é\xff"},
	} {
		if end := ClosingQuote(c.text, 0, c.quote, c.escapes, 256); c.text[:end] != c.want {
			t.Errorf("%q, %q with %d escapes: %q, want %q", c.text, c.quote, c.escapes, c.text[:end], c.want)
		}
	}
	if end := ClosingQuote(`"abcdefgh"`, 1, '"', 0, 4); end != 5 {
		t.Errorf("no further than four bytes: %d", end)
	}
}

// TestANameIsReadToBothSides asks for the name around the sign ^.
func TestANameIsReadToBothSides(t *testing.T) {
	for text, want := range map[string]string{
		"pass^word=1": "password", "^": "", "my.db^_pass word": "my.db_pass", "--db-pass^": "db-pass",
		"db.pass^.x": "db.pass",
		`\ndb^_pass`: "db_pass", `\tpass^`: "pass", `C:\new^`: "ew", // an escape, whatever was meant
		`\pass^`: "pass", "newest^": "newest", `\^new`: "new",
		"ключ^": "", "é_pa^ss": "_pass", "a b^c d": "bc", "..pass^": "pass", "x\x00pa^ss": "pass",
		strings.Repeat("a", 300) + "^" + strings.Repeat("b", 300): strings.Repeat("a", scan.MaxName) + strings.Repeat("b",
			scan.MaxName),
	} {
		at := strings.IndexByte(text, '^')
		text = strings.Replace(text, "^", "", 1)
		if from, to := NameAt(text, at); text[from:to] != want {
			t.Errorf("%.40q at %d: %q, want %q", text, at, text[from:to], want)
		}
	}
}

func TestWhatIsSkippedBehindAName(t *testing.T) {
	skipped := func(skip func(text string, i int) int) func(text string) string {
		return func(text string) string { return text[:skip(text, 0)] }
	}
	for _, c := range []struct {
		name string
		skip func(text string) string
		want map[string]string
	}{
		{"blanks", skipped(SkipBlanks), map[string]string{"": "", " \t x": " \t ", "\n": "", strings.Repeat(" ",
			99): strings.Repeat(" ", scan.MaxBlank)}},
		{"what closes a name", skipped(SkipClosers), map[string]string{`"`: `"`, `\" x`: `\"`, "'] =": "']", "** x": "**",
			"&quot;:": "&quot;",
			"&amp;":   "", ")": "", `\n`: "", "`": "`", "": "", `x"`: "", `\`: "", strings.Repeat(`"`, 20): strings.Repeat(`"`,
				8)}},
		{"a type", func(text string) string {
			if at, ok := SkipType(text, 0); ok {
				return text[:at]
			}
			return "none"
		}, map[string]string{"string = x": "string =", "[]byte := x": "[]byte :=", "As String = x": "As String =",
			"Optional[str] =": "Optional[str] =", "&str =": "&str =", "&'a str =": "&'a str =", "[u8; 16] =": "[u8; 16] =",
			"Ref<string> = x": "none", "Annotated[str, Form()] = x": "none",
			"std::string::String =": "std::string::String =",
			"<name> the = x":        "none", "a & b = x": "none", "a: b = x": "none", "it's b = x": "none", "a, b = x": "none",
			"*T  =": "*T  =", "string": "none", "string == x": "none", "= x": "none", "string=x": "none",
			"f( = x": "none",
			"":       "none"}},
	} {
		for text, want := range c.want {
			if got := c.skip(text); got != want {
				t.Errorf("%s, %.20q: %q, want %q", c.name, text, got, want)
			}
		}
	}
}

func TestFieldsAreWhatIsBetweenBlanks(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a\tbc\r\n d ", "é \xff x", strings.Repeat("ab ", 500)} {
		var got []string
		for _, f := range FieldSpans(text, 0, len(text)) {
			got = append(got, text[f[0]:f[1]])
		}
		if !slices.Equal(got, strings.Fields(text)) {
			t.Errorf("%.20q: %q", text, got)
		}
	}
	for range EachField("a b c", 0, 5) {
		break // a caller may stop
	}
	if got := FieldSpans("ab cd ef", 1, 7); !slices.Equal(got, [][2]int{{1, 2}, {3, 5}, {6, 7}}) {
		t.Errorf("of a part: %v", got)
	}
}

func TestTheRuleOfAValueSaysWhetherItIsAPassword(t *testing.T) {
	for k, want := range map[value.Strength]string{value.PasswordKey: scan.RulePassword, value.TokenKey: scan.RuleSecret,
		value.WeakKey: scan.RuleSecret} {
		if got := RuleOf(k); got != want {
			t.Errorf("%d: %s", k, got)
		}
	}
}
