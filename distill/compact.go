package distill

import (
	"slices"
	"strings"
	"time"

	"keepmum/extract"
	"keepmum/lazyregexp"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/transcript"
)

// compactor turns an agent's entries into steps. It reduces tool output to the line that says why the tool failed,
// omits our own text and what the user keeps private, and passes the rest through the gate.
type compactor struct {
	a       *Admission
	repeats repeats                             // of the run; nil = none are known
	dir     string                              // of the session
	hash    privacy.Clean                       // of the steps so far
	key     func(parts ...string) privacy.Clean // makes a keyed hash
	at      time.Time                           // of the last step that had a time
	steps   []extract.Step
	bytes   int // size of the steps
	dropped int // number of steps dropped from the front to save space
	gone    store.ForgottenTexts
	mark    func(store.Role, privacy.Clean) string // [store.DB.SaidMark] for this session; nil = not needed
	marks   map[int]string                         // of the messages that were cut, by number
	links   *privacy.Links                         // of the files in this session
	taken   []privacy.Finding                      // what the gate removed, each value once
	total   counts
}

// counts are the numbers of steps by author.
type counts struct{ prompts, answers, tools int }

// Limits on what is kept of one step, and of one session in memory.
const (
	maxText    = 32 << 10
	maxCommand = 4 << 10
	maxError   = 300
	maxFiles   = 40
	maxSession = 32 << 20
)

// ownBlock matches what we tell agents, which must not be learned from.
var ownBlock = lazyregexp.New(`(?s)<mum-context\b[^>]*>.*?</mum-context>|<system-reminder>.*?</system-reminder>`)

// take handles one entry; it is a yield for [transcript.Read].
func (c *compactor) take(e transcript.Entry) error {
	if !e.At.IsZero() {
		c.at = e.At
	}
	at := c.at
	c.a.Moved(e.Dir)
	step := extract.Step{At: e.At, Sidechain: e.Sidechain}
	switch e.Role {
	case transcript.User:
		if !c.a.Prompt(e.Text, at) || !c.a.Step(e.Tool, at) {
			return nil
		}
		step.Role = extract.User
	case transcript.Assistant, transcript.Summary:
		if !c.a.Step(e.Tool, at) {
			return nil
		}
		step.Role = extract.Role(e.Role)
	case transcript.Tool:
		if e.Tool == "" || own(e.Tool) || !c.a.Step("", at) {
			return nil
		}
		if c.hear(e, unread(e)); !c.a.Step(e.Tool, at) {
			c.hear(e, e.Output)
			return nil
		}
		step.Role = extract.Tool
	case transcript.Aside:
		if c.a.Step("", at) {
			c.hear(e, e.Beside)
		}
		return nil
	default:
		return nil
	}
	c.clean(&step, e)
	return nil
}

// own reports whether a tool is ours: what it returned did not happen in the session.
func own(tool string) bool {
	for _, prefix := range []string{"mcp__mum__", "mcp__plugin_mum_mum__", "mum_memory_"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}

// hear learns the secrets in text that is not kept, so that they are recognised later.
func (c *compactor) hear(e transcript.Entry, output any) {
	if output == nil && e.Role == transcript.Tool {
		return
	}
	ev := c.a.Gate.Event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Links: c.links, Tool: e.Tool, Input: e.Input,
		Output: withoutMiddle(output), Fields: map[string]string{"text": reminder.ReplaceAllString(e.Text, "")}})
	c.note(ev.Findings)
}

// reminder matches a tag whose contents the gate would drop unread.
var reminder = lazyregexp.New(`</?system-reminder>`)

// clean passes an entry through the gate as one event, together with the output that is dropped afterwards, so that a
// secret in the output is also removed from what is said about it.
func (c *compactor) clean(step *extract.Step, e transcript.Entry) {
	ev := c.event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Links: c.links, Tool: e.Tool, Input: e.Input,
		Output: withoutMiddle(e.Output),
		Fields: map[string]string{"text": withoutOwn(e.Text), "ref": e.Ref, "branch": e.Branch}}, e)
	if ev.Private {
		return
	}
	c.note(ev.Findings)
	text := c.gone.Without(ev.Fields["text"])
	step.Text, step.Ref = text.Cut(maxText), ev.Fields["ref"].Cut(128)
	step.Branch = c.gone.Without(ev.Fields["branch"])
	if step.Role != extract.Tool {
		if strings.TrimSpace(step.Text.String()) != "" {
			c.markCut(step, text)
			c.keep(*step)
		}
		return
	}
	step.Text = privacy.Clean{}
	step.Tool, step.Failed, step.Edit = ev.Tool.Cut(128), e.Failed, edits(e.Tool)
	step.Command = c.gone.Without(command(ev.Input)).Cut(maxCommand)
	for _, path := range ev.Paths[:min(len(ev.Paths), maxFiles)] {
		step.Files = append(step.Files, c.gone.Without(c.below(path)))
	}
	if e.Failed {
		step.Error = c.gone.Without(whyFailed(ends(ev.Output.Text()))).Cut(maxError)
	}
	c.keep(*step)
}

