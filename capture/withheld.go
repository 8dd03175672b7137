package capture

import (
	"time"

	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// Reason is why a text is withheld. It takes the place of the text.
type Reason string

const (
	Late        Reason = "[WITHHELD:late]"   // there was no time to clean it
	BadSettings Reason = "[WITHHELD:config]" // nobody knows what settings that cannot be used should protect
)

// Withheld returns an event without its content, for a process that cannot clean it: only the fact that it happened is
// kept. It reads no files in the event's directory. The daemon does that when it takes the event from the spool, so a
// directory that is excluded from capture is still respected.
func Withheld(o Options, in Incoming, why Reason) (e Event, skipped string) {
	gate, err := privacy.New(privacy.Options{Mode: privacy.Mode(o.Config.Privacy.Mode), Key: o.Key})
	if err != nil {
		return Event{}, err.Error()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	i := Intake{o: o, private: privates{path: PrivateFile(o.Home)}}
	if Declares(in.Event) {
		return Event{}, declared(&i, in.Event)
	}
	if why := i.unwanted(in.Event); why != "" {
		return Event{}, why
	}
	if _, paused := Paused(o.Home, o.Now()); paused {
		return Event{}, "paused"
	}
	if i.isPrivate(gate, in.Event) {
		return Event{}, PrivateSession
	}
	identity := same(gate, in)
	in.Event = withoutContent(in.Event, why)
	if in.Event.At.IsZero() {
		in.Event.At = o.Now()
	}
	e = clean(gate, in.Event, project.Identity{})
	e.Same, e.Key = identity, key(gate, identity)
	return e, ""
}

// declared notes a private session without a key: the one at hand may not be the right one.
func declared(i *Intake, e hooks.Event) string {
	if err := i.private.add(plainID(e)); err != nil {
		return err.Error()
	}
	return PrivateSession
}

// Lacks reports whether text of an event is withheld for a reason.
func (e Event) Lacks(why Reason) bool {
	return e.Text.String() == string(why) || e.Output.Text().String() == string(why)
}

// withoutContent keeps only who, where, when and which tool.
func withoutContent(e hooks.Event, why Reason) hooks.Event {
	out := hooks.Event{
		Agent: e.Agent, Kind: e.Kind, Name: e.Name, Session: e.Session, Parent: e.Parent, Subagent: e.Subagent,
		SubType: e.SubType, Progress: e.Progress, Dir: e.Dir, Source: e.Source, PromptID: e.PromptID,
		Tool: e.Tool, CallID: e.CallID,
		Failed: e.Failed, DurationMS: e.DurationMS, At: e.At,
	}
	if e.Text != "" {
		out.Text = string(why)
	}
	if e.Kind == hooks.Observation {
		out.Output = string(why)
	}
	return out
}
