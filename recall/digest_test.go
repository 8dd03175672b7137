package recall

import (
	"slices"
	"strings"
	"testing"
	"time"

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

// chat is a session in a short form: "> " a prompt, "# " one of a program, "+ " an edit, and the rest answers.
func chat(all ...string) (lines []store.Line) {
	for i, text := range all {
		l := store.Line{ID: int64(i + 1), Type: store.KindPrompt, Role: string(store.RoleAssistant), Text: text}
		switch kind, rest, _ := strings.Cut(text, " "); kind {
		case ">":
			l.Role, l.Text = string(store.RoleUser), rest
		case "#":
			l.Role, l.Text, l.Who = string(store.RoleUser), rest, "program"
		case "+":
			l = store.Line{ID: l.ID, Type: store.KindObservation, Tool: "Edit", Title: "Edit " + rest}
		}
		lines = append(lines, l)
	}
	return lines
}

func TestTheTaskAndTheLastAnswerOfASession(t *testing.T) {
	const (
		csv     = "> Implement the CSV export for the invoices with all VAT columns"
		csvDone = "The CSV export of the invoices has all VAT columns now. Next: add the totals row."
		imprint = "The imprint link points to /imprint."
		login   = "> Migrate the login form from Redux to Zustand"
		step    = "The login form uses Zustand. Next: remove the Redux store."
		all     = "Deleted all reducers, the header reads from hooks. Left to do: the release notes."
		slow    = "> Check why the orders endpoint got slow"
		begun   = "I started an agent in the background, which looks for it."
		found   = "Two queries have no index. Next: add the index."
	)
	for name, c := range map[string]struct {
		lines        []store.Line
		task, answer int64
		unsure       bool
	}{
		"a small request": {chat(csv, "+ csv.go", csvDone, "> fix typo", "+ README.md", "The typo in the README is fixed."),
			1, 3, false},
		"and what goes on with it": {chat(csv, csvDone, "> update the footer", "+ footer.html",
			"The footer shows the address.", "> go on", imprint), 1, 7, true},
		"a small request as part of it": {chat(login, "+ login.ts", step, "> fix the tests", "+ login_test.ts",
			"The tests of the login form pass."), 1, 3, false},
		"tests in between": {chat(login, step, "> run the tests", "All 43 pass.", "> continue", "+ store.ts",
			all), 1, 7, true},
		"a question in between": {chat(login, step, "> is jest ok?", "It is.", "> continue", "+ store.ts", all), 1, 7, true},
		"it goes on":            {chat(login, step, "> continue", "+ store.ts", all), 1, 5, false},
		"in the background":     {chat(slow, begun, "# Agent finished: two queries have no index", found), 1, 4, false},
		"two answers":           {chat(slow, begun, found), 1, 3, true},
		"praise in two words": {chat(csv, "I begin with the columns of the VAT.", "> looks nice", "+ csv.go",
			csvDone), 1, 2, false},
		"an answer first": {chat("Good morning to you.", "The tests are green today, all 14."), 0, 2, true},
	} {
		d := digestOf(c.lines)
		var task, answer int64
		if d.task != nil {
			task = d.task.ID
		}
		if d.answer != nil {
			answer = d.answer.ID
		}
		if task != c.task || answer != c.answer || d.unsure != c.unsure {
			t.Errorf("%s: task %d, answer %d, unsure %v", name, task, answer, d.unsure)
		}
	}
}

func TestAnAnswerThatMayBeToSomethingElseIsCalledTheLast(t *testing.T) {
	told := func(all ...string) string {
		w := newWriter(Ask{Tokens: 400, MaxEntries: 5, Now: time.UnixMilli(0)}, nil)
		w.session(store.SessionRow{Agent: "claude"}, digestOf(chat(all...)))
		return strings.Join(w.lines, "")
	}
	task, done := "> Implement the CSV export for the invoices", "The export of the invoices is finished and tested."
	if got := told(task, done); !strings.Contains(got, "; answered \"The export") {
		t.Error(got)
	}
	got := told(task, "> update the footer", "+ footer.html", "ok", "> go on", done)
	if !strings.Contains(got, "; last answered") {
		t.Error(got)
	}
}

func TestAnInterruptedRequestIsWorkAndAQuestionIsNot(t *testing.T) {
	for text, asks := range map[string]bool{
		"could you add a dark mode toggle to the settings page?":        false,
		"can you implement the export of the invoices as CSV, please?":  false,
		"kannst du bitte den Export der Rechnungen als CSV einbauen?":   false,
		"¿podrías añadir un botón de exportación a las facturas?":       false,
		"can you check why the orders endpoint got slow?":               false,
		"where is the file old/name.go?":                                true,
		"can you tell me where the export of the invoices is?":          true,
		"kannst du mir sagen, wo der Export der Rechnungen ist?":        true,
		"could you please explain the export of the invoices?":          true,
		"can you check whether the export of the invoices is finished?": true,
	} {
		d := digestOf(chat("> " + text))
		if d.onlyAsked() != asks {
			t.Errorf("%q only asks: %v", text, !asks)
		}
	}
}
