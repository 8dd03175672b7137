package capture

import (
	"cmp"
	"slices"
	"time"

	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// Reading is a session that is read after the fact, from the agent's own file:
// what capture would not have kept while it ran is not read either.
type Reading struct {
	Gate    *privacy.Gate
	Scope   string // of the gate's memory, shared with the events of the same session
	Project Project

	skipTools []string
	pauses    []Span
	marked    bool   // the user declared the session private, or the one that started it, and that was seen before
	seen      bool   // the prompt that declared it came by
	declare   func() // remembers that it is private
	dir       string // where it continues
	away      bool   // nothing is captured there
	left      bool   // it was in such a place
	captured  func(dir string) bool
}

// Read returns how the session of e (Agent, Session, Parent, Dir, Branch) is to be
// read, or why not.
func (i *Intake) Read(e hooks.Event) (*Reading, string) {
	e.Dir, e.Kind = project.Path(e.Dir), hooks.SessionStart
	id := identify(Incoming{Event: e})
	gate, away := i.place(e, id)
	if why := cmp.Or(away, i.unwanted(e)); why != "" {
		return nil, why
	}
	if _, paused := i.Paused(); paused {
		return nil, "paused"
	}
	own := sessionID(gate, e)
	return &Reading{Gate: gate, Scope: scope(e), Project: projectOf(gate, e, id), skipTools: i.o.Config.Capture.SkipTools,
		pauses: Pauses(i.o.Home), marked: i.private.has(own) ||
			e.Parent != "" &&
				i.private.has(sessionID(gate, hooks.Event{Agent: e.Agent, Session: e.Parent})), declare: func() { i.declare(own) },
		dir: e.Dir, captured: func(dir string) bool {
			at := hooks.Event{Dir: project.Path(dir)}
			_, away := i.place(at, identify(Incoming{Event: at}))
			return away == ""
		}}, ""
}

// projectOf is what of an identity may be kept.
func projectOf(g *privacy.Gate, e hooks.Event, id project.Identity) Project {
	return clean(g, hooks.Event{Agent: e.Agent, Session: e.Session, Dir: e.Dir, Branch: e.Branch}, id).Project
}

// Prompt reports whether what a user typed is to be read. A session that is
// declared private stays so from there on, also when only its end is read later.
func (r *Reading) Prompt(text string, at time.Time) bool {
	if r.away || asksForPrivacy(hooks.Event{Kind: hooks.Prompt, Text: text}) {
		r.marked, r.seen = true, true
		r.declare()
	}
	return r.wants(at)
}

// Moved says in which directory the session continues.
func (r *Reading) Moved(dir string) {
	if dir != "" && dir != r.dir {
		r.dir, r.away = dir, !r.captured(dir)
		r.left = r.left || r.away
	}
}

// Step reports whether an answer, or the use of a tool, is to be read.
func (r *Reading) Step(tool string, at time.Time) bool {
	return r.wants(at) && !slices.Contains(r.skipTools, tool)
}

// Second reports whether what happened at a time of which only the second is
// known is to be read.
func (r *Reading) Second(at time.Time) bool {
	return !r.paused(at, at.Add(time.Second-1))
}

func (r *Reading) wants(at time.Time) bool {
	return !r.seen && !r.away && !r.paused(at, at)
}

func (r *Reading) paused(from, until time.Time) bool {
	return slices.ContainsFunc(r.pauses, func(s Span) bool { return s.Meets(from, until) })
}

// Named reports, after the whole session, whether its title and branch may be kept:
// agents make titles of what was said, also of what is not read.
func (r *Reading) Named(from, until time.Time) bool {
	return !r.marked && !r.left && !r.paused(from, until)
}

// Private reports, after the whole session, whether none of it may be kept:
// the user declared it private, and the words are not where they were typed.
func (r *Reading) Private() bool { return r.marked && !r.seen }
