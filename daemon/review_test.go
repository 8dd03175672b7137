package daemon

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

// proposed puts a proposal about a subject into the database, as sync does.
func (r *rig) proposed(t *testing.T, subject privacy.Clean, at time.Time) {
	t.Helper()
	text := privacy.Join(" ", privacy.Const("the buoys of"), subject,
		privacy.Const("are painted green because the pilots of the harbour asked for it"))
	fresh, err := r.d.db.PutProposal(t.Context(),
		store.Proposal{Form: "learning", Kind: "preference",
			Title: privacy.Join(" ", privacy.Const("the buoys are green at"), subject), Body: text,
			Sentence: privacy.Join(" ", privacy.Const("I guess that"), text), Why: "below_the_bar", Confidence: .4,
			Session: privacy.Const("claude/s1"), Ref: privacy.Const("3"), At: at})
	if err != nil || !fresh {
		t.Fatalf("%v, %v", fresh, err)
	}
}

func (r *rig) waiting(t *testing.T, query string) api.Proposals {
	t.Helper()
	return into[api.Proposals](t, r.ask(t, "GET", "/review"+query, ""))
}

func (r *rig) acted(t *testing.T, id int64, act, body string) api.Reviewed {
	t.Helper()
	return into[api.Reviewed](t, r.ask(t, "POST", fmt.Sprintf("/review/%d/%s", id, act), body))
}

