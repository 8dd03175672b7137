package privacy

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"

	"keepmum/longtest"
)

func TestAUserPatternRunsOnEveryField(t *testing.T) {
	g := newGate(t, Options{Patterns: []Pattern{{Name: "Employee Number", Regex: `\bEMP-\d{4}\b`}, {Name: "ticket",
		Regex: `(?i)ticket (?<secret>[a-z]+)`, Keywords: []string{"Ticket"}}}})
	c := g.Event(Raw{Tool: "T", Input: map[string]any{"EMP-1234": "x EMP-1234"}, Output: []any{"EMP-1234 ünï EMP-9999"},
		Fields: map[string]string{"branch": "fix/EMP-1234", "text": "TICKET abc"}})
	all := c.Input.JSON().String() + c.Output.JSON().String() + c.Fields["branch"].String() + c.Fields["text"].String()
	if strings.Contains(all, "EMP-") || strings.Contains(all, "abc") {
		t.Error(all)
	}
	if n := strings.Count(all, "[REDACTED:employee-number#"); n != 5 {
		t.Errorf("%d placeholders in %s", n, all)
	}
	if !strings.Contains(c.Fields["text"].String(), "TICKET [REDACTED:ticket#") {
		t.Errorf("only the group should go: %s", c.Fields["text"])
	}
}

func TestPatternsRunInEveryModeButNone(t *testing.T) {
	for mode, want := range map[Mode]bool{ModeSafe: true, ModeStrict: true, ModeFlexible: true, ModeNone: false} {
		g := newGate(t, Options{Mode: mode, Patterns: []Pattern{{Name: "emp", Regex: `EMP-\d+`}}})
		got, _ := g.Text("EMP-1234")
		if gone := !strings.Contains(got.String(), "EMP-1234"); gone != want {
			t.Errorf("%s: taken out is %v", mode, gone)
		}
	}
}

func TestABadPatternIsRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, regex, want string }{
		{"broken", `(a`, "not a valid regular expression"},
		{"slow", `^(a+)+$`, "too slow"},
		{"slow words", `(\w+\s?)*!!!`, "too slow"},
		{"empty", ``, "empty"},
		{"ä", `x`, "letters or digits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "slow words" {
				longtest.Only(t) // as slow as the other one
			}
			_, err := New(Options{Patterns: []Pattern{{Name: c.name, Regex: c.regex}}})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := New(Options{Patterns: []Pattern{{Name: "a b", Regex: "x"}, {Name: "a-b", Regex: "y"}}}); err == nil {
		t.Error("two patterns of one name")
	}
}

func TestAPatternOutOfTimeWithholdsTheField(t *testing.T) {
	g := newGate(t, Options{Patterns: []Pattern{{Name: "emp", Regex: `EMP-\d+`}}})
	g.patterns.timeout = -1 // nothing is in time
	c := g.Event(Raw{Tool: "T", Fields: map[string]string{"text": "EMP-1", "branch": "main"}})
	if got := c.Fields["text"].String(); got != "[WITHHELD:pattern-timeout]" {
		t.Error(got)
	}
	if c.Fields["branch"].String() != "main" {
		t.Errorf("a field without a match is %q", c.Fields["branch"])
	}
	if _, err := g.patterns.spans("EMP-1"); !errors.Is(err, errPatternTimeout) {
		t.Error(err)
	}
}

func TestOnlyTheGroupOfAPatternIsTaken(t *testing.T) {
	p, err := newPatterns([]Pattern{{Name: "My Key", Regex: `key=(?<secret>\w+)`, Keywords: []string{"KEY="}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"a key=blue b": "blue", "no such name": "", "": "", "key=": ""} {
		spans, err := p.spans(text)
		got := ""
		for _, s := range spans {
			got += text[s.Start:s.End]
		}
		if got != want || err != nil || len(spans) > 0 && spans[0].Rule != "my-key" {
			t.Errorf("%q: %+v %v", text, spans, err)
		}
	}
}

func FuzzPatternOffsetsAreBytes(f *testing.F) {
	f.Add("a ünï EMP-1 \xff EMP-22")
	p, err := newPatterns([]Pattern{{Name: "emp", Regex: `EMP-[0-9]+`}}, 0)
	if err != nil {
		f.Fatal(err)
	}
	p.timeout = floodTimeout * 40
	f.Fuzz(func(t *testing.T, text string) {
		spans, err := p.spans(text)
		if err != nil {
			t.Skip()
		}
		for _, s := range spans {
			if v := text[s.Start:s.End]; !strings.HasPrefix(v, "EMP-") {
				t.Fatalf("%q is not a match", v)
			}
		}
		if n := strings.Count(text, "EMP-1"); len(spans) < n {
			t.Fatalf("%d matches, %d expected at least", len(spans), n)
		}
	})
}

func TestPatternsThatAreSlowTogetherAreRefusedWhereThereIsALimit(t *testing.T) {
	list := []Pattern{{Name: "one", Regex: "x1[a-z]{100,1000}"}, {Name: "two", Regex: "x2[a-z]{100,1000}"}}
	if _, err := newPatterns(list, 1); !errors.Is(err, ErrSlowPatterns) {
		t.Errorf("in a nanosecond: %v", err)
	}
	for _, trial := range []time.Duration{0, -1} {
		if p, err := newPatterns(list, trial); err != nil || len(p.list) != 2 {
			t.Errorf("trial %d: %v", trial, err)
		}
	}
}

// A machine that is busy with something else makes no pattern too slow: a try counts when the
// pattern had the processor for as long as it may.
func TestABusyMachineIsNoPatternsFault(t *testing.T) {
	const allowed = time.Millisecond
	re, text := regexp2.MustCompile(`^(a+)+$`), strings.Repeat("a", 64)+"!"
	for busy := range longtest.Size(2, 3) {
		tries, had := 0, time.Duration(0)
		cpu := func() time.Duration { // asked before each try and after it
			tries++
			if tries == 2*busy+2 {
				had += allowed
			}
			return had
		}
		if spent, err := timed(re, text, allowed, cpu); err == nil || spent != allowed || tries != 2*busy+2 {
			t.Errorf("%d times busy: %s spent, %d questions, %v", busy, spent, tries, err)
		}
	}
}
