//go:build unix

package daemon

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
	"keepmum/longtest"
)

const (
	bilbyRule   = "the bilby exporter always writes gzip archives, never zip, because the warehouse scanner refuses zip"
	bilbyAsked  = "which archives does the bilby exporter write for the warehouse scanner, zip or gzip?"
	bilbyBranch = "on branch exports"
)

// discuss is a session in a directory in which something is settled.
func (r *rig) discuss(t *testing.T, dir, session string, said ...string) {
	t.Helper()
	for _, text := range said {
		r.ask(t, "POST", "/hooks/claude", claude(t, map[string]any{"hook_event_name": "UserPromptSubmit",
			"session_id": session, "cwd": dir, "prompt": text}))
		r.ask(t, "POST", "/hooks/claude", claude(t, map[string]any{"hook_event_name": "Stop", "session_id": session,
			"cwd": dir, "last_assistant_message": "Done, the tests pass."}))
	}
}

// hears returns what an agent, and a person who asks, is told in a directory.
func (r *rig) hears(t *testing.T, dir, session, prompt string) (agent, start, person string) {
	t.Helper()
	agent = r.ask(t, "POST", "/hooks/claude", claude(t, map[string]any{"hook_event_name": "UserPromptSubmit",
		"session_id": session, "cwd": dir, "prompt": prompt})).body
	r.ask(t, "POST", "/forget", `{"session":"`+session+`"}`)
	start = r.ask(t, "GET", "/context?directory="+dir, "").body
	for _, c := range into[api.Answer](t, r.post(t, "/ask",
		api.Question{Question: prompt, Directory: dir, NoModel: true})).Citations {
		if strings.Contains(c.Text, "gzip") {
			person += c.Text + " on branch " + c.Branch + "\n"
		}
	}
	return agent, start, person
}

func startBilby(t *testing.T, change ...func(*config.Config)) (*rig, gitRepo) {
	t.Helper()
	r, repo := startBranches(t, change...)
	repo.work(t, "exports")
	r.bilbies(t, repo.dir, "b1")
	r.look(t, repo.dir)
	return r, repo
}

func TestWhatWasSaidOnAnUnmergedBranchNamesItElsewhere(t *testing.T) {
	r, repo := startBilby(t)
	check := func(named bool, where string) {
		t.Helper()
		agent, start, person := r.hears(t, repo.dir, "n-"+where, bilbyAsked)
		for way, text := range map[string]string{"prompt": agent, "start": start, "ask": person} {
			if !strings.Contains(text, "gzip") || strings.Contains(text, bilbyBranch) != named {
				t.Errorf("%s, at a %s: %s", where, way, text)
			}
		}
	}
	check(false, "there")
	repo.git(t, "switch", "-q", "main")
	check(true, "main")
	repo.git(t, "switch", "-q", "-c", "other")
	check(true, "other")
	repo.git(t, "switch", "-q", "main")
	repo.git(t, "merge", "-q", "--no-ff", "--no-edit", "exports")
	looks := 0
	await.True(t, "the branch is merged", func() bool { // the idle daemon may have read the refs before
		r.look(t, repo.dir)
		looks++
		agent, _, _ := r.hears(t, repo.dir, fmt.Sprint("m", looks), bilbyAsked)
		return !strings.Contains(agent, bilbyBranch)
	})
	check(false, "merged")
}

// The first look at a repository finds a branch on which a session was, already merged.
func TestABranchThatWasMergedBeforeTheFirstLookIsNotNamed(t *testing.T) {
	longtest.Only(t)
	r, _ := startBranches(t)
	r.d.histories.turnOff() // the first look is the one below
	repo := newGitRepo(t)
	repo.commit(t, "first", "a.go")
	repo.work(t, "exports")
	r.discuss(t, repo.dir, "b1", "look at the bilby exporter of the warehouse, please", bilbyRule, "thanks")
	repo.git(t, "switch", "-q", "main")
	repo.git(t, "merge", "-q", "--no-ff", "--no-edit", "exports")
	r.look(t, repo.dir)
	if agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked); !strings.Contains(agent, "gzip") ||
		strings.Contains(agent, bilbyBranch) {
		t.Errorf("got %s", agent)
	}
}

func TestWhatWasSaidOnALostBranchStillNamesIt(t *testing.T) {
	longtest.Only(t)
	r, repo := startBilby(t)
	repo.git(t, "switch", "-q", "main")
	repo.git(t, "branch", "-q", "-D", "exports")
	r.look(t, repo.dir)
	if agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked); !strings.Contains(agent, bilbyBranch) {
		t.Errorf("got %s", agent)
	}
}

