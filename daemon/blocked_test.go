package daemon

import (
	"fmt"
	"os"
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
