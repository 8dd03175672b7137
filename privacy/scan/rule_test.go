package scan

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/quick"

	"keepmum/privacy/rules"
)

// ruled is a set with one rule in the words of own.rules, for the given text.
func ruled(t testing.TB, rule string) *RuleSet {
	t.Helper()
	list, err := rules.ParseRules("rule quay-token\n" + rule + "\n")
	if err != nil {
		t.Fatalf("%q: %v", rule, err)
	}
	nothing := func(*Scanner) {}
	set := RuleSet{Rules: list, IDs: map[string]bool{}, scanners: &sync.Pool{New: func() any { return NewScanner() }}}
	set.Readers = Readers{First: nothing, Last: nothing, Value: func(text string, name int) (int, bool) {
		return name + 1, strings.HasPrefix(text[name:], "=")
	}, Unwrap: func(string) (string, func([]Span) []Span, bool) { return "", nil, false }}
	set.index()
	return &set
}

const quay = "x7Qm2Lw9Rt4Zp1Vb6Nc3" // the secret part of a made-up token

// TestEachLineOfARuleNarrowsIt has rules as docs/gate-rules.md describes them, and «» around what they find.
func TestEachLineOfARuleNarrowsIt(t *testing.T) {
	const start = "words quay_\nat start\nsize 25 25\nmatch quay_[0-9A-Za-z]{20}"
	for _, c := range []struct {
		rule  string
		texts []string
	}{
		{start, []string{"«quay_KEY»", "x «quay_KEY» y", "\"«quay_KEY»\"", "quay_ KEY", "quay_", "Quay_KEY"}},
		// its case counts
		{start, []string{"«quay_KEY9zz» x"}}, // without an edge nothing of a longer token may stay
		{start + "\nedge before", []string{"-«quay_KEY»", "xquay_KEY", `\n«quay_KEY»`, "mcp__«quay_KEY»"}},
		{start + "\nedge after", []string{"«quay_KEY»", "quay_KEY9", "«quay_KEY»-", "«quay_KEY».", "quay_KEY-9",
			"«quay_KEY»é"}},
		{start + "\nentropy 3.5", []string{"«quay_KEY»", "quay_a1a1b1b1a1a1b1b1a1a1"}},
		{start + "\nallow quay_x7.*", []string{"quay_KEY", "«quay_Vb6Nc3x7Qm2Lw9Rt4Zp1»"}},
		{"words quay_\nat start\nsize 25 40\nmatch quay_([0-9A-Za-z]{20})", []string{"quay_«KEY»"}},
		// the group is the token
		{"words quay\nat name\nsize 20 20\nmatch [0-9A-Za-z]{20}", []string{"quay=«KEY»", "QUAY=«KEY»", "quay KEY",
			"quAy=KEY", "quay="}},
		{"words quay\nat near\nsize 20 64\nmatch \\b[0-9A-Za-z]{20}\\b", []string{
			"quay and «KEY»", "«KEY» of the quay", "KEY", "quay" + strings.Repeat(" ", 2000) + "KEY"}},
		{"words quay\nat near\nedge before\nsize 20 64\nmatch x7[0-9A-Za-z]{18}", []string{"quay «KEY»", "quay yKEY"}},
		{"words quay\nat token\nsize 24 24\nmatch [0-9A-Za-z]{10}quay[0-9A-Za-z]{10}", []string{
			"«x7Qm2Lw9RtquayZp1Vb6Nc3K»", "x7Qm2Lw9Rt quayZp1Vb6Nc3K", "7Qm2Lw9RtquayZp1Vb6Nc3K"}},
	} {
		set := ruled(t, c.rule)
		for _, want := range c.texts {
			want = strings.ReplaceAll(want, "KEY", quay)
			text := strings.NewReplacer("«", "", "»", "").Replace(want)
			got := Replace(text, Merge(set.Read(text, Options{})), func(s Span) string { return "«" + s.In(text) + "»" })
			if got != want {
				t.Errorf("%q\ngot  %.200q\nwant %.200q", c.rule, got, want)
			}
		}
	}
}

// A word that repeats costs a rule no more than a few times the text.
func TestARuleReadsNoMoreThanItsBudget(t *testing.T) {
	set := ruled(t, "words quay_\nat start\nsize 25 100\nmatch quay_[0-9A-Za-z_]{20,95}Z")
	var spent int
	set.Readers.Last = func(s *Scanner) { spent = s.spent[set.Rules[0]] }
	for _, times := range []int{100, 10_000} {
		text := strings.Repeat("quay_", times)
		if set.Read(text, Options{}); spent > budget*len(text)+8192 {
			t.Errorf("%d bytes were read of %d", spent, len(text))
		}
	}
	const flood = 5000
	text := strings.Repeat("quay_", flood) + " quay_" + quay + "Z "
	if spans := set.Read(text, Options{}); len(spans) == 0 || spans[len(spans)-1].End != len(text)-1 {
		t.Errorf("behind a flood: %v", spans)
	}
}

