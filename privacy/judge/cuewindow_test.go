package judge

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// reachOf returns the text that the cue PASS of a text reaches.
func reachOf(text string, of scan.CueOf) string {
	b := benchOf(text, map[string]scan.CueOf{"PASS": of})
	return text[b.windowStart(b.cues[0]):b.windowEnd(b.cues[0])]
}

func TestHowFarACueReaches(t *testing.T) {
	long := strings.Repeat("a moss ", 60)
	for _, c := range []struct {
		name, text string
		of         scan.CueOf
		want       string
	}{
		{"its line and the next three", "one\ntwo PASS x\n3\n4\n5\n6\n", scan.CuePassword, "two PASS x\n3\n4\n5"},
		{"one line less after an account", "one\ntwo PASS x\n3\n4\n5\n6\n", scan.CueAccount, "two PASS x\n3\n4"},
		{"up to an empty line", "one\ntwo PASS x\n3\n\n5\n6\n", scan.CueKey, "two PASS x\n3\n"},
		{"up to the end", "PASS x", scan.CuePassword, "PASS x"}, {"up to the last line", "PASS x\n", scan.CuePassword,
			"PASS x\n"},
		{"alone", "PASS", scan.CuePassword, "PASS"},
		{"what is below a heading", "# PASS\n\n3\n4\n5\n6\n7\n\n9\n", scan.CuePassword, "# PASS\n\n3\n4\n5\n6\n7\n"},
		{"two headings", "# PASS\n\n\n4\n", scan.CuePassword, "# PASS\n\n"},
		{"a word of entering", "one\ntwo PASS x\n3\n", scan.CueEnter, "two PASS x"},
	} {
		if got := reachOf(c.text, c.of); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for of, most := range map[scan.CueOf][2]int{scan.CuePassword: {reachBefore, reachBehind}, scan.CueEnter: {reachEnter,
		reachEnter}} {
		got := reachOf(long+"PASS "+long, of)
		before, behind, _ := strings.Cut(got, "PASS")
		if len(before) > most[0] || len(behind) < most[1] || len(behind) > most[1]+len("moss") ||
			!value.EndsWithAny(behind, " a", " moss") {
			t.Errorf("%d: %d bytes before, %d behind: %q", of, len(before), len(behind), behind)
		}
		if got = reachOf("PASS"+strings.Repeat("x", 4000), of); len(got) > len("PASS")+2*most[1] {
			t.Errorf("%d: a long word is followed for %d bytes", of, len(got))
		}
	}
}

func TestLinesThatAreHeadings(t *testing.T) {
	for text, want := range map[string]bool{
		"# PASS\nx": true, "the PASS:\nx": true, "the PASS\n\nx": true, "the PASS\nx": false, "# PASS": false,
		"PASS\n": false,
		"a PASS " + strings.Repeat("x", 43) + "\n\nx": true, "a PASS " + strings.Repeat("x", 44) + "\n\nx": false,
		"| a | PASS |\n| b | c |": true, "| a | PASS |\nb\n": false, "the PASS\n| b | c |": false, "| a PASS\n| b": true,
		"a,b,PASS\nc,d,e": true, "a,b,PASS\nc,d": false,
		"one\n# PASS\nx": true, "the PASS " + strings.Repeat("x ", 60) + ":\nx": false,
	} {
		b := benchOf(text, map[string]scan.CueOf{"PASS": scan.CuePassword})
		if got := b.heads(b.cues[0]); got != want {
			t.Errorf("%.50q: %v", text, got)
		}
	}
}

// TestWhatStandsAboveALine asks for the cues above the word HERE.
func TestWhatStandsAboveALine(t *testing.T) {
	for text, want := range map[string]string{
		"PASS of the harbour\nmoss\nHERE": "p", "USER\nPASS\nHERE": "a", "moss\nPASS\nHERE": "", "HERE": "", "PASS HERE": "",
		"# PASS\n\nHERE": "p", "# PASS\n\nmoss\nHERE": "p", "# PASS\n\nUSER\nHERE": "a", "PASS\n\nmoss\n\nHERE": "",
		"USER PASS\nHERE": "pa", "\n\nHERE": "", "PASS\n" + strings.Repeat("x\n", reachHead) + "HERE": "",
	} {
		b := benchOf(text, map[string]scan.CueOf{})
		for word, of := range map[string]scan.CueOf{"PASS": scan.CuePassword, "USER": scan.CueAccount} {
			if at := strings.Index(text, word); at >= 0 {
				b.cues = append(b.cues, scan.Cue{Start: at, End: at + len(word), Of: of})
			}
		}
		at := strings.Index(text, "HERE")
		b.line.find(text, at, at+len("HERE"))
		if got := b.line.above(b); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func TestARowOfABlockOfBase64(t *testing.T) {
	for text, want := range map[string]bool{
		"moss ^" + body + "\n" + body: true, body + "\n^" + body: true, "^" + body: false, "moss ^" + body + " moss": false,
		body + "\n^moss": false, "^" + body[:encodedLeast] + " " + body: true,
		"^" + body[:encodedLeast-1] + " " + body:  false,
		"^" + body + " " + body[:30] + "!" + body: false,
	} {
		phraseAt(t, func(b *scorer, i int) (int, int) {
			if got := b.inBlock(&candidate{at: i}); got != want {
				t.Errorf("%s: %v", text, got)
			}
			return 0, 0
		}, text)
	}
}

func TestACueShortlyBehind(t *testing.T) {
	for text, want := range map[string]int{
		"moss is the PASS": 0, "moss\nPASS": -1, "moss": -1, "PASS moss": -1, "moss" + strings.Repeat(" ",
			nearCue) + "PASS": 0,
		"moss" + strings.Repeat(" ", nearCue+1) + "PASS": -1, "mossPASS": 0,
	} {
		b := benchOf(text, map[string]scan.CueOf{"PASS": scan.CuePassword})
		if !strings.Contains(text, "PASS") {
			b.cues = nil
		}
		if got := b.cueBehind(strings.Index(text, "moss") + len("moss")); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
