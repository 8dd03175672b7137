package daemon

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"keepmum/api"
)

// What the user says later replaces the old rule: it is what is listed and told, and the old one is in the history.
func TestALaterRuleOfTheUserIsTheOneThatIsListedAndTold(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	r.remember(t, api.MemoryAdd{Title: "The deploy branch is called release", Directory: repo})
	got := r.remember(t, api.MemoryAdd{Title: "The deploy branch is now called production, not release any more",
		Directory: repo})
	if got.Action != "supersede" || got.Replaced != "the-deploy-branch-is-called-release" {
		t.Errorf("%s, replaced %q", got.Action, got.Replaced)
	}
	list := into[api.MemoryList](t, r.ask(t, "GET", "/memories?state=active", ""))
	if list.Total != 1 || !strings.Contains(list.Memories[0].Title, "production") {
		t.Errorf("listed: %+v", list)
	}
	found := r.ask(t, "GET", "/memories/search?"+url.Values{"q": {"deploy branch"}}.Encode(), "").body
	if !strings.Contains(found, "now called production") || strings.Contains(found, "branch is called release\"") {
		t.Errorf("found: %s", found)
	}
}

// An agent may not replace what the user wrote, and is not told that an archived memory which says otherwise says it.
func TestAnAgentIsNotAnsweredWithTheOppositeOfWhatItSays(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	agent := func(title string) reply {
		return r.post(t, "/memories", api.MemoryAdd{Title: title, Origin: "agent", Agent: "mcp", Session: "aaaa1111",
			Directory: repo})
	}
	const axios = "Use axios for all http calls, because of the interceptors"
	r.remember(t, api.MemoryAdd{Title: axios, Directory: repo})
	if got := agent("All HTTP calls go through fetch because axios was compromised"); got.status != http.StatusConflict {
		t.Errorf("against the user: %d %s", got.status, got.body)
	}
	r.remember(t, api.MemoryAdd{Title: "Use fetch for all http calls, because axios was compromised", Directory: repo})
	got := into[api.MemoryWritten](t, agent("All HTTP calls go through fetch because axios was compromised"))
	if strings.Contains(got.Memory.Title, "Use axios") {
		t.Errorf("%s: %s", got.Action, got.Memory.Title)
	}
}
