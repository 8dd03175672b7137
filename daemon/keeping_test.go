package daemon

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/store"
)

const (
	sayOld  = `{"session_id":"s1","project":"shop","text":"rotate the quokkapassage of the staging cluster","at":"2026-01-02T10:00:00Z"}`
	sayNew  = `{"session_id":"s2","project":"shop","text":"write the changelog of <b>March</b>","at":"2026-01-03T10:00:00Z"}`
	useTool = `{"session_id":"s1","project":"shop","tool_name":"Edit","tool_input":{"file_path":"/x/a.go","new":"a<b && \"q\"\n1"},"tool_output":{"ok":true,"n":1.50,"l":[1]},"at":"2026-01-02T10:00:05Z"}`
)

func TestAnExportOfAnImportIsTheSame(t *testing.T) {
	from := startRig(t, t.TempDir())
	for _, s := range [][2]string{{"/prompt", sayOld}, {"/observe", useTool}, {"/prompt", sayNew}} {
		if got := from.ask(t, "POST", s[0], s[1]); got.status != http.StatusOK {
			t.Fatalf("%s: %s", s[0], got.body)
		}
	}
	for _, format := range []string{"jsonl", "json"} {
		first := from.ask(t, "GET", "/export?format="+format, "").body
		to := startRig(t, t.TempDir())
		in := into[api.Imported](t, to.ask(t, "POST", "/import", first))
		if in.Documents < 3 || in.Sessions != 2 || in.Skipped+in.Duplicates+in.Cleaned != 0 {
			t.Errorf("%s: got %+v", format, in)
		}
		if again := into[api.Imported](t, to.ask(t, "POST", "/import", first)); again.Documents != 0 ||
			again.Duplicates != in.Documents {
			t.Errorf("%s: a second import gave %+v", format, again)
		}
		withoutSummaries := func(s string) string {
			var out []string
			for line := range strings.Lines(s) {
				if !strings.Contains(line, `"kind":"summary"`) { // those are made while we look
					out = append(out, line)
				}
			}
			return strings.Join(out, "")
		}
		if second := to.ask(t, "GET", "/export?format="+format,
			"").body; withoutSummaries(second) != withoutSummaries(first) {
			t.Errorf("%s: got\n%s\nwant\n%s", format, second, first)
		}
	}
}

func TestAnImportPassesTheGate(t *testing.T) {
	r := startRig(t, t.TempDir())
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	line := `{"kind":"prompt","agent":"claude","session":"s9","at":"2026-01-02T10:00:00Z","role":"user","text":"use ` +
		key + ` for it"}`
	in := into[api.Imported](t, r.ask(t, "POST", "/import", line+"\nnot a record\n"))
	if in.Documents != 1 || in.Cleaned != 1 || in.Skipped != 1 || len(in.Findings) == 0 ||
		!slices.Equal(in.Lines, []int{2}) {
		t.Errorf("got %+v", in)
	}
	if body := r.ask(t, "GET", "/export", "").body; strings.Contains(body, key) || !strings.Contains(body, "[REDACTED:") {
		t.Errorf("got %s", body)
	}
}

