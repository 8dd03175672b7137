package scan

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"keepmum/privacy/rules"
)

// plainSet is a set of rules without readers: only the tokens of vendors are found.
func plainSet(t testing.TB) *RuleSet {
	t.Helper()
	nothing := func(*Scanner) {}
	set, err := NewRuleSet(Readers{
		First: nothing, Last: nothing,
		Unwrap: func(string) (string, func([]Span) []Span, bool) { return "", nil, false },
		Value: func(text string, name int) (int, bool) {
			at := strings.IndexByte(text[name:], '=') + 1
			return name + at, at > 0 && at < MaxBlank
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Whoever fits the judge again has other rules: what is stored is offered to them once more.
func TestTheVersionFollowsTheModel(t *testing.T) {
	versions := map[string]bool{}
	for _, model := range []string{"", "bias 1", "bias 2"} {
		set, err := NewRuleSet(Readers{Model: model})
		if err != nil {
			t.Fatal(err)
		}
		versions[set.Version] = true
	}
	if len(versions) != 3 {
		t.Errorf("three models have %d versions", len(versions))
	}
}

// ghToken is made up, and has the form of a GitHub token.
const ghToken = "ghp_x7Qm2Lw9Rt4Zp1Vb6Nc3Ks8Jd5Hf0Gy2Ua4E"

func TestAVendorsTokenIsFoundWhereItStandsAlone(t *testing.T) {
	set := plainSet(t)
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"alone", ghToken, true},
		{"in a sentence", "the token is " + ghToken + ".", true},
		{"in quotes", `"` + ghToken + `"`, true},
		{"in an assignment", "GH=" + ghToken, true},
		{"behind an escape", `a\n` + ghToken, true},
		{"in a URL", "https://" + ghToken + "@github.com/x", true},
		{"in the name of a tool", "mcp__depot__" + ghToken, true},
		{"at the end of a cut text", "x " + ghToken[:30] + "...", true},
		{"at the end of a short text", "x " + ghToken[:30], true},
		{"before a mark of a cut", "x " + ghToken[:30] + "[CUT:12 bytes]", true},
		{"another's public key at the end", "key pk_live_Rruu2wOYFyLH7QCVUCgBYixM", false},
		{"one that starts alike, cut", "key pk_004761_7J7QUCJEVLS4JAIB", true},
		{"a placeholder", "ghp_" + strings.Repeat("x", 36), false},
		{"only its start", "ghp_", false},
		{"another prefix", strings.Replace(ghToken, "ghp", "ghq", 1), false},
		{"with blanks", strings.Replace(ghToken, "Lw9", " ", 1), false},
		{"nothing", "", false},
		{"NULs", strings.Repeat("\x00", 300), false},
		{"invalid UTF-8", strings.Repeat("\xff", 300), false},
	} {
		spans := set.Read(c.text, Options{})
		if got := len(spans) > 0; got != c.want {
			t.Errorf("%s: %+v", c.name, spans)
		}
		for _, s := range spans {
			if s.Start < 0 || s.End > len(c.text) || s.Start >= s.End {
				t.Errorf("%s: %+v in %d bytes", c.name, s, len(c.text))
			}
		}
	}
}

func TestATokenIsFoundWhereverItIsInALongText(t *testing.T) {
	set := plainSet(t)
	for _, before := range []int{0, 1, 7, 255, 256, 4095, 4096, 16384, 70000} {
		text := strings.Repeat("word ", before/5) + strings.Repeat(" ", before%5+1) + ghToken + strings.Repeat(" more", 100)
		spans := Merge(set.Read(text, Options{}))
		if len(spans) != 1 || spans[0].In(text) != ghToken {
			t.Errorf("behind %d bytes: %+v", before, spans)
		}
	}
}

func TestAScannerRemembersNothingOfTheTextBefore(t *testing.T) {
	set := plainSet(t)
	texts := []string{ghToken, "nothing here", "x " + ghToken + " y", "", strings.Repeat("ghp_ ", 3000), "a " + ghToken}
	var first [][]Span
	for _, text := range texts {
		first = append(first, slices.Clone(set.Read(text, Options{})))
	}
	for n := len(texts) - 1; n >= 0; n-- {
		if got := set.Read(texts[n], Options{}); !slices.Equal(got, first[n]) {
			t.Errorf("%.20q: %+v, then %+v", texts[n], first[n], got)
		}
	}
}

func TestPlaceholdersOfTheGate(t *testing.T) {
	for text, want := range map[string]int{
		"[REDACTED:github-pat#3f9a] rest": len("[REDACTED:github-pat#3f9a]"), "[REDACTED:private]": len("[REDACTED:private]"),
		"[WITHHELD:timeout]": len("[WITHHELD:timeout]"), "[EXCLUDED:path]": len("[EXCLUDED:path]"),
		"[CUT:12 bytes]": len("[CUT:12 bytes]"), "[REDACTED:github-pat]": 0, "[REDACTED:github-pat#3F9A]": 0,
		"[REDACTED:github-pat#3f9]": 0, "[REDACTED:-x#3f9a]": 0, "[REDACTED:a#3f9a]": 0, "[REDACTED:x y#3f9a]": 0,
		"[REDACTED:" + strings.Repeat("a", 49) + "#3f9a]": 0, "[WITHHELD:]": 0, "[WITHHELD:a1]": 0, "[CUT: bytes]": 0,
		"[CUT:12]": 0, "[CUT:1234567890123 bytes]": 0, "[OTHER:path]": 0, "[REDACTED:private": 0, "": 0, "[": 0, "]": 0,
		"x[EXCLUDED:path]":     0,
		"[REDACTED\n:private]": 0, "[EXCLUDED:" + strings.Repeat("a", 100) + "]": 0,
	} {
		if got := PlaceholderLength(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if PlaceholderLength(text) > 0 && !MayHaveMarks(text) {
			t.Errorf("%q has a mark, and a quick look says that it has none", text)
		}
	}
}

func TestALineThatContinuesAToken(t *testing.T) {
	for line, want := range map[string]bool{
		"x7Qm2Lw9Rt4Zp1\nmore": true, "x7Qm2Lw9Rt4Zp1": true, "x7Qm2Lw9Rt4Zp1\r\n": true, "aGVsbG8gd29ybGQh1==": true,
		"3f9a8b7c":            true,
		"x7Qm2Lw9Rt4Zp1 more": false, "word": false, "a longer line": false, "x=7Qm2Lw9Rt": false, "key: value": false,
		"-7Qm2Lw9Rt": false,
		"#7Qm2Lw9Rt": false, `"x7Qm2Lw9"`: false, "f(x7Qm2)": false, "12345678": false, "abc": false, "": false,
		"é7Qm2Lw9Rt":        false,
		"SomeLongClassName": false, strings.Repeat("a1", 400): false,
	} {
		if got := Continues(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestWhereATokenMayStart(t *testing.T) {
	const body = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY" // no words
	for _, c := range []struct {
		before string
		want   bool
	}{
		{"", true}, {" ", true}, {`"`, true}, {"=", true}, {"/", true}, {"a", false}, {"9", false}, {"_", false}, {`\n`,
			true}, {`\t`, true},
		{`\x`, false}, {"n", false}, {"+", true}, {"a/", true}, {body + "/", false}, {body + "+", false}, {"-" + body[:20] +
			"/", true},
	} {
		if got := FreeBefore(c.before+ghToken, len(c.before)); got != c.want {
			t.Errorf("behind %q: %v", c.before, got)
		}
	}
}

func TestCuesAreWordsOfALanguage(t *testing.T) {
	for _, c := range []struct {
		text, word string
		of         CueOf
		want       string
	}{
		{"my password is", "password", CuePassword, "password"},
		{"my passwords are", "password", CuePassword, "passwords"},
		{"db_password is", "password", CuePassword, "password"},
		{"the user is", "user", CueAccount, "user"},
		{"user_id is", "user", CueAccount, ""},
		{"getUser is", "User", CueAccount, ""},
		{"s.user is", "user", CueAccount, ""},
		{"user(x)", "user", CueAccount, ""},
		{"users2 are", "users", CueAccount, ""},
		{"the Benutzer ist", "enutzer", CueAccount, "Benutzer"},
	} {
		s := NewScanner()
		s.Text = c.text
		at := strings.Index(c.text, c.word)
		Cued(s, c.of, at, at+len(c.word))
		got := ""
		for _, cue := range s.Cues {
			got = c.text[cue.Start:cue.End]
		}
		if got != c.want {
			t.Errorf("%q: cue %q, want %q", c.text, got, c.want)
		}
	}
}

func TestManyValuesAreFoundLikeFew(t *testing.T) {
	check := func(seed []uint8) bool {
		values, text := map[string]string{}, "start "
		for n, b := range seed {
			v := strings.Repeat(string(rune('a'+b%5)), 3) + "-" + strings.Repeat(string(rune('a'+b/5%5)), 3+n%4)
			values[v] = "rule"
			text += v + []string{" ", "", "x"}[int(b)%3]
		}
		var want []Span
		for v, rule := range values {
			want = append(want, Occurrences(text, v, rule)...)
		}
		return slices.Equal(covered(text, NewFinder(values).In(text)), covered(text, want))
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// covered returns which bytes of a text are in spans.
func covered(text string, spans []Span) []bool {
	out := make([]bool, len(text))
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			out[i] = true
		}
	}
	return out
}

func TestMergingAndSubtractingKeepEveryByte(t *testing.T) {
	const text = "0123456789012345678901234567890123456789"
	check := func(a, b []uint8) bool {
		var spans []Span
		for _, x := range a {
			from := int(x) % len(text)
			spans = append(spans, Span{Start: from, End: min(len(text), from+int(x)/40), Rule: "r"})
		}
		before := covered(text, spans)
		merged := Merge(slices.Clone(spans))
		for i, s := range merged {
			if s.Start >= s.End || i > 0 && merged[i-1].End > s.Start {
				return false
			}
		}
		if !slices.Equal(covered(text, merged), before) || !slices.Equal(Merge(slices.Clone(merged)), merged) {
			return false
		}
		var holes [][2]int
		for at := 0; len(b) > 0; b = b[1:] {
			at += int(b[0]) % 7
			if end := at + 1 + int(b[0])%3; end <= len(text) {
				holes = append(holes, [2]int{at, end})
				at = end
			}
		}
		for _, h := range holes {
			for i := h[0]; i < h[1]; i++ {
				before[i] = false
			}
		}
		return slices.Equal(covered(text, Subtract(merged, holes)), before)
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

func TestOnlySpansAreReplaced(t *testing.T) {
	spans := []Span{{Start: 0, End: 2}, {Start: 5, End: 6}}
	if got := Replace("abcdefg", spans, func(s Span) string { return "<" + s.In("abcdefg") + ">" }); got != "<ab>cde<f>g" {
		t.Errorf("%q", got)
	}
	if got := Replace("abc", nil, nil); got != "abc" {
		t.Errorf("%q", got)
	}
}

func TestRunsOfBytesOfTokens(t *testing.T) {
	set := plainSet(t)
	for text, want := range map[string][]string{
		"a short line of words":                        nil,
		"x " + ghToken + " y":                          {ghToken},
		strings.Repeat("a", MinRun-1):                  nil,
		strings.Repeat("a", MinRun):                    {strings.Repeat("a", MinRun)},
		"\x00" + strings.Repeat("b", 40) + "\xff":      {strings.Repeat("b", 40)},
		strings.Repeat("c", 20) + " " + ghToken + "\n": {strings.Repeat("c", 20), ghToken},
	} {
		s := NewScanner()
		s.Set, s.Text = set, text
		FindRuns(s)
		var got []string
		for _, r := range s.Runs {
			got = append(got, text[r.From:r.To])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRepeatedTextIsJudgedAFewTimes(t *testing.T) {
	s := NewScanner()
	s.Set, s.Text = plainSet(t), strings.Repeat(strings.Repeat("-", 2*repeatReach)+"name=value ", 100)
	judged := 0
	for at := 0; ; {
		i := strings.Index(s.Text[at:], "name")
		if i < 0 {
			break
		}
		at += i + len("name")
		Once(s, at-len("name"), at, func() {
			judged++
			Add(s, at+1, at+1+len("value"), "r")
		})
	}
	if judged > 2*repeatSure || len(s.Spans) != 100 {
		t.Errorf("judged %d times, %d spans", judged, len(s.Spans))
	}
	for _, sp := range s.Spans {
		if s.Text[sp.Start:sp.End] != "value" {
			t.Fatalf("%+v is %q", sp, s.Text[sp.Start:sp.End])
		}
	}
}

func TestTheSameKeyMakesTheSameHash(t *testing.T) {
	a, b, c := NewMACs([]byte("k")), NewMACs([]byte("k")), NewMACs([]byte("other"))
	if first := a.Hex("v"); first != b.Hex("v") || first != a.Hex("v") {
		t.Error("one value has two hashes")
	}
	if a.Hex("v") == c.Hex("v") || a.Hex("v") == a.Hex("w") {
		t.Error("two values have one hash")
	}
}

// FuzzTokens checks that spans lie in the text, and that a token is found whatever is before it.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "ghp_", "a\x00b", "\xff\xfe", "AKIA", "xox", strings.Repeat("key ", 100),
		"-----BEGIN", ghToken} {
		f.Add(s)
	}
	set := plainSet(f)
	f.Fuzz(func(t *testing.T, before string) {
		text := before + " \n" + ghToken + "\n"
		found := false
		for _, s := range set.Read(text, Options{}) {
			if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
				t.Fatalf("%q: %+v", text, s)
			}
			found = found || s.Start <= len(before)+2 && s.End >= len(text)-1
		}
		if !found {
			t.Fatalf("%q: the token is not found", text)
		}
	})
}

func TestEveryRuleHasAWordThatTriggersIt(t *testing.T) {
	set := plainSet(t)
	triggered := map[*rules.Rule]bool{}
	for _, a := range set.Actions {
		for _, r := range a.Rules {
			triggered[r] = true
		}
	}
	for _, r := range set.Rules {
		if !triggered[r] {
			t.Errorf("no word triggers %s", r.ID)
		}
		if !set.IDs[r.ID] {
			t.Errorf("%s is no rule of the set", r.ID)
		}
	}
}