func TestWhoTriggeredAFindingIsNamed(t *testing.T) {
	set := plainSet(t)
	set.Readers.Triggers = []Trigger{
		{Words: []string{"heron"}, IDs: []string{"bird"}, Run: func(s *Scanner, end int) { Add(s, end-5, end, "bird") }},
		{Words: []string{"heron", "moss"}, Run: func(s *Scanner, end int) { Add(s, end-1, end, "plant") }},
	}
	set.Readers.Last = func(s *Scanner) { Add(s, 0, 1, "whole") }
	set.Actions, set.texts, set.Lengths = nil, nil, nil
	set.index()
	got := set.Read("x HERON moss", Options{})
	want := []Span{{Start: 2, End: 7, Rule: "bird", Word: "heron"}, {Start: 6, End: 7, Rule: "plant", Word: "heron"},
		{Start: 11, End: 12, Rule: "plant", Word: "moss"}, {Start: 0, End: 1, Rule: "whole"}}
	if !slices.Equal(got, want) || !set.IDs["bird"] || set.IDs["plant"] {
		t.Errorf("got %+v", got)
	}
}

// What is read without its line numbers is found at the offsets of the text as it was, also by who watches.
func TestOffsetsAreThoseOfTheTextThatWasPassedIn(t *testing.T) {
	set := plainSet(t)
	const prefix = "  12\t"
	set.Readers.Unwrap = func(text string) (string, func([]Span) []Span, bool) {
		plain, ok := strings.CutPrefix(text, prefix)
		return plain, func(spans []Span) []Span {
			for i := range spans {
				spans[i].Start, spans[i].End = spans[i].Start+len(prefix), spans[i].End+len(prefix)
			}
			return spans
		}, ok
	}
	set.Readers.Last = func(s *Scanner) {
		if s.Watch != nil {
			s.Watch(Judged{Start: 0, End: len(s.Text)})
		}
	}
	text, seen := prefix+ghToken, Judged{}
	spans := Merge(set.Read(text, Options{Watch: func(j Judged) { seen = j }}))
	if len(spans) != 1 || spans[0].In(text) != ghToken || text[seen.Start:seen.End] != ghToken {
		t.Errorf("%+v, and [%d, %d) for who watches", spans, seen.Start, seen.End)
	}
}

func TestAPlaceholderIsTakenIfItsRuleExists(t *testing.T) {
	s := &Scanner{Set: plainSet(t)}
	for text, want := range map[string]bool{
		"[REDACTED:github-pat#3f9a]": true, PrivateMark: true, "[REDACTED:no-such-rule#3f9a]": false,
		"[WITHHELD:timeout]":       false,
		"[REDACTED:github-pat#3f9": false, "": false, "[": false, "x": false,
	} {
		if s.Text = text; Taken(s, 0) != map[bool]int{true: len(text)}[want] {
			t.Errorf("%q: %d bytes", text, Taken(s, 0))
		}
	}
	for mark, want := range map[string]string{"[REDACTED:github-pat#3f9a]": "github-pat", PrivateMark: "",
		"[CUT:1 bytes]": "", "": ""} {
		if rule, tagged := MarkRule(mark); tagged != (want != "") || tagged && rule != want {
			t.Errorf("%q names %q", mark, rule)
		}
	}
	if n := PlaceholderLength(Withheld("timeout")); n != len(Withheld("timeout")) {
		t.Errorf("%s is no placeholder", Withheld("timeout"))
	}
}

func TestLinesThatGoOnInADiff(t *testing.T) {
	for _, c := range []struct {
		kind Gutter
		line string
		want bool
	}{
		{Changed, " x", true}, {Changed, "-x", true}, {Changed, "@@ -1 +1 @@", true}, {Changed, `\ No newline`, true},
		{Changed, "", false}, {Changed, "x", false}, {Cited, " x", false}, {NoGutter, "-x", false},
	} {
		if got := c.kind.Belongs(c.line); got != c.want {
			t.Errorf("%d, %q: %v", c.kind, c.line, got)
		}
	}
}

// An automaton finds the same words as a search for each, wherever they overlap and however long the text is.
func TestTheAutomatonFindsEveryWord(t *testing.T) {
	words := []string{"a", "ab", "bab", "abba", "-key", "ключ", "\xff\x00", "aaaa"}
	a := NewAutomaton(words)
	found := func(seed []byte, times uint8) bool {
		text := strings.Map(func(r rune) rune { return []rune("ab-keyAB ключ")[r%13] }, string(seed))
		text = strings.Repeat(text+"\xff\x00", int(times)%60+1)
		got, want := map[[2]int]bool{}, map[[2]int]bool{}
		last := 0
		inOrder := true
		a.Each(text, &Endings{}, func(ids []int32, end int) {
			inOrder, last = inOrder && end > last, end
			for _, id := range ids {
				got[[2]int{int(id), end}] = true
			}
		})
		low := lowerASCII(text)
		for n, w := range words {
			for at := 0; at+len(w) <= len(low); at++ {
				if low[at:at+len(w)] == w {
					want[[2]int{n, at + len(w)}] = true
				}
			}
		}
		for k := range want {
			if !got[k] {
				return false
			}
		}
		return inOrder && len(got) == len(want)
	}
	if err := quick.Check(found, nil); err != nil {
		t.Error(err)
	}
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func TestRunsAreAskedForInOrder(t *testing.T) {
	s := &Scanner{Runs: []Stretch{{10, 30}, {50, 70}}}
	for _, c := range []struct {
		from, to int
		want     bool
	}{{0, 10, false}, {0, 11, true}, {29, 40, true}, {30, 50, false}, {30, 51, true}, {69, 80, true}, {70, 99, false}} {
		if got := RunNear(s, c.from, c.to); got != c.want {
			t.Errorf("[%d, %d): %v", c.from, c.to, got)
		}
	}
}