func TestAProposalIsToldToNobodyButTheUser(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.proposed(t, privacy.Const("Quokkahaven"), time.Now())
	for _, path := range []string{"/search?q=quokkahaven+buoys",
		"/context?q=quokkahaven+buoys+green&format=json&directory=/home/dev/shop", "/memories/search?q=quokkahaven",
		"/memories", "/export"} {
		if got := r.ask(t, "GET", path, ""); got.status != http.StatusOK || strings.Contains(got.body, "pilots") {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	if got := r.ask(t, "POST", "/ask",
		`{"question":"which colour have the buoys of quokkahaven?"}`); strings.Contains(got.body, "pilots") {
		t.Errorf("ask: %s", got.body)
	}
	if list := r.waiting(t, ""); len(list.Proposals) != 1 ||
		!strings.HasPrefix(list.Proposals[0].Sentence, "I guess that the buoys") {
		t.Errorf("the user: %+v", list)
	}
}

func TestTheUserKeepsEditsDropsAndTakesBack(t *testing.T) {
	r := startRig(t, t.TempDir())
	at := time.Now().Add(-time.Hour)
	for i, name := range []privacy.Clean{privacy.Const("Northport"), privacy.Const("Eastmouth"),
		privacy.Const("Southquay"), privacy.Const("Westsound")} {
		r.proposed(t, name, at.Add(time.Duration(i)*time.Minute))
	}
	list := r.waiting(t, "").Proposals
	if len(list) != 4 || !strings.Contains(list[0].Title, "Westsound") {
		t.Fatalf("not the newest first: %+v", list)
	}
	kept := r.acted(t, list[0].ID, "keep", "{}")
	if kept.Written == nil || kept.Written.Memory.Confidence != toldConfidence || kept.Written.Memory.Origin != "cli" ||
		kept.Proposal.Memory == 0 || len(kept.Written.Memory.Sources) != 1 {
		t.Errorf("keep: %+v", kept)
	}
	if again := r.ask(t, "POST", fmt.Sprintf("/review/%d/keep", list[0].ID), "{}"); again.code() != api.Conflict {
		t.Errorf("kept twice: %s", again.body)
	}
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	edited := r.acted(t, list[1].ID, "keep",
		`{"title":"Lanterns of Southquay burn all night","body":"The token of the lamp is `+secret+
			`, and the keeper of the light wants it lit until the last ferry is in."}`)
	if edited.Action != "edit" || edited.Written.Findings == 0 || strings.Contains(edited.Written.Memory.Body, secret) {
		t.Errorf("edit: %+v", edited)
	}
	r.acted(t, list[2].ID, "drop", "{}")
	r.acted(t, list[3].ID, "never", "{}")
	if left := r.waiting(t, ""); len(left.Proposals) != 0 || left.Labels != 4 {
		t.Errorf("left: %+v", left)
	}
	if back := r.acted(t, list[0].ID, "undo", "{}"); back.Proposal.State != "open" {
		t.Errorf("undo: %+v", back)
	}
	if m := into[api.Memory](t,
		r.ask(t, "GET", "/memories/"+kept.Written.Memory.ID, "")); m.State != string(store.MemoryArchived) {
		t.Errorf("the memory that was taken back is %s", m.State)
	}
	labels, err := os.ReadFile(r.home.Review())
	if err != nil || strings.Contains(string(labels), secret) || strings.Count(string(labels), "\n") != 5 {
		t.Errorf("%v\n%s", err, labels)
	}
	if done := into[api.ReviewReset](t, r.ask(t, "POST", "/review/reset", "{}")); done.Labels != 3 {
		t.Errorf("reset: %+v", done)
	}
	for path, code := range map[string]api.Code{"/review/9999/keep": api.NotFound, "/review/x/keep": api.Invalid,
		fmt.Sprintf("/review/%d/eat", list[0].ID): api.Invalid} {
		if got := r.ask(t, "POST", path, "{}"); got.code() != code {
			t.Errorf("%s: %s", path, got.body)
		}
	}
}

// What is said often enough becomes a memory; the proposals that said it first have nothing left to ask.
func TestAProposalThatAMemorySaysIsClosed(t *testing.T) {
	r, dir, later := startLearning(t)
	for day, room := range []string{"kitchen", "attic", "garden"} {
		r.says(t, fmt.Sprint("s", day), dir, fmt.Sprintf("Fix the lights of the %s. Never push to main.", room))
		if day == 0 {
			r.says(t, "other", dir, "never commit generated files")
		}
		later()
		learned := r.learned(t, dir)
		if last := day == 2; (len(learned) > 0) != last {
			t.Fatalf("on day %d learned %+v", day, learned)
		}
	}
	left := r.waiting(t, "?directory="+dir)
	if len(left.Proposals) != 1 || !strings.Contains(left.Proposals[0].Title, "generated") {
		t.Fatalf("left: %+v", left)
	}
	list, err := r.d.db.Proposals(t.Context(), store.ProposalFilter{States: []store.ProposalState{store.ProposalKept}})
	if err != nil || len(list) == 0 {
		t.Fatalf("closed: %+v, %v", list, err)
	}
	if labels, err := os.ReadFile(r.home.Review()); err == nil {
		t.Errorf("the user reviewed nothing: %s", labels)
	}
	r.acted(t, list[0].ID, "undo", "{}")
	if got := into[api.MemoryList](t, r.ask(t, "GET", "/memories?directory="+dir, "")); len(got.Memories) != 1 {
		t.Errorf("to open a proposal took the memory away: %+v", got.Memories)
	}
	r.learned(t, dir)
	if left := r.waiting(t, "?directory="+dir); len(left.Proposals) != 2 {
		t.Errorf("what the user reopened was closed again: %+v", left)
	}
}

// Only what says the same is closed, and comes back with what was kept in its place.
func TestAProposalThatSaysSomethingElseStaysOpen(t *testing.T) {
	r := startRig(t, t.TempDir())
	for ref, title := range map[privacy.Clean]privacy.Clean{privacy.Const("a"): privacy.Const("Merge main into develop"),
		privacy.Const("b"): privacy.Const("Use Redis for the queue"), privacy.Const("c"): privacy.Const("Deploy on Tuesdays"),
		privacy.Const("d"): privacy.Const("Never deploy on Fridays"),
		privacy.Const("e"): privacy.Const("merge develop into main"),
		privacy.Const("f"): privacy.Const("Merge develop into main")} {
		body := privacy.Join("", title, privacy.Const(".\n\nIt came up in part "), ref)
		if _, err := r.d.db.PutProposal(t.Context(), store.Proposal{Form: "learning", Title: title, Body: body, Ref: ref,
			Why: "below_the_bar", Session: privacy.Const("claude/s1"), At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	for _, title := range []string{"Use Redis for sessions and Postgres for the queue",
		"Only deploy on Tuesdays and Thursdays", "Never deploy on Fridays without approval"} {
		into[api.MemoryWritten](t, r.post(t, "/memories", api.MemoryAdd{Title: title, Body: title, Global: true}))
	}
	open := r.waiting(t, "").Proposals
	if len(open) != 6 {
		t.Fatalf("open: %+v", open)
	}
	kept := open[slices.IndexFunc(open, func(p api.Proposal) bool { return p.Title == "Merge develop into main" })].ID
	r.acted(t, kept, "keep", "{}")
	if left := r.waiting(t, "").Proposals; len(left) != 4 {
		t.Errorf("after one was kept: %+v", left)
	}
	r.acted(t, kept, "undo", "{}")
	if left := r.waiting(t, "").Proposals; len(left) != 6 {
		t.Errorf("after that was taken back: %+v", left)
	}
}

func TestADirectoryShowsTheProposalsOfItsProject(t *testing.T) {
	r, dir, _ := startLearning(t)
	r.says(t, "s1", dir, "where is the cellar")
	project, err := r.d.projectIn(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for project, title := range map[int64]privacy.Clean{project: privacy.Const("The lanterns of the shop are blue"),
		project + 1: privacy.Const("The buoys of the harbour are green"), 0: privacy.Const("Bread is baked at night")} {
		if _, err := r.d.db.PutProposal(t.Context(), store.Proposal{Project: project, Form: "learning", Title: title,
			At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{"?directory=" + dir: 2, "?directory=/home/dev/nowhere": 1, "": 3} {
		if got := r.waiting(t, query); len(got.Proposals) != want {
			t.Errorf("%q: got %d, want %d", query, len(got.Proposals), want)
		}
	}
}

func TestProposalsThatNobodyLooksAtAreHidden(t *testing.T) {
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var days atomic.Int64 // that have gone by
	r := startAt(t, t.TempDir(), func() time.Time { return began.AddDate(0, 0, int(days.Load())) })
	r.proposed(t, privacy.Const("Northport"), began)
	days.Store(31)
	if list := r.waiting(t, ""); len(list.Proposals) != 0 || list.Hidden != 1 {
		t.Errorf("after 31 days: %+v", list)
	}
	if list := r.waiting(t, "?hidden=true"); len(list.Proposals) != 1 {
		t.Errorf("asked for: %+v", list)
	}
	if list := r.waiting(t, ""); len(list.Proposals) != 1 || list.Hidden != 0 {
		t.Errorf("looked at: %+v", list)
	}
}

func TestForgettingReachesProposalsAndReviews(t *testing.T) {
	for name, body := range map[string]string{"words": `{"query":"quokkahaven"}`,
		"the session": `{"session":"s1","agent":"claude"}`,
		"the text":    `{"text":"Quokkahaven"}`} {
		t.Run(name, func(t *testing.T) {
			r := startRig(t, t.TempDir())
			r.proposed(t, privacy.Const("Quokkahaven"), time.Now())
			r.acted(t, r.waiting(t, "").Proposals[0].ID, "drop", "{}")
			r.ask(t, "POST", "/backup", "{}")
			out := into[api.Forgotten](t, r.ask(t, "POST", "/forget", body))
			if out.Probes == 0 || len(out.Found) != 0 {
				t.Errorf("%+v", out)
			}
			in, err := store.FindBytes(string(r.home), "Quokkahaven")
			if err != nil || len(in.Found) != 0 {
				t.Errorf("it is in %v, %v", in.Found, err)
			}
			if name == "the text" {
				return
			}
			fresh, err := r.d.db.PutProposal(t.Context(),
				store.Proposal{Form: "learning", Title: privacy.Const("the buoys are green at Quokkahaven"),
					Body: privacy.Const("the buoys of Quokkahaven are painted green because the pilots of the harbour asked for it"),
					At:   time.Now().Add(-time.Hour)})
			if err != nil || fresh {
				t.Errorf("it came back: %v, %v", fresh, err)
			}
		})
	}
}
