package recall

import (
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

func TestTheMainRequestOfASession(t *testing.T) {
	const (
		export  = "> Implement the CSV export for the invoices with all VAT columns"
		done    = "The CSV export of the invoices has all VAT columns now."
		explain = "> where do the reminders of the invoices come from?"
	)
	for name, c := range map[string]struct {
		lines []store.Line
		task  int64
	}{
		"a commit after it": {chat(export, "= make", "+ csv.go", done, "> create a commit message, please",
			"= git diff", done), 1},
		"a push after it": {chat(export, "= make", done,
			"> ok saved, please commit and push this to main", "= a", "= b", "ok"), 1},
		"an installation": {chat(export, "+ csv.go", done, "> pnpm install the dependencies again",
			"= pnpm install"), 1},
		"a small thing after it": {chat(export, "+ a.go", "+ b.go", "= make", done,
			"> update the footer of the mails", "ok"), 1},
		"as much after it":    {chat(export, "+ a.go", done, "> update the footer of the mails", "+ b.go", "ok"), 4},
		"more after it":       {chat(explain, done, export, "+ a.go", done), 3},
		"a question after it": {chat(export, done, explain, "The reminders come from the nightly job."), 1},
		"only questions":      {chat(explain, done, explain, done), 3},
		"a commit that changes": {chat(export, done, "> commit the version bump of the package",
			"+ package.json", done), 3},
		"a command of the agent":    {chat("> /clear", export, done), 2},
		"nothing else":              {chat("> /clear", "Ready to help you."), 0},
		"a command with arguments":  {chat("> /compact keep the plan about the invoices"), 0},
		"a command of the user":     {chat("> /plan:feature export the invoices as CSV", done), 1},
		"a merge that is no errand": {chat("> merge the two parsers of the invoices", done, explain, done), 1},
	} {
		var task int64
		if d := digestOf(c.lines); d.task != nil {
			task = d.task.ID
		}
		if task != c.task {
			t.Errorf("%s: task %d, want %d", name, task, c.task)
		}
	}
}

func TestAFileOutsideTheProjectIsNotTold(t *testing.T) {
	d := digestOf(chat("> plan the export", "+ /home/me/.claude/plans/a.md", `+ C:\notes\a.md`, "+ ~/a.md", "+ csv.go"))
	if strings.Join(d.edits, " ") != "csv.go" {
		t.Errorf("told %q", d.edits)
	}
}

func TestWhatFailedCounts(t *testing.T) {
	fails := func(tool string) []store.Line {
		return append(chat("> check the export"), store.Line{ID: 2, Type: store.KindObservation, Tool: tool,
			Title: tool + " make test", Failed: true})
	}
	for tool, want := range map[string]bool{"Bash": true, "exec_command": true, "Grep": false,
		"mcp__browser__run": false, "ExitPlanMode": false} {
		if d := digestOf(fails(tool)); (d.failed != nil) != want {
			t.Errorf("%s counts: %v", tool, !want)
		}
	}
	later := append(fails("Bash"), chat("Two tests fail.",
		"> rename the parser of the invoices", "The parser has another name.")...)
	if d := digestOf(later); d.failed != nil {
		t.Error("a failure is told that was reported before the last request")
	}
}

func TestASessionThatLeftNothingIsNotToldAtAStart(t *testing.T) {
	work := chat("> Implement the CSV export for the invoices", "+ csv.go", "The export of the invoices is tested.")
	src := sessions{lines: map[int64][]store.Line{1: work,
		2: chat("> create a commit message for these", "feat: export the invoices")}}
	if got := started(t, 400, src); !strings.Contains(got, "is tested") || strings.Contains(got, "commit message") {
		t.Errorf("told %s", got)
	}
	question := digestOf(chat("> where do the reminders come from?", "They come from the nightly job."))
	if question.passing(time.Hour) || !question.passing(48*time.Hour) {
		t.Error("a question with its answer is told for a day")
	}
}
