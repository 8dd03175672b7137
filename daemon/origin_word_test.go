package daemon

import (
	"testing"

	"keepmum/memory"
	"keepmum/store"
)

func TestAMemoryOfTheTeamIsNeitherTheUsersWordNorTheRepositorys(t *testing.T) {
	for name, c := range map[string]struct {
		row  store.MemoryRow
		want string
	}{
		"written by hand":        {store.MemoryRow{Origin: "cli"}, "user"},
		"heard":                  {store.MemoryRow{Origin: "sync", Text: "It is safer.\n" + memory.SaidOnce}, "user"},
		"found in a session":     {store.MemoryRow{Origin: "sync", Text: "It is safer."}, ""},
		"written by an agent":    {store.MemoryRow{Origin: "agent/mcp"}, "agent"},
		"passed on by an agent":  {store.MemoryRow{Origin: "agent/mcp-user"}, "user"},
		"of the repository":      {store.MemoryRow{Origin: "cli", RootKind: store.RootRepo, Cloned: true}, "repository"},
		"a file added by hand":   {store.MemoryRow{Origin: "cli", RootKind: store.RootHome, Cloned: true}, "user"},
		"of another of the team": {store.MemoryRow{Origin: "cli", RootKind: store.RootTeam, Cloned: true}, "team"},
	} {
		if got := wordOf(&c.row); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
