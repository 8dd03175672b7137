package capture

import (
	"cmp"
	"slices"
	"time"

	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// Reading reads a session after the fact, from the agent's own file. It skips what capture would have skipped while the
// session ran.
type Reading struct {
	Gate    *privacy.Gate
	Scope   string // key of the gate's memory, shared with the events of the same session
	Project Project

	skipTools []string
	pauses    []Span
	marked    bool   // the user had declared the session, or the one that started it, private before
	seen      bool   // the prompt that declared it private was read
	declare   func() // remembers the session as private
	dir       string // directory in which the session continues
	at        place  // what that directory says
	left      bool   // the session was in a directory in which nothing is captured
	place     func(dir string) place
}

// Read returns how to read the session of e (Agent, Session, Parent, Dir, Branch), or why not to.
func (i *Intake) Read(e hooks.Event) (*Reading, string) {
	e.Dir, e.Kind = project.Path(e.Dir), hooks.SessionStart
	id := identify(Incoming{Event: e})
	at := i.place(e, id)
	gate := at.gate
	if why := cmp.Or(at.away, i.unwanted(e)); why != "" {
		return nil, why
	}
	if _, paused := i.Paused(); paused {
		return nil, "paused"
	}
	if _, err := i.private.list(); err != nil {
		return nil, PrivateSession
	}
	parent := hooks.Event{Agent: e.Agent, Session: e.Parent}
	return &Reading{Gate: gate, Scope: scope(e), Project: projectOf(gate, e, id), skipTools: i.o.Config.Capture.SkipTools,
		pauses: Pauses(i.o.Home), marked: i.isPrivate(gate, e) ||
			e.Parent != "" && i.isPrivate(gate, parent), declare: func() { i.declare(gate, e) },
		dir: e.Dir, place: func(dir string) place {
			at := hooks.Event{Dir: project.Path(dir)}
			return i.place(at, identify(Incoming{Event: at}))
		}}, ""
}

// projectOf returns what may be kept of an identity.
func projectOf(g *privacy.Gate, e hooks.Event, id project.Identity) Project {
	return clean(g, hooks.Event{Agent: e.Agent, Session: e.Session, Dir: e.Dir, Branch: e.Branch}, id).Project
}

// Prompt reports whether to read a prompt of the user. A session that is declared private stays private from there on,
// even if only its end is read later.
func (r *Reading) Prompt(text string, at time.Time) bool {
	if r.at.forGood || Declares(hooks.Event{Kind: hooks.Prompt, Text: text}) {
		r.marked, r.seen = true, true
		r.declare()
	}
	return r.wants(at)
}

// Look makes the reading leave no trace: that a session is private is not remembered.
func (r *Reading) Look() { r.declare = func() {} }

// Moved records the directory in which the session continues.
func (r *Reading) Moved(dir string) {
	if dir != "" && dir != r.dir {
		r.dir, r.at = dir, r.place(dir)
		r.left = r.left || r.at.away != ""
	}
}

// Step reports whether to read an answer or a tool call.
func (r *Reading) Step(tool string, at time.Time) bool {
	return r.wants(at) && !slices.Contains(r.skipTools, tool)
}

// Second reports whether to read something whose time is known only to the second.
func (r *Reading) Second(at time.Time) bool {
	return !r.paused(at, at.Add(time.Second-1))
}

func (r *Reading) wants(at time.Time) bool {
	return !r.seen && r.at.away == "" && !r.paused(at, at)
}

func (r *Reading) paused(from, until time.Time) bool {
	return slices.ContainsFunc(r.pauses, func(s Span) bool { return s.Meets(from, until) })
}

// Named reports, after the whole session, whether its title and branch may be kept: agents make titles from everything
// that was said, including what must not be read.
func (r *Reading) Named(from, until time.Time) bool {
	return !r.marked && !r.left && !r.paused(from, until)
}

// Private reports, after the whole session, whether none of it may be kept: the user declared it private, but the
// prompt that did so was not in the file.
func (r *Reading) Private() bool { return r.marked && !r.seen }
