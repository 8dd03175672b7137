package main

import (
	"os"

	"keepmum/config"
	"keepmum/project"
)

// repoConfig is what the repository of a directory asks for.
type repoConfig struct {
	file string
	asks config.Repo
	err  error // it cannot be read, and nothing of it is captured
}

// repoHere reads the config of this directory's repository; false = it has none.
func repoHere() (repoConfig, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return repoConfig{}, false
	}
	root := project.Of(dir).Root
	r := repoConfig{file: config.RepoFile(root)}
	if _, there := config.RepoStamp(root); root == "" || !there {
		return r, false
	}
	r.asks, r.err = config.LoadRepo(root)
	return r, true
}

func (r repoConfig) wrong() bool { return r.err != nil || len(r.asks.Refused) > 0 }

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
	if len(out) == 0 {
		return []string{"it asks for nothing"}
	}
	return out
}

// checkRepo says what the repository of this directory asks for; false = nothing.
func (a *app) checkRepo() (finding, bool) {
	r, ok := repoHere()
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
	return f, true
}
