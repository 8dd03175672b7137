package capture

import (
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"keepmum/config"
	"keepmum/privacy"
)

// gates holds the user's gate, and one per repository that asks for more.
type gates struct {
	options privacy.Options
	user    *privacy.Gate
	log     *slog.Logger

	mu    sync.Mutex
	repos map[string]repoGate
}

// repoGate is what one repository's own config made of the gate.
type repoGate struct {
	modified time.Time
	repo     config.Repo
	gate     *privacy.Gate // nil: the config is broken, nothing of this project may be kept
}

// maxRepos bounds the gates in memory; a repository beyond it is compiled each time it is seen.
const maxRepos = 64

func newGates(o Options) (*gates, error) {
	p := o.Config.Privacy
	g := &gates{log: o.Logger, repos: map[string]repoGate{}, options: privacy.Options{
		Mode: privacy.Mode(p.Mode), Key: o.Key, ExcludePaths: p.ExcludePaths, Patterns: patterns(p.Patterns),
		MaxField: int(p.MaxField), Home: o.UserHome, Vault: p.Vault, Env: o.Env,
	}}
	var err error
	g.user, err = privacy.New(g.options)
	return g, err
}

func patterns(in []config.Pattern) []privacy.Pattern {
	out := make([]privacy.Pattern, len(in))
	for i, p := range in {
		out[i] = privacy.Pattern(p)
	}
	return out
}

// of returns the gate for the project at root, and what its repository asks
// for. A repository config that cannot be read gives a nil gate: what it
// wanted to protect is unknown, so nothing is kept until it is mended.
func (g *gates) of(root string) (*privacy.Gate, config.Repo) {
	info, err := os.Stat(config.RepoFile(root))
	if root == "" || err != nil {
		return g.user, config.Repo{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if have, ok := g.repos[root]; ok && have.modified.Equal(info.ModTime()) {
		return have.gate, have.repo
	}
	made := g.compile(root)
	made.modified = info.ModTime()
	if len(g.repos) < maxRepos {
		g.repos[root] = made
	}
	return made.gate, made.repo
}

func (g *gates) compile(root string) repoGate {
	repo, err := config.LoadRepo(root)
	if err != nil {
		g.log.Error("a repository's config is broken, nothing of it is captured", "file", config.RepoFile(root), "error", err)
		return repoGate{}
	}
	for _, why := range repo.Refused {
		g.log.Warn("a repository's config may only tighten", "file", config.RepoFile(root), "refused", why)
	}
	o := g.options
	o.RepoPaths = repo.ExcludePaths
	o.Patterns = slices.Concat(o.Patterns, patterns(repo.Patterns))
	if repo.Strict {
		o.Mode = privacy.ModeStrict
	}
	gate, err := privacy.New(o)
	if err != nil {
		g.log.Error("a repository's pattern is refused, nothing of it is captured", "file", config.RepoFile(root), "error", err)
		return repoGate{repo: repo}
	}
	return repoGate{repo: repo, gate: gate}
}
