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

// compactor turns what an agent wrote into steps: what a tool gave back is
// reduced to the line that says why it failed, our own words and what the user
// keeps private are left out, and the rest passes the gate.
type compactor struct {
	a       *Admission
	dir     string
	hash    privacy.Clean
	key     func(parts ...string) privacy.Clean
	at      time.Time // of the last step that had one
	steps   []extract.Step
	bytes   int // in steps
	dropped int // steps at the front: too much for the memory
	gone    store.ForgottenTexts
	taken   []privacy.Finding // what the gate took out, a value once
	total   counts
}

type counts struct{ prompts, answers, tools int }

// Bounds of what is kept of one step, and of one session in memory.
const (
	maxText    = 32 << 10
	maxCommand = 4 << 10
	maxError   = 300
	maxFiles   = 40
	maxSession = 32 << 20
)

// ownBlock is what we tell agents; it must not be learned from.
var ownBlock = lazyregexp.New(`(?s)<mum-context\b[^>]*>.*?</mum-context>|<system-reminder>.*?</system-reminder>`)

// take is a yield for [transcript.Read].
func (c *compactor) take(e transcript.Entry) error {
	if !e.At.IsZero() {
		c.at = e.At
	}
	at := c.at
	c.a.Moved(e.Dir)
	step := extract.Step{At: e.At, Sidechain: e.Sidechain}
	switch e.Role {
	case transcript.User:
		if !c.a.Prompt(e.Text, at) {
			return nil
		}
		step.Role = extract.User
	case transcript.Assistant, transcript.Summary:
		if !c.a.Step("", at) {
			return nil
		}
		step.Role = extract.Role(e.Role)
	case transcript.Tool:
		if e.Tool == "" || own(e.Tool) || !c.a.Step("", at) {
			return nil
		}
		if c.hear(e, e.Beside); !c.a.Step(e.Tool, at) {
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

// own says that a tool is ours: what the memory told is not what happened.
func own(tool string) bool {
	for _, prefix := range []string{"mcp__mum__", "mcp__plugin_mum_mum__", "mum_memory_"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}

// hear learns the secrets in what is not kept, so that they are known when
// somebody names them later.
func (c *compactor) hear(e transcript.Entry, output any) {
	if output == nil && e.Role == transcript.Tool {
		return
	}
	ev := c.a.Gate.Event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Tool: e.Tool, Input: e.Input, Output: within(output),
		Fields: map[string]string{"text": reminder.ReplaceAllString(e.Text, "")}})
	c.note(ev.Findings)
}

// reminder is a tag around what the gate would drop without a look.
var reminder = lazyregexp.New(`</?system-reminder>`)

// clean passes an entry through the gate as one event, with what is dropped
// right after: a secret in an output is taken out of what is said about it.
func (c *compactor) clean(step *extract.Step, e transcript.Entry) {
	ev := c.a.Gate.Event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Tool: e.Tool, Input: e.Input,
		Output: within(e.Output),
		Fields: map[string]string{"text": withoutOwn(e.Text), "ref": e.Ref, "branch": e.Branch}})
	if ev.Private {
		return
	}
	c.note(ev.Findings)
	step.Text, step.Ref = c.gone.Without(ev.Fields["text"]).Cut(maxText), ev.Fields["ref"].Cut(128)
	step.Branch = c.gone.Without(ev.Fields["branch"])
	if step.Role != extract.Tool {
		if strings.TrimSpace(step.Text.String()) != "" {
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

// maxTaken bounds what is noted of one session.
const maxTaken = 4096

// note keeps what was taken out, for the ledger: a value once, however often a
// session says it.
func (c *compactor) note(found []privacy.Finding) {
	for _, f := range found {
		known := func(o privacy.Finding) bool { return o.MAC == f.MAC && (f.MAC != "" || o == f) }
		if len(c.taken) < maxTaken && !slices.ContainsFunc(c.taken, known) {
			c.taken = append(c.taken, f)
		}
	}
}

// again takes out of the steps what turned out to be a secret after they were said.
func (c *compactor) again() {
	known := func(text *privacy.Clean) {
		found := c.a.Gate.Known(c.a.Scope, text)
		c.note(found)
	}
	for i := range c.steps {
		s := &c.steps[i]
		for _, text := range []*privacy.Clean{&s.Text, &s.Command, &s.Error} {
			known(text)
		}
		for f := range s.Files {
			known(&s.Files[f])
		}
	}
}

// below is a path as it is below the directory of the session, where it is: that is
// how a project mentions its files.
func (c *compactor) below(path privacy.Clean) privacy.Clean {
	s := path.String()
	if rest, ok := strings.CutPrefix(s, c.dir); ok && c.dir != "" && len(rest) > 1 && (rest[0] == '/' || rest[0] == '\\') {
		return path.Slice(len(s)-len(rest)+1, len(s))
	}
	return path
}

const (
	maxHeard = 240 << 10 // of each end of an output: its secrets are learned
	maxEnd   = 1 << 10   // of each end of an output: why it failed is looked for there
)

// within is an output without the middle that is too long to be looked at.
func within(out any) any {
	s, ok := out.(string)
	if !ok || len(s) <= 2*maxHeard {
		return out
	}
	head, tail := cut(s, maxHeard)
	return strings.ToValidUTF8(s[:head], "") + "\n" + strings.ToValidUTF8(s[tail:], "")
}

// ends are the two ends of a long output. All of it is dropped but one line.
func ends(out privacy.Clean) privacy.Clean {
	s := out.String()
	if len(s) <= 2*maxEnd {
		return out
	}
	head, tail := cut(s, maxEnd)
	return privacy.Join("\n", out.Slice(0, head), out.Slice(tail, len(s)))
}

// cut returns where the middle of a text begins and ends, at the ends of lines where there are any.
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

func withoutOwn(text string) string {
	if !strings.Contains(text, "<mum-context") && !strings.Contains(text, "<system-reminder") {
		return text
	}
	return ownBlock.ReplaceAllString(text, "")
}

// keep adds a step. Each hash holds those before it, so that a later reading of
// the end alone comes to the same one.
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
	c.bytes += len(s.Text.String()) + len(s.Command.String()) + len(s.Error.String()) + 200
	if c.bytes > maxSession {
		c.halve()
	}
}

// halve drops the older half: a session of that size was looked at before, and
// what is new is at its end.
func (c *compactor) halve() {
	n := len(c.steps) / 2
	c.dropped += n
	c.steps = append([]extract.Step(nil), c.steps[n:]...)
	c.bytes = 0
	for _, s := range c.steps {
		c.bytes += len(s.Text.String()) + len(s.Command.String()) + len(s.Error.String()) + 200
	}
}

// command is what a shell was told.
func command(in privacy.Tree) privacy.Clean {
	for _, key := range []string{"command", "cmd", "script"} {
		if c := in.Field(key); !c.IsZero() {
			return c
		}
	}
	return privacy.Clean{}
}

// edits says that a tool changes files, by the names that agents give it.
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

// whyFailed is the line of an output that says what went wrong: the first that
// reads like it, else the last.
func whyFailed(text privacy.Clean) privacy.Clean {
	last, s := privacy.Clean{}, text.String()
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:], '\n')
		if end < start {
			end = len(s)
		}
		if line := strings.TrimSpace(s[start:end]); line != "" && !exitCode(line) {
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

// exitCode matches the line that agents put before an output that failed.
func exitCode(line string) bool {
	low := strings.ToLower(line)
	return strings.HasPrefix(low, "exit code") || strings.HasPrefix(low, "process exited with code") ||
		strings.HasPrefix(low, "wall time")
}

// stored yields what hooks captured of a session, as its transcript would.
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
			if err := yield(e); err != nil {
				return err
			}
		}
	}
}

// jsonValue decodes what the store keeps; other text is a string.
func jsonValue(s string) any {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if s == "" || dec.Decode(&v) != nil || dec.More() {
		return s
	}
	return v
}
