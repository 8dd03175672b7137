package page

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBothTextsComeBackFromADiff checks that a comparison contains both texts: unchanged and deleted parts are the one,
// unchanged and inserted parts the other.
func TestBothTextsComeBackFromADiff(t *testing.T) {
	long := strings.Repeat("word ", 2*mostDiffed)
	for name, two := range map[string][2]string{
		"the same":     {"a b c", "a b c"},
		"from nothing": {"", "a b"},
		"to nothing":   {"a b", ""},
		"in between":   {"use blue ink here", "use black ink here"},
		"nothing left": {"one two", "three four"},
		"long":         {long, long + "more"},
	} {
		old, fresh := "", ""
		for _, c := range diffWords(two[0], two[1]) {
			if c.Kind != "ins" {
				old += c.Text
			}
			if c.Kind != "del" {
				fresh += c.Text
			}
		}
		if strings.Join(strings.Fields(old), " ") != strings.TrimSpace(two[0]) || fresh != two[1] {
			t.Errorf("%s: %q, %q", name, old, fresh)
		}
	}
}

func TestADiffSaysHowMuchIsAlike(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		least, most float64
	}{
		{"", "", 0, 0},
		{"a b c", "a b c", 1, 1},
		{"a b c", "d e f", 0, 0},
		{"write it in blue", "write it in black", 0.5, 0.9},
	} {
		if got := alike(diffWords(c.a, c.b)); got < c.least || got > c.most {
			t.Errorf("%q, %q: %.2f", c.a, c.b, got)
		}
	}
}

func TestAnEditIsShownAsWhatItChanged(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"one":     {`{"file_path":"a.go","old_string":"x\ny","new_string":"x\nz"}`, "x\n<del>y\n</del><ins>z\n</ins>"},
		"several": {`{"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`, "⋮"},
		"hostile": {`{"old_string":"<script>","new_string":"</ins><b>"}`, "<ins>&lt;/ins&gt;&lt;b&gt;\n</ins>"},
		"none":    {`{"command":"make"}`, ""},
		"no JSON": {`"text"`, ""},
		"a half":  {`{"old_string":"x"}`, ""},
	} {
		got := string(shownDiff(edited(json.RawMessage(c.input))))
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
