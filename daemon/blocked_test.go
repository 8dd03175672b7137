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

func TestAMemoryWithATypoKeepsItsTextAndNumberUntilItIsMended(t *testing.T) {
	r := startRig(t, t.TempDir())
	m := r.remember(t, api.MemoryAdd{Global: true, Title: "The quokka queue drains at night"}).Memory
	blocked := func() []api.Blocked { return into[api.Status](t, r.ask(t, "GET", "/status", "")).Blocked }
	reindex := func(text string) {
		t.Helper()
		if err := os.WriteFile(m.File, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		into[api.MemoryReindexed](t, r.post(t, "/memories/reindex", api.MemoryReindex{}))
	}
	show := func() reply { t.Helper(); return r.ask(t, "GET", fmt.Sprint("/observation/", m.Entry), "") }
	good, err := os.ReadFile(m.File)
	if err != nil {
		t.Fatal(err)
	}
	reindex(strings.Replace(string(good), "title: ", "title: [", 1))
	if got := blocked(); len(got) != 1 || !strings.Contains(got[0].Why, filepath.Base(m.File)) {
		t.Errorf("the file is not named: %+v", got)
	}
	if got := show(); got.status != 200 || !strings.Contains(got.body, "quokka") {
		t.Errorf("with the typo: %d %s", got.status, got.body)
	}
	got := r.ask(t, "POST", fmt.Sprintf("/memories/%d/archive", m.Entry), "{}")
	if got.status != 409 || !strings.Contains(got.body, filepath.Base(m.File)) {
		t.Errorf("archived with the typo: %d %s", got.status, got.body)
	}
	reindex(strings.Replace(string(good), "The quokka", "The numbat", 1))
	if got := show(); len(blocked()) != 0 || !strings.Contains(got.body, "numbat") {
		t.Errorf("mended: %+v, %s", blocked(), got.body)
	}
	if err := os.Remove(m.File); err != nil {
		t.Fatal(err)
	}
	into[api.MemoryReindexed](t, r.post(t, "/memories/reindex", api.MemoryReindex{}))
	if got := show(); got.status != 404 {
		t.Errorf("removed: %d %s", got.status, got.body)
	}
}
