package distill

import (
	"context"
	"encoding/json"
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
		Output: within(output), Fields: map[string]string{"text": reminder.ReplaceAllString(e.Text, "")}})
	c.note(ev.Findings)
}

// reminder matches a tag whose contents the gate would drop unread.
var reminder = lazyregexp.New(`</?system-reminder>`)

// clean passes an entry through the gate as one event, together with the output that is dropped afterwards, so that a
// secret in the output is also removed from what is said about it.
func (c *compactor) clean(step *extract.Step, e transcript.Entry) {
	ev := c.event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Links: c.links, Tool: e.Tool, Input: e.Input,
		Output: within(e.Output),
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

const (
	maxHeard = 240 << 10 // of each end of an output, to learn its secrets
	maxEnd   = 1 << 10   // of each end of an output, to find why it failed
)

// within returns an output without its middle if it is too long to read completely.
func within(out any) any {
	s, ok := out.(string)
	if !ok || len(s) <= 2*maxHeard {
		return out
	}
	head, tail := cut(s, maxHeard)
	return strings.ToValidUTF8(s[:head], "") + "\n" + strings.ToValidUTF8(s[tail:], "")
}

// ends returns both ends of a long output. Only one line of it is kept later.
func ends(out privacy.Clean) privacy.Clean {
	s := out.String()
	if len(s) <= 2*maxEnd {
		return out
	}
	head, tail := cut(s, maxEnd)
	return privacy.Join("\n", out.Slice(0, head), out.Slice(tail, len(s)))
}

// cut returns where the middle of a text begins and ends, at line ends if possible.
func cut(s string, end int) (head, tail int) {
	head, tail = end, len(s)-end
	for head > 0 && s[head-1] != '\n' && head > end/2 {
		head--
	}
	for tail < len(s) && s[tail-1] != '\n' && tail < len(s)-end/2 {
		tail++
	}
	return head, tail
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
	c.steps = slices.Clone(c.steps[n:]) // so that the dropped ones can be collected
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

var errorLine = lazyregexp.New(
	`(?i)error|fail|panic|exception|fatal|undefined|cannot|can't|no such|not found|denied|refused|timed? ?out|mismatch|expected`)

// whyFailed returns the line of an output that says what went wrong: the first that looks like an error, otherwise the
// last.
func whyFailed(text privacy.Clean) privacy.Clean {
	last, s := privacy.Clean{}, text.String()
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:], '\n')
		if end < start {
			end = len(s)
		}
		if line := strings.TrimSpace(s[start:end]); line != "" && !isPreamble(line) {
			at := start + strings.Index(s[start:end], line)
			last = text.Slice(at, at+len(line))
			if errorLine.MatchString(line) {
				break
			}
		}
		start = end + 1
	}
	return last
}

// isPreamble reports whether a line is one of those that agents put before the output of a command.
func isPreamble(line string) bool {
	low := strings.ToLower(line)
	return strings.HasPrefix(low, "exit code") || strings.HasPrefix(low, "process exited with code") ||
		strings.HasPrefix(low, "wall time")
}

// stored yields what hooks captured of a session in the form of its transcript.
func (r *run) stored(ctx context.Context, session int64, yield func(transcript.Entry) error) error {
	for after := int64(0); ; {
		rows, err := r.w.DB.SessionDocs(ctx, session, after, 500)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.ID
			e := transcript.Entry{At: row.Date, Ref: "#" + decimal(row.ID), Sidechain: row.Subagent != ""}
			switch {
			case row.Tool != "":
				e.Role, e.Tool, e.Input, e.Output, e.Failed = transcript.Tool, row.Tool, jsonValue(row.Input),
					jsonValue(row.Output), row.Failed
			case row.Role == "user":
				e.Role, e.Text = transcript.User, row.Text
			case row.Who == "compaction":
				e.Role, e.Text = transcript.Summary, row.Text
			default:
				e.Role, e.Text = transcript.Assistant, row.Text
			}
			if err := yieldWith(e, yield); err != nil {
				return err
			}
		}
	}
}

// yieldWith yields an entry, and what the user answered in it.
func yieldWith(e transcript.Entry, yield func(transcript.Entry) error) error {
	if err := yield(e); err != nil || e.Role != transcript.Tool || e.Failed {
		return err
	}
	for _, said := range transcript.Answered(e.Tool, e.Output) {
		said.At, said.Ref, said.Sidechain = e.At, e.Ref, e.Sidechain
		if err := yield(said); err != nil {
			return err
		}
	}
	return nil
}

// jsonValue decodes stored JSON and returns other text as a string.
func jsonValue(s string) any {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if s == "" || dec.Decode(&v) != nil || dec.More() {
		return s
	}
	return v
}
