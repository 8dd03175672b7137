package extract

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

// For any input, extraction terminates, is deterministic and yields little.
func FuzzExtract(f *testing.F) {
	for _, l := range load(f, "tuned")[:6] {
		var user, assistant strings.Builder
		for _, st := range l.Steps {
			switch st.Role {
			case "user":
				fmt.Fprintln(&user, st.Text)
			case "assistant":
				fmt.Fprintln(&assistant, st.Text)
			}
		}
		f.Add(user.String(), assistant.String(), "make test", "boom")
	}
	f.Add("no, `", "1. \n2) x", "", "\x00")
	f.Add("never\u2028 « \" always…", "```", "a\nb", "")
	f.Add("let's go with the second because it is simpler and we never",
		"There are two options. The first, or the second?", "x", "y")
	h, g := New(), testGate(f)
	f.Fuzz(func(t *testing.T, user, assistant, command, trouble string) {
		clean := func(s string) privacy.Clean { c, _ := g.Text(s); return c }
		s := Session{Steps: []Step{
			{Role: User, Text: clean(user)},
			{Role: Tool, Command: clean(command), Failed: true, Error: clean(trouble)},
			{Role: Assistant, Text: clean(assistant)},
			{Role: Tool, Edit: true, Files: []privacy.Clean{clean(command)}},
			{Role: Tool, Command: clean(command)},
			{Role: User, Text: clean(user)},
			{Role: Tool, Edit: true},
			{Role: User, Text: clean(assistant)},
		}}
		got := h.Extract(t.Context(), s, nil)
		if again := h.Extract(t.Context(), s, nil); !reflect.DeepEqual(got, again) {
			t.Errorf("not the same twice:\n%v\n%v", got, again)
		}
		if len(got.Candidates) > maxCandidates {
			t.Errorf("%d candidates", len(got.Candidates))
		}
		for _, c := range got.Candidates {
			checkForm(t, c)
		}
		if n := len(strings.Fields(got.Summary.Intent.String())); n > intentWords {
			t.Errorf("the intent has %d words", n)
		}
		for _, w := range windows(render(s), 300, 50) {
			if w.cost() > 310 {
				t.Errorf("a window of %d tokens", w.cost())
			}
		}
	})
}

func checkForm(t *testing.T, c memory.Candidate) {
	t.Helper()
	const bytesOfAWord = 4 * (maxWord + 4)
	if n := len(c.Title.String()); n == 0 || n > 2*titleWords*bytesOfAWord || strings.Contains(c.Title.String(), "\n") {
		t.Errorf("a title of %d bytes: %q", n, c.Title)
	}
	if len(c.Body.String()) > maxBody || len(c.Tags) > maxTags || !(c.Confidence >= 0.5 && c.Confidence <= 1) {
		t.Errorf("out of bounds: %+v", c)
	}
}