func TestAnImportNamesWhatItDoesNotKnow(t *testing.T) {
	r := startRig(t, t.TempDir())
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	const record = `{"kind":"%s","agent":"claude","session":"s9","at":"2026-01-02T10:00:00Z","text":"%s"}` + "\n"
	for name, line := range map[string]string{
		`kind is "dream"`: fmt.Sprintf(record, "dream", "hello"),
		`kind is "[RED`:   fmt.Sprintf(record, key, "hello"),
		`summary.scope is "year"`: `{"kind":"summary","agent":"claude","session":"s9","summary":{"scope":"year","type":"x",` +
			`"concepts":[],"provider":"x"}}` + "\n",
		`meta.aliases.kind is "dna"`: `{"kind":"session","agent":"claude","session":"s10","meta":{"project":"p",` +
			`"started":"2026-01-02T10:00:00Z","aliases":[{"kind":"dna","value":"x"}]}}` + "\n",
	} {
		before, after := fmt.Sprintf(record, "prompt", name[:4]), fmt.Sprintf(record, "prompt", "after")
		got := r.ask(t, "POST", "/import", before+line+after)
		if got.code() != api.Invalid || !strings.Contains(got.body, "line 2: field "+strings.ReplaceAll(name, `"`, `\"`)) ||
			strings.Contains(got.body, key) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if s := r.stats(t); s.Prompts != 3 { // "kind" twice
		t.Errorf("%d prompts are stored", s.Prompts)
	}
}

func TestABodyWithSomethingBehindItsValueIsRefused(t *testing.T) {
	r := startRig(t, t.TempDir())
	for _, path := range []string{"/forget", "/prompt"} {
		body := `{"query":"quokkapassage","dry_run":true}`
		if path == "/prompt" {
			body = sayOld
		}
		for _, garbage := range []string{"}", "]", "{}", "garbage"} {
			if got := r.ask(t, "POST", path, body+garbage); got.code() != api.Invalid {
				t.Errorf("%s … %s: %d %s", path, garbage, got.status, got.body)
			}
		}
		if got := r.ask(t, "POST", path, body+" \n"); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

func TestForgettingIsProvedAndNothingBringsItBack(t *testing.T) {
	r := startRig(t, t.TempDir())
	for _, body := range []string{sayOld, sayNew} {
		r.ask(t, "POST", "/prompt", body)
	}
	export := r.ask(t, "GET", "/export", "").body
	if b := into[api.Backup](t, r.ask(t, "POST", "/backup", "{}")); b.Documents < 2 {
		t.Errorf("got %+v", b)
	}
	plan := into[api.Forgotten](t, r.ask(t, "POST", "/forget", `{"query":"quokkapassage","dry_run":true}`))
	if len(plan.Documents) != 1 || !plan.DryRun || plan.Files != 0 {
		t.Errorf("got %+v", plan)
	}
	out := into[api.Forgotten](t, r.ask(t, "POST", "/forget", `{"query":"quokkapassage"}`))
	if len(out.Documents) == 0 || out.Backups != 1 || out.Probes == 0 || out.Files < 3 || len(out.Found) != 0 {
		t.Errorf("got %+v", out)
	}
	if back := into[api.Imported](t, r.ask(t, "POST", "/import", export)); back.Forgotten == 0 || back.Documents != 0 {
		t.Errorf("the import gave %+v", back)
	}
	if again := into[api.Prompted](t, r.ask(t, "POST", "/prompt", sayOld)); again.Status != "skipped" ||
		again.Reason != "forgotten" {
		t.Errorf("the retry gave %+v", again)
	}
	for name, body := range map[string]string{"nothing": `{}`, "an unknown field": `{"everything":true}`,
		"text with more": `{"text":"quokkapassage","ids":[1]}`, "a short text": `{"text":"ab"}`} {
		if got := r.ask(t, "POST", "/forget", body); got.code() != api.Invalid {
			t.Errorf("%s: %s", name, got.body)
		}
	}
}

func TestMetricsTellWhatHappened(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.ask(t, "POST", "/prompt", sayOld)
	r.ask(t, "GET", "/search?q=staging", "")
	got := r.ask(t, "GET", "/metrics", "").body
	for _, want := range []string{`mum_events_total{kind="prompt"} 1`, "mum_search_seconds_count 1",
		`mum_documents{kind="prompt"} 1`, "mum_commit_seconds_count", `mum_hook_seconds{kind="prompt",quantile="0.99"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestAScrubAnswersWithWhatItFound(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.ask(t, "POST", "/prompt", sayOld)
	if got := into[api.Scrubbed](t, r.ask(t, "POST", "/scrub", `{"all":true}`)); got.Scanned < 1 || got.Changed != 0 {
		t.Errorf("got %+v", got)
	}
	if got := r.ask(t, "POST", "/scrub", `{"al":true}`); got.code() != api.Invalid {
		t.Errorf("a misspelt field: %s", got.body)
	}
}

// TestAScrubAfterAnUpgradeReachesTheMemoryFiles: a key that an older gate let
// through is in a file as well as in a row.
func TestAScrubAfterAnUpgradeReachesTheMemoryFiles(t *testing.T) {
	dir, repo := t.TempDir(), repository(t)
	r := startRig(t, dir)
	m := r.remember(t, rounding(repo)).Memory
	r.end(t)
	const key = "ghp_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zA1bC2"
	text, err := os.ReadFile(m.File)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, string(text)+"\nThe key is "+key+".\n", m.File)
	db, err := sql.Open("sqlite", home.Dir(dir).Database())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`UPDATE meta SET value = 'older' WHERE key = 'scrubbed'`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r = startRig(t, dir)
	await.True(t, "the key is taken out of the file", func() bool { return !r.holds(t, key) })
	if got, err := os.ReadFile(m.File); err != nil || !strings.HasPrefix(string(got), "---\nid: "+m.ID+"\n") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestATextThatIsForgottenLeavesTheListsOfMemories(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	in := rounding(repo)
	in.Title, in.Body = "Invoices go to the Quokka Office first",
		"The Quokka Office signs every invoice before the customer sees it, because the law wants it so."
	m := r.remember(t, in).Memory
	dir := filepath.Dir(filepath.Dir(m.File))
	for _, list := range []string{"index.md", "hot-memory.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, list)); err != nil ||
			!strings.Contains(string(text), "Quokka Office") {
			t.Fatalf("%s: %q, %v", list, text, err)
		}
	}
	if b := into[api.Backup](t, r.ask(t, "POST", "/backup", "{}")); b.MemoryFiles != 3 {
		t.Errorf("backup %+v", b)
	}
	got := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Text: "Quokka Office"}))
	if got.FilesChanged != 3 || got.Backups != 1 || len(got.Found) != 0 || r.holds(t, "Quokka") || r.holds(t, "quokka") {
		t.Errorf("got %+v", got)
	}
	for _, list := range []string{"index.md", "hot-memory.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, list)); err != nil ||
			!strings.Contains(string(text), "signs every invoice") {
			t.Errorf("%s: %q, %v", list, text, err)
		}
	}
	if got := into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")); len(got.Memories) != 1 ||
		!strings.HasPrefix(got.Memories[0].Title, "Invoices go to the [REDACTED:forgotten] first") {
		t.Errorf("got %+v", got)
	}
}

func TestAnAgentThatStillKnowsAForgottenTextDoesNotBringItBack(t *testing.T) {
	r := startRig(t, t.TempDir())
	into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Text: "quokka-7741-passage"}))
	m := r.remember(t,
		api.MemoryAdd{Global: true, Origin: "agent", Agent: "mcp", Title: "The deploy needs a word",
			Tags: []string{"quokka-7741-passage", "deploy"},
			Body: "The word for the deploy is quokka-7741-passage, because the old one was rotated in March."}).Memory
	body := "The word is quokka-7741-passage once more, because somebody asked for it again today."
	into[api.MemoryWritten](t, r.post(t, fmt.Sprintf("/memories/%d/edit", m.Entry), api.MemoryEdit{Body: &body}))
	r.ask(t, "POST", "/prompt",
		`{"session_id":"s9","project":"shop","text":"use quokka-7741-passage for the deploy","at":"2026-01-02T10:00:00Z"}`)
	r.ask(t, "POST", "/prompt", `{"session_id":"s9","project":"shop","text":"use quokka-7741-passage for the deploy"}`)
	if r.holds(t, "quokka-7741") {
		t.Error("it is back")
	}
}

// A fact often has a title only, and many people write in other alphabets.
func TestForgettingIsProvedForAFactAndForAnyAlphabet(t *testing.T) {
	r := startRig(t, t.TempDir())
	fact := r.remember(t,
		api.MemoryAdd{Global: true, Kind: "fact", Title: "The quokkapassage opens at seven in the morning"})
	said := into[api.Prompted](t, r.post(t, "/prompt", api.Prompt{SessionID: "s1", Agent: "claude",
		Text: "проверь, почему счёт за электричество печатается дважды"}))
	for name, id := range map[string]int64{"a fact": fact.Memory.Entry, "Cyrillic": said.PromptID} {
		out := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{id}}))
		if out.Probes == 0 || len(out.Found) != 0 {
			t.Errorf("%s: got %+v", name, out)
		}
	}
	if r.holds(t, "электричество") || r.holds(t, "quokkapassage") {
		t.Error("it is still in a file")
	}
}

// A kill between the removal and the new backup leaves a mark for the next start.
func TestAForgetThatWasInterruptedIsFinishedAtTheNextStart(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	r.ask(t, "POST", "/prompt", sayOld)
	r.ask(t, "POST", "/backup", "{}")
	plan, err := r.d.db.PlanForget(t.Context(), store.Selection{Words: "quokkapassage"})
	if err != nil {
		t.Fatal(err)
	}
	r.d.beginForget()
	if err := r.d.db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if !r.holds(t, "quokkapassage") {
		t.Fatal("the backup does not hold it")
	}
	// What the daemon does at its start may come only now, and finish it.
	if _, err := r.d.finishForget(t.Context()); err != nil || r.holds(t, "quokkapassage") {
		t.Errorf("%v; or it is still in a file", err)
	}
	if unfinished, err := r.d.finishForget(t.Context()); err != nil || unfinished {
		t.Errorf("again: %v, %v", unfinished, err)
	}
}
