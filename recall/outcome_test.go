package recall

import (
	"strings"
	"testing"

	"keepmum/store"
)

func TestWhatCameOfAnAnswer(t *testing.T) {
	long := strings.Repeat("The rows are read once. ", 50)
	for name, c := range map[string]struct{ answer, want string }{
		"narration": {"Let me check the parser first. The parser drops the last row. I'll fix it now.",
			"The parser drops the last row."},
		"only narration":     {"Good plan. Let me write it up and present it.", ""},
		"only code":          {"```go\nfunc export() {}\n```", ""},
		"a rule and a diff":  {"---\n+ const always = true;\n- const only = false;\n@@ -1 +1 @@", ""},
		"praise of the user": {"Great point! Let me extract the helper. You're absolutely right!", ""},
		"says nothing":       {"Done.", ""},
		"markdown": {"## Export of the invoices finished\n**Two columns** are new.\n\n| a | b |\n| - | - |",
			"Export of the invoices finished Two columns are new."},
		"announced code": {"The export works. This is how it is called:\n```sh\nmake export\n```", "The export works."},
		"an announced list": {"The export has two columns:\n- the tax\n- the total",
			"The export has two columns: the tax the total"},
		"a terminal":       {"me@host shop % make\nAll tests of the export pass.", "All tests of the export pass."},
		"the first, whole": {long, strings.TrimSpace(strings.Repeat("The rows are read once. ", 10))},
	} {
		if got := outcome(c.answer); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWhatIsNextBeginsASentenceOrSaysThatItIsOpen(t *testing.T) {
	for answer, want := range map[string]string{
		"The form is done. Next: remove the store.":                     "Next: remove the store.",
		"The form is done.\n## Next steps\n1. remove the store":         "Next steps: 1. remove the store",
		"The header still needs a test.":                                "The header still needs a test.",
		"Left to do: the notes of the release.":                         "Left to do: the notes of the release.",
		"For the next step of the review, staying here is better.":      "",
		"The command takes the next free number and adds a todo entry.": "",
		"Tokens that are not yet valid are refused by the middleware.":  "",
	} {
		if got := next(answer); got != want {
			t.Errorf("%q: next %q, want %q", answer, got, want)
		}
	}
}

func TestAnEarlierRequestIsToldWithoutAnAnswerThatSaysNothing(t *testing.T) {
	d := digest{before: request{task: &store.Line{ID: 3, Text: "price the berths by the metre"},
		answer: &store.Line{ID: 4, Text: "Let me read the tariff first."}}}
	if got, _ := d.others(); got != `; before that asked "price the berths by the metre" (3)` {
		t.Errorf("%s", got)
	}
	d.before.answer.Text = "Berths cost 4 euros a metre and night."
	if got, _ := d.others(); !strings.Contains(got, `, answered "Berths cost 4 euros a metre and night." (4)`) {
		t.Errorf("%s", got)
	}
}
