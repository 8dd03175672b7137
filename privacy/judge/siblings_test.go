package judge

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// A text may end within the second value, as output that was cut does.
func TestTheValuesOfOneNameMayEndWithTheText(t *testing.T) {
	for text, want := range map[string]int{
		`password: "violet77rhino" -> "tango88lynx"`:           1,
		`password: "violet77rhino" -> "tango88lynx`:            1,
		`password: "violet77rhino"`:                            0,
		`passwords: ["violet77rhino", "tango88lynx", "mole99x`: 2,
	} {
		s := &scan.Scanner{Text: text, Set: &scan.RuleSet{}}
		at := strings.Index(text, "violet")
		SameNameValues(s, Assignment{Start: at, End: at + len("violet77rhino")}, scan.RulePassword)
		if len(s.Spans) != want {
			t.Errorf("%s: %d values, want %d", text, len(s.Spans), want)
		}
	}
}
