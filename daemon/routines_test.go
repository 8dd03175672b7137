package daemon

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
)

func (r *rig) proposals(t *testing.T) []api.Proposal {
	t.Helper()
	return into[api.Proposals](t, r.ask(t, "GET", "/review?project=*", "")).Proposals
}

// looks lets the daemon look at all sessions that came to an end.
func (r *rig) looks(t *testing.T) []api.Proposal {
	t.Helper()
	if err := r.d.proposeRoutines(t.Context(), func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	return r.proposals(t)
}

// release is a finished session in which a version is released. What is around the commands, and
// what only looks, differs from session to session.
func (r *rig) release(t *testing.T, dir string, n int) {
	t.Helper()
	session := fmt.Sprint("release-", n)
	r.ran(t, dir, session, fmt.Sprintf("git status --short | head -%d", n), "")
	r.ran(t, dir, session, "cd /home/dev/shop && make generate", "")
	r.ran(t, dir, session, fmt.Sprintf("make dist 2>&1 | tail -%d", n), "")
	r.ran(t, dir, session, "git log --oneline", "")
	r.ran(t, dir, session, "./deploy.sh staging", "")
	r.ends(t, dir, session)
}

func (r *rig) ends(t *testing.T, dir, session string) {
	t.Helper()
	r.hook(t, map[string]any{"hook_event_name": "SessionEnd", "session_id": session, "cwd": dir, "reason": "other"})
}

func TestCommandsOfThreeSessionsAreProposedOnce(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir = "/home/dev/shop"
	for n := 1; n <= 2; n++ {
		r.release(t, dir, n)
	}
	for n, failed := range []string{"", "Exit code 2\nError: the generator cannot be found"} { // of other places and ends
		session, where := fmt.Sprint("other-", n), []string{"/home/dev/bakery", dir}[n]
		r.ran(t, where, session, "make generate", failed)
		r.ran(t, where, session, "make dist", failed)
		r.ran(t, where, session, "./deploy.sh staging", "")
		r.ends(t, where, session)
	}
	if got := r.looks(t); len(got) != 0 {
		t.Fatalf("proposed after two sessions: %+v", got)
	}
	r.release(t, dir, 3)
	got := r.looks(t)
	if len(got) != 1 || got[0].Kind != "procedure" || got[0].State != "open" {
		t.Fatalf("proposed: %+v", got)
	}
	const body = "\n    make generate\n    make dist\n    ./deploy.sh staging"
	if !strings.HasSuffix(got[0].Body, body) || !strings.Contains(got[0].Sentence, "in 3 sessions") {
		t.Errorf("proposed: %+v", got[0])
	}
	list := into[api.MemoryList](t, r.ask(t, "GET", "/memories?project=*", ""))
	if list.Total != 0 {
		t.Errorf("written by itself: %+v", list.Memories)
	}
	r.release(t, dir, 4)
	if got := r.looks(t); len(got) != 1 {
		t.Errorf("proposed again: %+v", got)
	}
	kept := into[api.Reviewed](t, r.post(t, fmt.Sprintf("/review/%d/keep", got[0].ID), struct{}{}))
	if m := kept.Written.Memory; m.Kind != "procedure" {
		t.Errorf("kept as %+v", m)
	}
	r.release(t, dir, 5)
	if got := r.looks(t); len(got) != 0 {
		t.Errorf("proposed after it was kept: %+v", got)
	}
}

func TestASecretInACommandIsNotProposed(t *testing.T) {
	r := startRig(t, t.TempDir())
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for n := range 3 {
		session := fmt.Sprint("push", n)
		r.ran(t, "/home/dev/shop", session, "make dist", "")
		r.ran(t, "/home/dev/shop", session, "./upload.sh --token "+secret, "")
		r.ends(t, "/home/dev/shop", session)
	}
	got := r.looks(t)
	if len(got) != 1 || !strings.Contains(got[0].Body, "./upload.sh") {
		t.Fatalf("proposed: %+v", got)
	}
	if p := got[0]; strings.Contains(p.Title+p.Body+p.Sentence, secret) {
		t.Errorf("proposed: %+v", p)
	}
	if r.holds(t, secret) {
		t.Error("the secret is on the disk")
	}
}

func TestProceduresAreLookedForWhenNobodyIsAtWork(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Compress.Idle = config.Duration(time.Nanosecond) })
	for n := range 3 {
		session := fmt.Sprint("build", n)
		r.ran(t, "/home/dev/shop", session, "make generate", "")
		r.ran(t, "/home/dev/shop", session, "make dist", "")
	}
	await.True(t, "a proposal", func() bool { return len(r.proposals(t)) == 1 })
}
