package recall

import (
	"slices"
	"strings"
	"testing"

	"keepmum/store"
)

// A patch changes several files, each named once. One that failed is settled when all its files are changed.
func TestThePatchesOfASession(t *testing.T) {
	patch := func(files string, failed bool) store.Line {
		return store.Line{Type: store.KindObservation, Tool: "apply_patch", Title: "apply_patch " + files, Failed: failed}
	}
	for _, c := range []struct {
		name   string
		lines  []store.Line
		edits  []string
		failed string
	}{
		{"several files", []store.Line{patch("a.go, b.go", false), patch("b.go", false)}, []string{"a.go", "b.go"}, ""},
		{"one file is open", []store.Line{patch("a.go, b.go", true), patch("a.go", false)}, []string{"a.go"},
			"apply_patch a.go, b.go"},
		{"all are changed", []store.Line{patch("a.go, b.go", true), patch("b.go", false), patch("a.go", false)},
			[]string{"b.go", "a.go"}, ""},
		{"a command", []store.Line{{Type: store.KindObservation, Tool: "Bash", Title: "Bash make", Failed: true},
			patch("a.go", false)}, []string{"a.go"}, "Bash make"},
		{"an edit by another tool", []store.Line{{Type: store.KindObservation, Tool: "Edit", Title: "Edit a, b.go",
			Failed: true}, {Type: store.KindObservation, Tool: "Write", Title: "Write a, b.go"}}, []string{"a, b.go"}, ""},
	} {
		d := digestOf(c.lines)
		failed := ""
		if d.failed != nil {
			failed = d.failed.Title
		}
		if !slices.Equal(d.edits, c.edits) || failed != c.failed {
			t.Errorf("%s: edits %q, failed %q", c.name, d.edits, failed)
		}
	}
}

// chat is a session in a short form: "> " a prompt, "+ " an edit, "! " another tool, and the rest answers.
func chat(all ...string) (lines []store.Line) {
	for i, text := range all {
		l := store.Line{ID: int64(i + 1), Type: store.KindPrompt, Role: string(store.RoleAssistant), Text: text}
		switch kind, rest, _ := strings.Cut(text, " "); kind {
		case ">":
			l.Role, l.Text = string(store.RoleUser), rest
		case "+":
			l = store.Line{ID: l.ID, Type: store.KindObservation, Tool: "Edit", Title: "Edit " + rest}
		case "!":
			l = store.Line{ID: l.ID, Type: store.KindObservation, Tool: "Bash", Title: "Bash " + rest}
		}
		lines = append(lines, l)
	}
	return lines
}

func TestAnAnswerToSomethingElseIsNotTheTasks(t *testing.T) {
	const (
		csv     = "> Implement the CSV export for the invoices with all VAT columns"
		csvDone = "The CSV export of the invoices has all VAT columns now."
		imprint = "The imprint link points to /imprint."
		coupons = "> Delete the unused table of coupons"
	)
	for name, c := range map[string]struct {
		lines        []store.Line
		task, answer int64
		work         int
	}{
		"a short request with an edit": {chat(csv, "+ csv.go", csvDone, "> update the footer", "+ footer.html",
			"The footer shows the address; the imprint link is missing. Next: ask legal."), 4, 6, 1},
		"and what goes on with it": {chat(csv, csvDone, "> update the footer", "+ footer.html",
			"The footer shows the address.", "> go on", imprint), 3, 7, 1},
		"a short request without an edit": {chat(csv, csvDone, "> check the footer", "The footer is fine as it is now.",
			"> go on", imprint), 1, 2, 0},
		"praise in two words": {chat(csv, "I begin with the columns of the VAT.", "> looks nice", "+ csv.go", csvDone), 1, 2, 1},
		"a command":           {chat(csv, csvDone, "> /fix footer", "+ footer.html", "The footer is fixed now."), 1, 2, 1},
		"a private prompt":    {chat(csv, csvDone, imprint), 1, 2, 0},
		"back to the task": {chat(coupons, "Shall I really delete the table?", "> what is in a.txt?",
			"a.txt holds the letter a, nothing else at all.", "> yes, do it", "The coupons table is deleted for good."), 1, 6, 0},
		"the agent goes on": {chat(csv, "I look at the importer first.", "! make", "Done, all 14 tests are green."), 1, 4, 1},
		"twice":             {chat(csv, csvDone, "The VAT columns are in the order of the invoices now."), 1, 3, 0},
		"an answer first":   {chat("Good morning to you.", "The tests are green today, all 14."), 0, 2, 0},
	} {
		d := digestOf(c.lines)
		var task, answer int64
		if d.task != nil {
			task = d.task.ID
		}
		if d.answer != nil {
			answer = d.answer.ID
		}
		if task != c.task || answer != c.answer || len(d.work) != c.work {
			t.Errorf("%s: task %d, answer %d, work %v", name, task, answer, d.work)
		}
	}
}
