package capture

import (
	"cmp"
	"slices"
	"sync"

	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// place is what the place of an event says about it.
type place struct {
	gate    *privacy.Gate // nil: a config is broken
	away    string        // why nothing is captured there; "" = it is
	forGood bool          // a session in which the user says something there is left out from there on
}

// brokenConfig is why nothing is captured in a place until its config is repaired.
const brokenConfig = "the repository's config is broken"

// place returns what the place of an event says. Every folder of a workspace is checked. What the user or a repository
// decided counts before a mistake in a config.
func (i *Intake) place(e hooks.Event, id project.Identity) place {
	folders, excluded := []string{cmp.Or(id.Root, e.Dir)}, i.excluded.has(e.Dir, id)
	configs := i.gates.configured(id)
	for _, dir := range e.OtherDirs {
		dir = project.Path(dir)
		other := project.Of(dir)
		folders, configs = append(folders, other.Root), append(configs, i.gates.configured(other)...)
		excluded = excluded || i.excluded.has(dir, other)
	}
	gate, repo := i.gates.of(configs...)
	at := place{gate: gate, forGood: excluded || repo.Paused || repo.MayPause}
	switch {
	case repo.Paused:
		at.away = "capture is off"
	case excluded:
		at.away = ExcludedProject
	case gate == nil:
		at.away = brokenConfig
	}
	if gate == nil && !at.forGood { // a mistake is no decision, if it is one: where nothing is known, it may not be
		at.forGood = !i.answers.captured(folders, configs)
	} else {
		i.answers.add(!at.forGood, folders, configs)
	}
	return at
}

// answers are the last ones of folders, and of the directories with the configs that apply to them: whether work there
// is captured.
type answers struct {
	mu   sync.Mutex
	last map[string]bool
}

// maxAnswers limits the answers in memory.
const maxAnswers = 4096

func (a *answers) add(captured bool, folders, configs []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == nil || len(a.last) >= maxAnswers { // a folder without an answer counts as not captured
		a.last = map[string]bool{}
	}
	for _, dir := range slices.Concat(folders, configs) {
		a.last[dir] = captured
	}
}

// captured reports whether work in all these folders was captured when their configs could last be used. A config may
// be new.
func (a *answers) captured(folders, configs []string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !slices.ContainsFunc(folders, func(dir string) bool { return !a.last[dir] }) &&
		!slices.ContainsFunc(configs, func(dir string) bool { captured, known := a.last[dir]; return known && !captured })
}
