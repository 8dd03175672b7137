package daemon

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
	"keepmum/spool"
)

// What is said after a restart does not overtake what was said before it and waits in the spool. Another session does
// not wait.
func TestNoEventOvertakesItsSessionInTheSpool(t *testing.T) {
	const session, waiting = "ses_dd4c0c45bffevHi7v862oWzHCm", 60
	dir := t.TempDir()
	intake, err := capture.NewIntake(capture.Options{Home: dir, Config: config.Default(), Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	box, began := spool.Dir(dir+"/spool"), time.Now()
	for i := range waiting {
		e, why := intake.Take(capture.Incoming{Key: fmt.Sprint("key", i), Event: hooks.Event{Agent: "claude",
			Kind: hooks.Prompt, Session: session, Dir: projectDir, Text: fmt.Sprintf("spooled number%d", i),
			At: began.Add(time.Duration(i) * time.Microsecond)}})
		if why != "" {
			t.Fatal(why)
		}
		if err := box.Put(e, fmt.Sprint("key", i), e.At); err != nil {
			t.Fatal(err)
		}
	}
	if !box.Waits("claude", session) || box.Waits("claude", "other") || box.Waits("codex", session) {
		t.Error("it is not known which session waits")
	}
	r := startRig(t, dir)
	for _, said := range []string{"direct question", "direct answer"} {
		body := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":%q,"cwd":%q,"prompt":%q}`, session,
			projectDir, said)
		if got := r.ask(t, "POST", "/hooks/claude", body); got.status != http.StatusOK {
			t.Fatal(got)
		}
	}
	await.True(t, "all prompts", func() bool { return r.stats(t).Prompts == waiting+2 })
	found := into[api.SearchResults](t, r.ask(t, "GET", "/search?limit=100", ""))
	slices.SortFunc(found.Results, func(a, b api.Result) int { return int(a.ID - b.ID) })
	for i, want := range []string{"direct question", "direct answer"} {
		if n := len(found.Results); n != waiting+2 || found.Results[waiting+i].Snippet != want {
			t.Errorf("entry %d of %d is not %q: %+v", waiting+i+1, n, want, found.Results)
		}
	}
}
