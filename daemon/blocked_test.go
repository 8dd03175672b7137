package daemon

import (
	"os"
	"strings"
	"testing"

	"keepmum/api"
)

func TestAProjectWhoseRepositoryIsGoneIsBlockedWithTheNextCommand(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	if got := r.post(t, "/projects", api.ProjectAdd{Directory: repo}); got.status != 200 {
		t.Fatal(got.body)
	}
	r.remember(t, rounding(repo))
	if got := into[api.Status](t, r.ask(t, "GET", "/status", "")); len(got.Blocked) != 0 {
		t.Fatalf("it is blocked already: %+v", got.Blocked)
	}
	if err := os.RemoveAll(repo); err != nil {
		t.Fatal(err)
	}
	got := into[api.Status](t, r.ask(t, "GET", "/status", "")).Blocked
	if len(got) != 1 || !strings.Contains(got[0].Why, "is not there") || !strings.Contains(got[0].Next, "mum project") {
		t.Errorf("got %+v", got)
	}
}
