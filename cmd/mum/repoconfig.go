package main

import (
	"os"
	"slices"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/privacy"
)

// repoConfig is what one config file, in or around this directory's repository, asks for.
type repoConfig struct {
	file string
	asks config.Repo
	away *config.Ignored // why it is ignored; nil = it is in effect
	err  error           // it cannot be read, and nothing is captured here
}

// reposHere reads the config files that apply to this directory, the nearest first, and compiles their patterns
// together with the user's own, as capture does.
func (a *app) reposHere(c config.Loaded) (all []repoConfig) {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	data, _ := a.home() // without one there is none to leave out
	counts, ignored := capture.Configs(dir, string(data), a.userHome)
	for _, root := range counts {
		r := repoConfig{file: config.RepoFile(root)}
		if r.asks, r.err = config.LoadRepo(root); r.err == nil {
			both := append(patterns(c.Privacy.Patterns), patterns(r.asks.Patterns)...)
			_, r.err = privacy.New(privacy.Options{Patterns: both, RepoPaths: r.asks.ExcludePaths, Home: a.userHome,
				Trial: capture.RepoTrial})
		}
		all = append(all, r)
	}
	for _, i := range ignored {
		all = append(all, repoConfig{file: i.File, away: &i})
	}
	same := func(a, b repoConfig) bool { return a.file == b.file } // a worktree inside its repository
	return slices.CompactFunc(all, same)
}

func (r repoConfig) wrong() bool { return r.err != nil || r.away != nil || len(r.asks.Refused) > 0 }

// fix returns the command that fixes an invalid config.
func (r repoConfig) fix(a *app) string {
	if r.away != nil {
		return r.away.Fix
	}
	return "$EDITOR " + a.tilde(r.file)
}

// lines say what is in effect, and what was refused.
func (r repoConfig) lines() []string {
	switch {
	case r.err != nil:
		return []string{"nothing is captured here: " + r.err.Error()}
	case r.away != nil:
		return []string{"it is ignored: " + r.away.Why}
	}
	var out []string
	for _, s := range []struct {
		on   bool
		text string
	}{
		{r.asks.Paused, "capture is off"}, {r.asks.NoContext, "context is off"}, {r.asks.Strict, "privacy mode strict"},
		{r.asks.Sensitivity != "", "sensitivity " + r.asks.Sensitivity + " at least"},
		{len(r.asks.ExcludePaths) > 0, count(len(r.asks.ExcludePaths), "excluded path")},
		{len(r.asks.Patterns) > 0, count(len(r.asks.Patterns), "pattern")},
	} {
		if s.on {
			out = append(out, s.text)
		}
	}
	for _, why := range r.asks.Refused {
		out = append(out, "refused "+why)
	}
	if len(out) == 0 {
		return []string{"it changes nothing"}
	}
	return out
}

// checkRepos reports what the config files of this directory ask for.
func (a *app) checkRepos(c config.Loaded) (all []finding) {
	for _, r := range a.reposHere(c) {
		f := finding{Check: "repository", State: stateOK, Detail: a.tilde(r.file)}
		for _, line := range r.lines() {
			f.Detail += "; " + line
		}
		if r.wrong() {
			f.State, f.Fix = stateWarning, r.fix(a)
		}
		all = append(all, f)
	}
	return all
}
