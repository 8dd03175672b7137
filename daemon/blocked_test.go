package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
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
	if len(got) != 1 || !strings.Contains(got[0].Why, "does not exist") ||
		!strings.Contains(got[0].Next, "mum project") {
		t.Errorf("got %+v", got)
	}
}

func TestSomethingInThePlaceOfAListStopsNoMemory(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	into[api.ProjectAdded](t, r.post(t, "/projects", api.ProjectAdd{Directory: repo}))
	index := filepath.Join(repo, ".mum", "memory", "index.md")
	for name, make := range map[string]func() error{
		"a directory": func() error { return os.MkdirAll(index, 0o700) },
		"a link":      func() error { return os.Symlink(filepath.Join(repo, ".git", "HEAD"), index) },
	} {
		if err := os.RemoveAll(index); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(index), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(); err != nil {
			t.Fatal(err)
		}
		r.remember(t, rounding(repo))
		got := into[api.Status](t, r.ask(t, "GET", "/status", "")).Blocked
		if len(got) != 1 || !strings.Contains(got[0].Why, index+": "+inThePlaceOfAList) {
			t.Errorf("%s: said %+v", name, got)
		}
	}
}

func TestAProjectWithNearlyAsManyMemoriesAsItMayHaveIsNamed(t *testing.T) {
	r, repo := startRig(t, t.TempDir(), func(c *config.Config) { c.Memory.MaxActive = 10 }), repository(t)
	blocked := func() []api.Blocked { return into[api.Status](t, r.ask(t, "GET", "/status", "")).Blocked }
	subjects := []string{"invoices", "refunds", "parcels", "customers", "drivers", "stamps", "taxes", "coupons"}
	for i, subject := range subjects {
		r.remember(t, api.MemoryAdd{Title: subject + " are counted by hand",
			Key: fmt.Sprintf("room/k%d", i), Directory: repo})
	}
	if got := blocked(); len(got) != 0 {
		t.Fatalf("8 of 10: %+v", got)
	}
	r.remember(t, api.MemoryAdd{Title: "The queue drains at night", Key: "room/night", Directory: repo})
	if got := blocked(); len(got) != 1 || !strings.Contains(got[0].Why, "9 memories are active, and the limit is 10") ||
		got[0].Next != "mum memory status" {
		t.Errorf("9 of 10: %+v", got)
	}
	for i, subject := range []string{"stalls", "ferries"} {
		r.remember(t, api.MemoryAdd{Title: subject + " are closed in winter",
			Key: fmt.Sprintf("room/w%d", i), Directory: repo})
	}
	if got := blocked(); len(got) != 1 || !strings.Contains(got[0].Next, "mum maintain") {
		t.Errorf("11 of 10: %+v", got)
	}
}
