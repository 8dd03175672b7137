package daemon

import (
	"strings"
	"testing"

	"keepmum/team"
)

// TestASearchOfTheTeamShowsNothingThatPassedNoGate: not the secret that someone put into an item by hand, and not
// that an item has it.
func TestASearchOfTheTeamShowsNothingThatPassedNoGate(t *testing.T) {
	r := startRig(t, t.TempDir())
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	match := func(title, body string) team.Match {
		return team.Match{Project: "git.example/acme/shop", Author: "mallory", Machine: "m",
			Content: team.Raw{Title: title, Body: body, State: "active"}}
	}
	found := []team.Match{match("Deploy by hand", "The deploy takes "+token+" from the environment"),
		match("Deploy at night", "The queue is empty then"), match("A deploy and "+token, "the same deploy, deploy")}
	out := r.d.rankTeam("deploy", found, 2)
	if out.Total != 3 || len(out.Results) != 2 {
		t.Fatalf("%+v", out)
	}
	if out = r.d.rankTeam("deploy", found, 10); len(out.Results) != 3 {
		t.Fatalf("%+v", out)
	}
	for _, m := range out.Results {
		if strings.Contains(m.Title+m.Snippet, token) || !strings.Contains(m.Title+m.Snippet, "eploy") {
			t.Errorf("%+v", m)
		}
	}
	if out := r.d.rankTeam(token, found, 10); len(out.Results) != 0 {
		t.Errorf("a search for the secret finds %+v", out)
	}
}
