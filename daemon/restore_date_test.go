package daemon

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
)

// TestARestoredMemoryKeepsItsDate archives a memory of long ago and restores it today:
// it holds again from now on, and is told with the day on which it was said.
func TestARestoredMemoryKeepsItsDate(t *testing.T) {
	var back atomic.Int64 // how far the clock is behind
	back.Store(int64(90 * 24 * time.Hour))
	now := func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
	r, repo := startAt(t, t.TempDir(), now), repository(t)
	m := r.remember(t, rounding(repo)).Memory
	said := now().UTC().Format(time.DateOnly)

	back.Store(0)
	for _, step := range []string{"archive", "restore", "pin"} {
		into[api.MemoryWritten](t, r.post(t, fmt.Sprintf("/memories/%d/%s", m.Entry, step), struct{}{}))
	}
	got := into[api.Memory](t, r.ask(t, "GET", fmt.Sprintf("/memories/%d", m.Entry), ""))
	if got.State != "active" {
		t.Errorf("restored: %s", got.State)
	}
	told := r.ask(t, "GET", "/context?directory="+repo, "")
	if !strings.Contains(told.body, "- "+said+" decision: Round invoice totals") {
		t.Errorf("told with another day than %s: %s", said, told.body)
	}
}