func TestWithoutByBranchNoBranchIsNamed(t *testing.T) {
	longtest.Only(t)
	r, repo := startBilby(t, func(c *config.Config) { c.Memory.ByBranch = false })
	repo.git(t, "switch", "-q", "main")
	if agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked); strings.Contains(agent, bilbyBranch) ||
		!strings.Contains(agent, "gzip") {
		t.Errorf("got %s", agent)
	}
}

// What takes a rule back on one branch only takes nothing back elsewhere.
func TestARuleIsReplacedOnlyWhereTheNewOneApplies(t *testing.T) {
	r, repo := startBranches(t)
	r.discuss(t, repo.dir, "b1", "look at the bilby exporter of the warehouse, please", bilbyRule, "thanks, run the tests")
	repo.work(t, "exports")
	r.discuss(t, repo.dir, "b2", "the bilby exporter again, please", "scrap the gzip archives: the bilby exporter "+
		"writes zstd instead, the warehouse scanner reads gzip no longer", "thanks")
	r.look(t, repo.dir)
	agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked)
	if !strings.Contains(agent, "replaced by") {
		t.Errorf("on the branch: %s", agent)
	}
	repo.git(t, "switch", "-q", "main")
	agent, _, _ = r.hears(t, repo.dir, "n2", bilbyAsked)
	if strings.Contains(agent, "replaced by") || !strings.Contains(agent, bilbyBranch) {
		t.Errorf("on main: %s", agent)
	}
}

// An agent that searches sees that a rule does not apply any more; who does not ask pays nothing for it.
func TestASearchMarksWhatWasReplaced(t *testing.T) {
	r, repo := startBranches(t)
	r.discuss(t, repo.dir, "b1", "look at the bilby exporter of the warehouse, please", bilbyRule, "thanks, run the tests")
	r.discuss(t, repo.dir, "b2", "the bilby exporter again, please", "scrap the gzip archives: the bilby exporter "+
		"writes zstd instead, the warehouse scanner reads gzip no longer", "thanks")
	for ask, want := range map[string]int{"": 0, "&replaced=true": 1} {
		path := "/search?q=gzip+archives+of+the+bilby+exporter&directory=" + url.QueryEscape(repo.dir)
		marked := 0
		for _, found := range into[api.SearchResults](t, r.ask(t, "GET", path+ask, "")).Results {
			if found.ReplacedBy != 0 && found.ID < found.ReplacedBy {
				marked++
			}
		}
		if marked != want {
			t.Errorf("%q: %d are marked, want %d", ask, marked, want)
		}
	}
}

// What was said last on another branch does not hide what took the rule back here.
func TestARuleIsReplacedByTheLatestThatAppliesHere(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	r.discuss(t, repo.dir, "b1", "look at the bilby exporter of the warehouse, please", bilbyRule, "thanks, run the tests")
	r.discuss(t, repo.dir, "b2", "the bilby exporter once more, please", "scrap the gzip archives: the bilby exporter "+
		"writes xz instead, the warehouse scanner refuses gzip", "thanks")
	repo.work(t, "exports")
	r.discuss(t, repo.dir, "b3", "the bilby exporter again, please", "scrap the gzip archives: the bilby exporter "+
		"writes zstd instead, the warehouse scanner reads gzip no longer", "thanks")
	r.look(t, repo.dir)
	repo.git(t, "switch", "-q", "main")
	agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked)
	xz := regexp.MustCompile(`writes xz instead.*? \((\d+)\)`).FindStringSubmatch(agent)
	if xz == nil || !strings.Contains(agent, "replaced by "+xz[1]) || strings.Count(agent, "replaced by") != 1 {
		t.Errorf("on main: %s", agent)
	}
}

// What was said stays with its branch when the session is compacted or resumed on another one.
func TestWhatWasSaidStaysWithItsBranch(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	r.begin(t, repo.dir, "b1", "startup")
	r.bilbies(t, repo.dir, "b1")
	repo.work(t, "exports")
	r.begin(t, repo.dir, "b1", "compact")
	r.look(t, repo.dir)
	repo.git(t, "switch", "-q", "main")
	if agent, _, _ := r.hears(t, repo.dir, "n1", bilbyAsked); !strings.Contains(agent, "gzip") ||
		strings.Contains(agent, bilbyBranch) {
		t.Errorf("on main is told %s", agent)
	}
}
