package daemon

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

// Two working trees of one name are two projects: the page tells them apart by their numbers.
func TestThePageTellsProjectsOfOneNameApart(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	root := t.TempDir()
	for _, parent := range []string{"north", "south"} {
		dir := filepath.Join(root, parent, "harbour")
		r.ask(t, "POST", "/hooks/claude", fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"%s",`+
			`"prompt":"why do the buoys of the %s blink","cwd":%q}`, parent, parent, dir))
		r.remember(t, api.MemoryAdd{Directory: dir, Title: "The buoys of the " + parent + " blink twice",
			Body: "The pilots asked for it, because they could not tell them from the lamps of the quay."})
	}
	all := into[api.ProjectList](t, r.ask(t, "GET", "/projects", "")).Projects
	if len(all) != 2 || all[0].Name != all[1].Name {
		t.Fatalf("%+v", all)
	}
	_, err := r.d.db.PutProposal(t.Context(), store.Proposal{Project: all[1].ID, Form: "learning", Kind: "preference",
		Title: privacy.Const("The buoys blink three times"), Body: privacy.Const("The buoys blink three times."),
		Sentence: privacy.Const("I guess the buoys blink three times"), Why: "below_the_bar", Confidence: .4,
		Session: privacy.Const("claude/north"), Ref: privacy.Const("1"), At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	l.sees("review", "The buoys blink three times")
	found := l.sees("search?q=buoys", "harbour (project 1)", "harbour (project 2)")
	entry := into[api.SearchResults](t, r.ask(t, "GET", "/search?q=buoys", "")).Results[0]
	link := fmt.Sprintf("search?project=%d\"", entry.ProjectID)
	l.sees(fmt.Sprintf("entry/%d", entry.ID), link)
	for _, p := range all {
		if !strings.Contains(found, fmt.Sprintf("project=%d", p.ID)) {
			t.Errorf("no link leads to project %d", p.ID)
		}
		if got := l.get(fmt.Sprintf("search?q=buoys&project=%d", p.ID)); got.status != http.StatusOK ||
			!strings.Contains(got.body, `class="chip on"`) {
			t.Errorf("project %d: %d: %s", p.ID, got.status, mainOf(got.body))
		}
	}
}
