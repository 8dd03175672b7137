package daemon

import (
	"slices"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
)

func TestADatabaseOverItsBudgetIsSaidAndKept(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Store.MaxSize = 1 })
	r.hook(t, prompt("s1", "p1", "prices must be integer cents"))
	s := into[api.Status](t, r.ask(t, "GET", "/status", ""))
	said := slices.ContainsFunc(s.Problems, func(p string) bool { return strings.Contains(p, "store.max_size") })
	if !said || r.stats(t).Prompts != 1 {
		t.Errorf("problems %q", s.Problems)
	}
}
