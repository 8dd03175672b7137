package memory_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"keepmum/memory"
)

func parseRules(t *testing.T, text string) *memory.RulesFile {
	t.Helper()
	f, err := memory.ParseRules(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return f
}

// TestRulesAreTakenOutByteForByte from any file, however often rules were written and whatever they were.
func TestRulesAreTakenOutByteForByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"# Rules", "\n", "\r\n", "text", "\n\n", "<!-- a -->", " ", "\t- x", "---", "日本語"}
	rules := []string{"- a: One", "- b: Two", "- Three", "- c/d: Four"}
	for range 500 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		was, now := b.String(), b.String()
		for range 1 + r.IntN(3) {
			now = parseRules(t, now).With(rules[:r.IntN(len(rules)+1)], "head\n", was != "")
		}
		got, gone := parseRules(t, now).Without("head\n")
		if gone {
			got = ""
		}
		if got != was || gone != (was == "") {
			t.Fatalf("%q became %q over\n%s", was, got, now)
		}
	}
}

func TestWhatIsChangedByHandBetweenTheMarkersIsKept(t *testing.T) {
	text := parseRules(t, "# Mine\n").With([]string{"- One", "- Two", "- Three"}, "", true)
	text = strings.Replace(text, "- Two\n", "- Two, but only in March\n", 1)
	text = strings.Replace(text, "- Three\n", "", 1)
	f := parseRules(t, text)
	if hand := f.ByHand(); len(hand) != 1 || hand[0].Text != "- Two, but only in March" || hand[0].No != 5 {
		t.Errorf("%+v in\n%s", hand, text)
	}
	for range 2 { // and it stays
		text = parseRules(t, text).With([]string{"- One", "- Two", "- Three", "- Four"}, "", true)
	}
	lines := strings.Split(text, "\n")
	if got := strings.Join(lines[3:len(lines)-2], "|"); got != "- One|- Four|- Two, but only in March" {
		t.Errorf("got %s", got)
	}
	if got, gone := parseRules(t, text).Without(""); gone || got != "# Mine\n\n- Two, but only in March\n" {
		t.Errorf("without: %q", got)
	}
}

func TestMarkersThatWereCutAreRefused(t *testing.T) {
	whole := parseRules(t, "# Mine\n").With([]string{"- One", "- Two"}, "", true)
	begin := strings.Index(whole, "<!-- mum:rules")
	end := strings.LastIndex(whole, "<!-- mum:rules")
	for name, text := range map[string]string{
		"no end":          whole[:end],
		"half of the end": whole[:end+18],
		"no beginning":    whole[end:],
		"half of it":      whole[:begin] + whole[begin+30:],
		"its own half":    whole[:begin+40] + whole[strings.Index(whole, "\n- One"):],
		"two of them":     whole + whole,
		"no numbers":      strings.Replace(whole, "gap=1", "gap=x", 1),
	} {
		var wrong *memory.ErrMarkers
		if _, err := memory.ParseRules(text); !errors.As(err, &wrong) || wrong.Line == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
