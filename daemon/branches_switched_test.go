//go:build unix

package daemon

import (
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/longtest"
	"keepmum/transcript"
)

const (
	numbatRule  = "the numbat importer always reads tsv tables, never csv, because the depot printer escapes commas"
	numbatAsked = "which tables does the numbat importer read for the depot printer, csv or tsv?"
)

// numbats and bilbies settle something in a session.
func (r *rig) numbats(t *testing.T, dir, session string) {
	t.Helper()
	r.discuss(t, dir, session, "look at the numbat importer of the depot, please", numbatRule,
		"thanks, now run the tsv tests of the depot")
}

func (r *rig) bilbies(t *testing.T, dir, session string) {
	t.Helper()
	r.discuss(t, dir, session, "look at the bilby exporter of the warehouse, please", bilbyRule,
		"thanks, now run the gzip tests of the warehouse")
}

// begin starts or resumes a session.
func (r *rig) begin(t *testing.T, dir, session, source string) {
	t.Helper()
	r.ask(t, "POST", "/hooks/claude", claude(t, map[string]any{"hook_event_name": "SessionStart", "session_id": session,
		"cwd": dir, "source": source}))
}

// toldAs fails unless what was settled is told in a directory, and names the branch or not.
func (r *rig) toldAs(t *testing.T, dir, session, asked, word string, named bool) {
	t.Helper()
	agent, _, _ := r.hears(t, dir, session, asked)
	if !strings.Contains(agent, word) || strings.Contains(agent, bilbyBranch) != named {
		t.Errorf("%s: named should be %v: %s", session, named, agent)
	}
}

// onBranch are the texts that a search finds on a branch.
func (r *rig) onBranch(t *testing.T, branch, words string) string {
	t.Helper()
	var out []string
	q := "/search?branch=" + branch + "&q=" + strings.ReplaceAll(words, " ", "+")
	for _, h := range into[api.SearchResults](t, r.ask(t, "GET", q, "")).Results {
		if h.Branch != branch {
			t.Errorf("on branch %s is found one of %q", branch, h.Branch)
		}
		out = append(out, h.Snippet)
	}
	return strings.NewReplacer("<mark>", "", "</mark>", "").Replace(strings.Join(out, "\n"))
}

func TestAStatementBelongsToTheBranchOnWhichItWasSaid(t *testing.T) {
	r, repo := startBranches(t)
	r.begin(t, repo.dir, "b1", "startup")
	r.numbats(t, repo.dir, "b1")
	repo.work(t, "exports")
	r.bilbies(t, repo.dir, "b1")
	r.look(t, repo.dir)
	r.toldAs(t, repo.dir, "n1", bilbyAsked, "gzip", false)
	repo.git(t, "switch", "-q", "main")
	r.toldAs(t, repo.dir, "n2", numbatAsked, "tsv", false)
	r.toldAs(t, repo.dir, "n3", bilbyAsked, "gzip", true)
	_, start, person := r.hears(t, repo.dir, "n4", bilbyAsked)
	if !strings.Contains(start, bilbyBranch) || !strings.Contains(person, bilbyBranch) {
		t.Errorf("at a start is told %s, a person %s", start, person)
	}
	checkOnBranches(t, r)

	other, _ := startBranches(t)
	other.ask(t, "POST", "/import", r.ask(t, "GET", "/export", "").body)
	checkOnBranches(t, other)
	if again := other.ask(t, "GET", "/export", "").body; strings.Count(again, `"branch":"exports"`) != 6 {
		t.Errorf("what was imported is exported as %s", again)
	}

	repo.git(t, "merge", "-q", "--no-ff", "--no-edit", "exports")
	r.look(t, repo.dir)
	r.toldAs(t, repo.dir, "n5", bilbyAsked, "gzip", false)
}

// checkOnBranches searches for what was said on main about the numbats, and on exports about the bilbies.
func checkOnBranches(t *testing.T, r *rig) {
	t.Helper()
	for branch, has := range map[string][2]string{"main": {"tsv tables", "gzip archives"},
		"exports": {"gzip archives", "tsv tables"}} {
		got := r.onBranch(t, branch, "always never because tsv gzip")
		if !strings.Contains(got, has[0]) || strings.Contains(got, has[1]) {
			t.Errorf("on %s is found %s", branch, got)
		}
	}
	feed := into[api.Feed](t, r.ask(t, "GET", "/feed?limit=200", ""))
	for _, e := range feed.Events {
		want := map[bool]string{true: "exports", false: "main"}[strings.Contains(e.Text, "warehouse")]
		if e.Session == "b1" && e.Type == "prompt" && e.Branch != want {
			t.Errorf("in the feed %q is on %q", e.Text, e.Branch)
		}
	}
}

func TestWhatIsSaidAfterASwitchToTheDefaultBranchNamesNoBranch(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	repo.work(t, "exports")
	r.begin(t, repo.dir, "b1", "startup")
	r.bilbies(t, repo.dir, "b1")
	r.look(t, repo.dir)
	repo.git(t, "switch", "-q", "main")
	r.begin(t, repo.dir, "b1", "resume")
	r.numbats(t, repo.dir, "b1")
	r.toldAs(t, repo.dir, "n1", numbatAsked, "tsv", false)
	r.toldAs(t, repo.dir, "n2", bilbyAsked, "gzip", true)
	if start := r.ask(t, "GET", "/context?directory="+repo.dir, "").body; !strings.Contains(start, "depot") ||
		strings.Contains(start, bilbyBranch) {
		t.Errorf("at a start is told %s", start)
	}
}

// In another repository a session is on none of the branches of its own.
func TestAnotherRepositorysBranchIsNotTheSessions(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	repo.work(t, "exports")
	r.discuss(t, repo.dir, "b1", "look at the bilby exporter of the warehouse, please")
	r.discuss(t, newGitRepo(t).dir, "b1", bilbyRule, "thanks, now run the gzip tests of the warehouse")
	r.look(t, repo.dir)
	repo.git(t, "switch", "-q", "main")
	r.toldAs(t, repo.dir, "n1", bilbyAsked, "gzip", true)
}

// Without an agent's own file, the hooks know on which branch something was said.
func TestWhatSyncLearnsFromHooksIsOfTheBranchOnWhichItWasSaid(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	r.d.o.Transcripts = transcript.Roots{}
	r.begin(t, repo.dir, "b1", "startup")
	r.discuss(t, repo.dir, "b1", "look at the importer of the shop, please")
	repo.work(t, "exports")
	r.look(t, repo.dir)
	r.discuss(t, repo.dir, "b1", "we decided to go with the quokkaform format for the importer instead of CSV, "+
		"because the warehouse reads no commas", "thanks, run the tests of the importer")
	r.ask(t, "POST", "/hooks/claude", claude(t, map[string]any{"hook_event_name": "SessionEnd", "session_id": "b1",
		"cwd": repo.dir, "reason": "exit"}))
	r.sync(t, api.SyncRequest{})
	all := into[api.MemoryList](t, r.ask(t, "GET", "/memories?project=*&branch=*", "")).Memories
	if len(all) != 1 || all[0].Branch != "exports" {
		t.Errorf("learned was %+v", all)
	}
}