// markCut remembers how a message that is cut is recognised if it was forgotten: that depends on all of it. The mark is
// taken before secrets that become known later are removed from the message, so it does not recognise one that was
// stored without them.
func (c *compactor) markCut(s *extract.Step, whole privacy.Clean) {
	if c.mark == nil || s.Text.String() == whole.String() {
		return
	}
	if c.marks == nil {
		c.marks = map[int]string{}
	}
	c.marks[c.dropped+len(c.steps)] = c.mark(roleOf(s), whole)
}

// marksHeld returns the marks of the messages that are still there, by step.
func (c *compactor) marksHeld() map[int]string {
	held := map[int]string{}
	for i, mark := range c.marks {
		held[i-c.dropped] = mark // a number below zero is that of no step
	}
	return held
}

// roleOf returns the role with which a message is stored.
func roleOf(s *extract.Step) store.Role {
	if s.Role == extract.User {
		return store.RoleUser
	}
	return store.RoleAssistant
}

// maxTaken limits the number of findings kept for one session.
const maxTaken = 4096

// note keeps findings for the ledger, each value once, however often a session contains it.
func (c *compactor) note(found []privacy.Finding) {
	for _, f := range found {
		known := func(o privacy.Finding) bool { return o.MAC == f.MAC && (f.MAC != "" || o == f) }
		if len(c.taken) < maxTaken && !slices.ContainsFunc(c.taken, known) {
			c.taken = append(c.taken, f)
		}
	}
}

// again removes from the steps values that were recognised as secrets only later.
func (c *compactor) again() {
	for i := range c.steps {
		s := &c.steps[i]
		kept := []*privacy.Clean{&s.Text, &s.Command, &s.Error}
		for f := range s.Files {
			kept = append(kept, &s.Files[f])
		}
		for _, text := range kept {
			c.note(c.a.Gate.Known(c.a.Scope, text))
		}
	}
}

// below returns a path relative to the session's directory if it is inside: that is how a project refers to its files.
func (c *compactor) below(path privacy.Clean) privacy.Clean {
	s := path.String()
	if rest, ok := strings.CutPrefix(s, c.dir); ok && c.dir != "" && len(rest) > 1 && (rest[0] == '/' || rest[0] == '\\') {
		return path.Slice(len(s)-len(rest)+1, len(s))
	}
	return path
}

// withoutOwn returns a text without what we told the agent.
func withoutOwn(text string) string {
	if !strings.Contains(text, "<mum-context") && !strings.Contains(text, "<system-reminder") {
		return text
	}
	return ownBlock.ReplaceAllString(text, "")
}

// keep adds a step. Each hash covers the previous ones, so that a later reading of only the end has the same result.
func (c *compactor) keep(s extract.Step) {
	switch s.Role {
	case extract.User:
		c.total.prompts++
	case extract.Tool:
		c.total.tools++
	default:
		c.total.answers++
	}
	c.hash = c.key(c.hash.String(), string(s.Role), s.Text.String(), s.Tool.String(), s.Command.String(), s.Error.String())
	c.steps = append(c.steps, s)
	c.bytes += sizeOf(&s)
	if c.bytes > maxSession {
		c.halve()
	}
}

// halve drops the older half: a session this large was read before, and what is new is at its end.
func (c *compactor) halve() {
	n := len(c.steps) / 2
	c.dropped += n
	c.steps = append([]extract.Step(nil), c.steps[n:]...) // so that the dropped ones can be collected
	c.bytes = 0
	for i := range c.steps {
		c.bytes += sizeOf(&c.steps[i])
	}
}

// sizeOf estimates how much memory a step takes.
func sizeOf(s *extract.Step) int {
	const others = 200 // bytes of what is not counted
	return len(s.Text.String()) + len(s.Command.String()) + len(s.Error.String()) + others
}

// command returns the command that a shell tool ran.
func command(in privacy.Tree) privacy.Clean {
	for _, key := range []string{"command", "cmd", "script"} {
		if c := in.Field(key); !c.IsZero() {
			return c
		}
	}
	return privacy.Clean{}
}

// edits reports whether a tool changes files, by the names that agents use.
func edits(tool string) bool {
	name := strings.ToLower(tool)
	for _, part := range []string{"edit", "write", "patch", "str_replace", "search_replace", "create_file",
		"delete_file"} {
		if strings.Contains(name, part) {
			return !strings.HasPrefix(name, "todo")
		}
	}
	return false
}
