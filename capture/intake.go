package capture

import (
	"cmp"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"keepmum/config"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// Options configure an [Intake].
type Options struct {
	Home     string // data directory with the user's switches; "" = none
	Config   config.Config
	Key      []byte   // key of the redaction tags
	Verdicts []byte   // key of the user's verdicts; nil = Key
	UserHome string   // expands ~ in the denylist, and locates the vault; "" = unknown
	Env      []string // NAME=value of this process; the vault removes its secrets
	// Brief is for a process that handles one event in little time: patterns are not tested for slowness first.
	Brief  bool
	Logger *slog.Logger     // nil = discard
	Now    func() time.Time // nil = time.Now
}

// Intake decides what is kept of an event. It is safe for concurrent use.
type Intake struct {
	o        Options
	gates    *gates
	excluded excluded
	answers  answers
	private  privates
	clock    clock
}

// NewIntake compiles the gate. A bad user pattern is an error that names it.
func NewIntake(o Options) (*Intake, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	g, err := newGates(o)
	if err != nil {
		return nil, err
	}
	out, err := newExcluded(o.Config.Capture.ExcludeProjects, o.UserHome)
	return &Intake{o: o, gates: g, excluded: out, private: privates{path: PrivateFile(o.Home)}}, err
}

// Gate returns the user's gate, for text outside any repository.
func (i *Intake) Gate() *privacy.Gate { return i.gates.user }

// GateAt returns the gate for text from the repository at root, or nil if the repository's config is broken, so that
// nothing of it may be kept.
func (i *Intake) GateAt(root string) *privacy.Gate {
	gate, _ := i.gates.of(i.gates.configured(project.Of(root))...)
	return gate
}

// Repo returns what the repository at root asks for.
func (i *Intake) Repo(root string) config.Repo {
	if root == "" {
		return config.Repo{}
	}
	_, repo := i.gates.of(i.gates.configured(project.Of(root))...)
	return repo
}

// Paused reports whether the user paused capture, and until when.
func (i *Intake) Paused() (until time.Time, paused bool) { return Paused(i.o.Home, i.o.Now()) }

// Incoming is an event before it is cleaned.
type Incoming struct {
	Event   hooks.Event
	Project string            // set by the caller; "" = found from the directory
	Key     string            // of this delivery, for an event without its own id; "" = it is delivered once
	Same    string            // [Event.Same] of an event that was cleaned before; "" = it was not
	Taken   []privacy.Finding // what was redacted before it arrived here
}

// Take returns the cleaned event, or the reason why it is not kept.
func (i *Intake) Take(in Incoming) (e Event, skipped string) {
	in.Event.Dir = project.Path(in.Event.Dir)
	id := identify(in)
	at := i.place(in.Event, id)
	gate := at.gate
	if Declares(in.Event) || in.Event.Kind == hooks.Prompt && at.forGood {
		i.declare(i.gates.user, in.Event)
	}
	if why := cmp.Or(at.away, i.unwanted(in.Event)); why != "" && why != skippedTool {
		return Event{}, why
	}
	if why := i.switchedOff(gate, in.Event); why != "" {
		return Event{}, why
	}
	if i.skips(in.Event.Tool) {
		clean(gate, in.Event, id) // the gate learns the secrets in it, even though the event is dropped
		return Event{}, skippedTool
	}
	if in.Event.At.IsZero() {
		in.Event.At = i.clock.now(i.o.Now)
	}
	e = clean(gate, in.Event, id)
	e.Same = same(gate, in)
	e.Key, e.Findings = key(gate, e.Same), append(e.Findings, in.Taken...)
	if e.Private {
		return Event{}, "private"
	}
	return e, ""
}

// Project returns what is known about a directory, cleaned.
func (i *Intake) Project(dir string) Project {
	return clean(i.gates.user, hooks.Event{}, project.Of(dir)).Project
}

// identify finds the project of an event: the one of its directory, unless the caller chose another name.
func identify(in Incoming) (id project.Identity) {
	if in.Event.Dir != "" {
		id = project.Of(in.Event.Dir)
	}
	if in.Project != "" && in.Project != id.Name {
		return project.Identity{Name: in.Project}
	}
	return id
}

// unwanted returns why an event is not captured, regardless of where it happened; "" = it is.
func (i *Intake) unwanted(e hooks.Event) string {
	c := i.o.Config.Capture
	switch {
	case e.Kind == hooks.Ignored:
		return "nothing to keep"
	case !c.Enabled:
		return "capture is off"
	case i.skips(e.Tool):
		return skippedTool
	default:
		return ""
	}
}

// PrivateSession is the reason for skipping a session that the user declared private.
const PrivateSession = "private session"

// ExcludedProject is the reason for skipping work in a directory that the user excluded.
const ExcludedProject = "directory is in capture.exclude_projects"

const skippedTool = "tool is in capture.skip_tools"

func (i *Intake) skips(tool string) bool { return slices.Contains(i.o.Config.Capture.SkipTools, tool) }

// switchedOff returns which of the user's switches excludes an event; "" = none.
func (i *Intake) switchedOff(g *privacy.Gate, e hooks.Event) string {
	if _, paused := Paused(i.o.Home, i.o.Now()); paused {
		return "paused"
	}
	if Declares(e) || i.isPrivate(g, e) {
		return PrivateSession
	}
	return ""
}

// declare remembers a session as private. If that fails, the error is logged; the prompt is skipped all the same.
func (i *Intake) declare(g *privacy.Gate, e hooks.Event) {
	if err := i.private.add(sessionID(g, e)); err != nil {
		i.o.Logger.Error("a session could not be remembered as private", "error", err)
	}
}

// MakePrivate stops capture of a session, as if its user had started a prompt with #private.
func (i *Intake) MakePrivate(agent, session string) error {
	return i.private.add(sessionID(i.gates.user, hooks.Event{Agent: agent, Session: session}))
}

// key returns how the store recognises an event. An event that is never delivered again has none: it would be one more
// page to write.
func key(g *privacy.Gate, same string) privacy.Clean {
	if same == "" {
		return privacy.Clean{}
	}
	return g.ID("event", same)
}

// same identifies repeats of the same event: by the agent's own id if there is one, otherwise by the delivery's.
// An event that was cleaned before says it itself: its text is no longer what the agent sent.
func same(g *privacy.Gate, in Incoming) string {
	e := in.Event
	own := e.CallID
	if own == "" && e.PromptID != "" {
		own = e.PromptID + "\x00" + e.Text
	}
	switch {
	case in.Same != "":
		return in.Same
	case own != "":
		return g.ID(e.Agent, string(e.Kind), e.Session, e.Subagent, own).String()
	case in.Key != "":
		return g.ID(in.Key, string(e.Kind)).String()
	}
	return ""
}

// Delivery is the key of the i-th event of one payload.
func Delivery(key string, i int) string {
	if i == 0 {
		return key
	}
	return key + "-" + strconv.Itoa(i)
}
