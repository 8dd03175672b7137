//go:build unix

package daemon

import (
	"path/filepath"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
)

// searched searches everywhere.
func (r *rig) searched(t *testing.T, query string) api.SearchResults {
	t.Helper()
	return into[api.SearchResults](t, r.ask(t, "GET", "/search?"+query, ""))
}

// startNeverIdle starts a daemon that reads no history, because the user always works.
func startNeverIdle(t *testing.T, repo gitRepo) *rig {
	t.Helper()
	g := startRig(t, filepath.Join(t.TempDir(), "mum"),
		func(c *config.Config) { c.Compress.Idle = config.Duration(time.Hour) })
	g.session(t, repo.dir)
	return g
}

func TestASearchSaysThatCommitsAreNotReadYet(t *testing.T) {
	repo := newGitRepo(t)
	repo.commit(t, "pay: round half to even", "pay/round.go")
	g := startNeverIdle(t, repo)
	for query, want := range map[string]bool{
		"type=commit&q=even": true, "q=even": true, "type=commit&q=even&project=shop": true,
		"type=commit&q=even&directory=" + repo.dir: true,
		"q=where+were+we":                          false, // something is found
		"type=prompt&q=even":                       false, // no commit is asked for
		"type=commit&q=even&directory=/elsewhere":  false,
	} {
		if got := g.searched(t, query); got.CommitsUnread != want {
			t.Errorf("%s: got %+v", query, got)
		}
	}
	r := startHistory(t, repo)
	r.look(t, repo.dir)
	r.session(t, repo.dir)
	if got := r.searched(t, "type=commit&q=odd"); got.CommitsUnread {
		t.Errorf("everything was read once: %+v", got)
	}
}

func TestCommitsThatAreNeverReadAreNotPromised(t *testing.T) {
	repo := newGitRepo(t)
	repo.commit(t, "pay: round half to even", "pay/round.go")
	off := startHistory(t, repo, func(c *config.Config) { c.Capture.Git = false })
	await.True(t, "a daemon that reads no history", func() bool {
		return !off.searched(t, "type=commit&q=even").CommitsUnread
	})
	repo.write(t, ".mum/config.toml", "[capture]\ngit = \"off\"\n")
	g := startNeverIdle(t, repo)
	if got := g.searched(t, "type=commit&q=even"); got.CommitsUnread {
		t.Errorf("the repository refuses it: %+v", got)
	}
}
