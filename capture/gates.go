package capture

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"keepmum/config"
	"keepmum/privacy"
	"keepmum/privacy/verdict"
	"keepmum/project"
)

// gates holds the user's gate, and one for each repository that asks for stricter rules.
type gates struct {
	options privacy.Options
	user    *privacy.Gate
	log     *slog.Logger
	own     []string // data directories; the config in them belongs to the user

	once  singleflight.Group // compiles a config once, however many events wait for it
	told  sync.Map           // ignored config files that were logged already
	mu    sync.Mutex         // guards repos; not held while compiling, so that a slow repository does not block others
	repos map[string]repoGate
}

// repoGate is the gate for a repository, built from its config and those of the directories around it.
type repoGate struct {
	stamp string // modification times of the configs
	repo  config.Repo
	gate  *privacy.Gate // nil: a config is broken, so nothing of this project may be kept
	again time.Time     // when to retry a config that was too slow; zero = when it changes
}

const (
	maxRepos  = 64                     // gates in memory; above that, another one is dropped
	maxRules  = 256                    // patterns in all configs that apply to one directory
	RepoTrial = 600 * time.Millisecond // to compile and test all patterns of a repository; a dozen take a third of it
	// tryAgain allows for a machine that was busy. With this interval, a repository with deliberately slow patterns
	// costs one percent of a core at most.
	tryAgain = 10 * time.Minute
)

func newGates(o Options) (*gates, error) {
	p := o.Config.Privacy
	g := &gates{log: o.Logger, repos: map[string]repoGate{}, options: privacy.Options{
		Mode: privacy.Mode(p.Mode), Sensitivity: p.Sensitivity, Key: o.Key,
		ExcludePaths: p.ExcludePaths, Patterns: patterns(p.Patterns),
		MaxField: int(p.MaxField), Home: o.UserHome, Vault: p.Vault, Env: o.Env,
	}}
	if o.Home != "" && len(o.Key) > 0 {
		g.options.Verdicts = verdict.Open(filepath.Join(o.Home, "verdicts.json"), verdictKey(o))
	}
	if o.Brief {
		g.options.Trial = -1
	}
	g.own = ownDirs(o.Home, o.UserHome)
	var err error
	g.user, err = privacy.New(g.options)
	return g, err
}

func verdictKey(o Options) []byte {
	if o.Verdicts != nil {
		return o.Verdicts
	}
	return o.Key
}

func patterns(in []config.Pattern) []privacy.Pattern {
	out := make([]privacy.Pattern, len(in))
	for i, p := range in {
		out[i] = privacy.Pattern(p)
	}
	return out
}

// of returns the gate for the projects at roots, and what their repositories ask for. If a repository's config cannot
// be read, the gate is nil: nothing is kept until the config is fixed, because it is unknown what it protects.
func (g *gates) of(roots ...string) (*privacy.Gate, config.Repo) {
	asking, stamp := asking(roots)
	if len(asking) == 0 {
		return g.user, config.Repo{}
	}
	key := strings.Join(asking, "\x00")
	if have, ok := g.known(key, stamp); ok {
		return have.gate, have.repo
	}
	v, _, _ := g.once.Do(key+"\x00"+stamp, func() (any, error) { return g.learn(asking, key, stamp), nil })
	made := v.(repoGate)
	return made.gate, made.repo
}

func (g *gates) known(key, stamp string) (repoGate, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	have, ok := g.repos[key]
	return have, ok && have.stamp == stamp && (have.again.IsZero() || time.Now().Before(have.again))
}

// learn compiles the configs of some directories and keeps the result.
func (g *gates) learn(asking []string, key, stamp string) repoGate {
	made := g.compile(asking)
	made.stamp = stamp
	g.mu.Lock()
	defer g.mu.Unlock()
	for other := range g.repos {
		if _, known := g.repos[key]; known || len(g.repos) < maxRepos {
			break
		}
		delete(g.repos, other)
	}
	g.repos[key] = made
	return made
}

