package main

import (
	"os"
	"slices"

	"keepmum/config"
	"keepmum/project"
)

// repoConfig is what the repository of a directory asks for.
type repoConfig struct {
	file string
	asks config.Repo
	away []config.Ignored // what does not count here, above the repository too
	err  error            // it cannot be read, and nothing of it is captured
}

// repoHere reads the config of this directory's repository; false = it has none.
func repoHere(userHome string) (repoConfig, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return repoConfig{}, false
	}
	root := project.Of(dir).Root
	r := repoConfig{file: config.RepoFile(root)}
	counts, ignored := config.Around(root, userHome)
	r.away = slices.DeleteFunc(ignored, func(i config.Ignored) bool { return i.File == config.RepoFile(userHome) })
	if !slices.Contains(counts, root) {
		return r, len(r.away) > 0
	}
	r.asks, r.err = config.LoadRepo(root)
	return r, true
}

func (r repoConfig) wrong() bool { return r.err != nil || len(r.asks.Refused)+len(r.away) > 0 }

// lines say what is in force, and what was refused.
func (r repoConfig) lines() []string {
	if r.err != nil {
		return []string{"nothing is captured here: " + r.err.Error()}
	}
	var out []string
	for _, s := range []struct {
		on   bool
		text string
	}{
		{r.asks.Paused, "capture is off"}, {r.asks.NoContext, "context is off"}, {r.asks.Strict, "privacy mode strict"},
		{len(r.asks.ExcludePaths) > 0, count(int64(len(r.asks.ExcludePaths)), "excluded path")},
		{len(r.asks.Patterns) > 0, count(int64(len(r.asks.Patterns)), "pattern")},
	} {
		if s.on {
			out = append(out, s.text)
		}
	}
	for _, why := range r.asks.Refused {
		out = append(out, "refused "+why)
	}
	for _, i := range r.away {
		out = append(out, i.File+" is ignored: "+i.Why)
	}
	if len(out) == 0 {
		return []string{"it asks for nothing"}
	}
	return out
}

// checkRepo says what the repository of this directory asks for; false = nothing.
func (a *app) checkRepo() (finding, bool) {
	r, ok := repoHere(a.userHome)
	if !ok {
		return finding{}, false
	}
	f := finding{Check: "repository", State: stateOK, Detail: a.tilde(r.file)}
	for _, line := range r.lines() {
		f.Detail += "; " + line
	}
	if r.wrong() {
		f.State, f.Fix = stateWarning, "$EDITOR "+a.tilde(r.file)
	}
	if len(r.away) > 0 {
		f.Fix = r.away[0].Fix
	}
	return f, true
}