// asking returns the roots that have a config file, and the modification times of these files.
func asking(roots []string) (out []string, stamp string) {
	for _, root := range roots {
		if root == "" || slices.Contains(out, root) {
			continue
		}
		if modified, there := config.RepoStamp(root); there {
			out = append(out, root)
			stamp += modified.String() + "\n"
		}
	}
	return out, stamp
}

// configured returns the directories whose config files apply to a project.
func (g *gates) configured(id project.Identity) []string {
	counts, ignored := configs(id, g.own, g.options.Home)
	for _, i := range ignored {
		if _, told := g.told.LoadOrStore(i.File, true); !told {
			g.log.Warn("a config file is ignored", "file", i.File, "why", i.Why)
		}
	}
	return counts
}

// Configs returns the directories whose config files apply to a directory, and the nearby config files that are
// ignored.
func Configs(dir, dataDir, userHome string) (counts []string, ignored []config.Ignored) {
	return configs(project.Of(dir), ownDirs(dataDir, userHome), userHome)
}

// configs checks the root of a project, the repository of its worktree, and the directories around both. The config
// file of the data directory is a different one.
func configs(id project.Identity, own []string, userHome string) (counts []string, ignored []config.Ignored) {
	mine := func(file string) bool { return slices.Contains(own, filepath.Dir(file)) }
	for _, at := range []string{id.Root, repository(id)} {
		these, not := config.Around(at, userHome)
		counts = append(counts, slices.DeleteFunc(these, func(dir string) bool { return mine(config.RepoFile(dir)) })...)
		ignored = append(ignored, slices.DeleteFunc(not, func(i config.Ignored) bool { return mine(i.File) })...)
	}
	return counts, ignored
}

// ownDirs returns the directories whose config is the user's own.
func ownDirs(dataDir, userHome string) (own []string) {
	for _, dir := range []string{dataDir, filepath.Dir(config.RepoFile(userHome))} {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			own = append(own, real)
		}
		own = append(own, filepath.Clean(dir))
	}
	return own
}

func (g *gates) compile(roots []string) repoGate {
	var all config.Repo
	broken := false
	for _, root := range roots {
		repo, err := config.LoadRepo(root)
		if err != nil {
			g.log.Error("a repository's config is broken, nothing in it is captured", "file", config.RepoFile(root), "error",
				err)
			broken = true // the others still say whether capture is off
		}
		for _, why := range repo.Refused {
			g.log.Warn("a repository's config may only tighten", "file", config.RepoFile(root), "refused", why)
		}
		all = all.And(repo)
	}
	if broken {
		return repoGate{repo: all}
	}
	if len(all.Patterns) > maxRules {
		g.log.Error("the configs around a repository have too many patterns, so nothing in it is captured", "file",
			config.RepoFile(roots[0]), "patterns", len(all.Patterns))
		return repoGate{repo: all}
	}
	o := g.options
	if len(all.Patterns) > 0 && o.Trial == 0 {
		o.Trial = RepoTrial
	}
	o.RepoPaths = all.ExcludePaths
	o.Patterns = slices.Concat(o.Patterns, patterns(all.Patterns))
	o.Sensitivity = config.Higher(o.Sensitivity, all.Sensitivity)
	if all.Strict {
		o.Mode = privacy.ModeStrict
	}
	gate, err := privacy.New(o)
	if err != nil {
		g.log.Error("a repository's pattern is rejected, nothing in it is captured", "file", config.RepoFile(roots[0]),
			"error", err)
		return repoGate{repo: all, again: retry(err)}
	}
	return repoGate{repo: all, gate: gate}
}

// retry returns when to test again patterns that were too slow together.
func retry(err error) time.Time {
	if errors.Is(err, privacy.ErrSlowPatterns) {
		return time.Now().Add(tryAgain)
	}
	return time.Time{}
}
