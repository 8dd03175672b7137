package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"keepmum/safefile"
	"keepmum/speaker"
)

// claudeReader reads ~/.claude/projects/**/*.jsonl. Each content block of an answer is a separate record; blocks with
// the same message id are one answer.
type claudeReader struct {
	*sink
	file   string
	answer Entry
	id     string // message id of the current answer
	typed  string // the last shell command that the user typed
}

type claudeRecord struct {
	Type             string          `json:"type"`
	Timestamp        json.RawMessage `json:"timestamp"`
	SessionID        string          `json:"sessionId"`
	AgentID          string          `json:"agentId"`
	Cwd              string          `json:"cwd"`
	GitBranch        string          `json:"gitBranch"`
	Version          string          `json:"version"`
	Summary          string          `json:"summary"`
	CustomTitle      string          `json:"customTitle"`
	IsSidechain      bool            `json:"isSidechain"`
	IsMeta           bool            `json:"isMeta"`
	IsCompactSummary bool            `json:"isCompactSummary"`
	ToolUseResult    json.RawMessage `json:"toolUseResult"`
	Attachment       json.RawMessage `json:"attachment"`
	Message          struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

func (r *claudeReader) stats() *Session { return &r.Session }

func (r *claudeReader) begin(first []byte, _ Offset) {
	var rec claudeRecord
	decode(first, &rec)
	r.about(rec)
	replace(&r.Title, claudeTitle(r.file))
}

// claudeTitle reads the task of a subagent from the file next to its transcript.
func claudeTitle(path string) string {
	const limit = 64 << 10
	raw, err := safefile.Read(strings.TrimSuffix(path, ".jsonl")+".meta.json", limit)
	if err != nil {
		return "" // a main session has none
	}
	var meta struct {
		Description string `json:"description"`
	}
	decode(raw, &meta)
	return meta.Description
}

// about reads what a record says about the session.
func (r *claudeReader) about(rec claudeRecord) {
	if rec.AgentID != "" {
		set(&r.Parent, rec.SessionID)
	}
	set(&r.Dir, rec.Cwd) // the first one: a session may change its directory later
	replace(&r.Branch, rec.GitBranch)
	replace(&r.Version, rec.Version)
	replace(&r.Title, rec.Summary)
	replace(&r.Title, rec.CustomTitle)
}

func (r *claudeReader) line(raw []byte, ref string) (bool, error) {
	var rec claudeRecord
	if !decode(withoutOriginal(raw), &rec) {
		return false, nil
	}
	at := moment(rec.Timestamp)
	switch rec.Type {
	case "user":
		r.about(rec)
		return true, r.user(rec, at, ref)
	case "assistant":
		r.about(rec)
		return true, r.assistant(rec, at, ref)
	case "summary", "custom-title":
		r.about(rec)
	case "attachment":
		return true, r.attachment(rec, Entry{At: at, Sidechain: rec.IsSidechain, Ref: ref})
	}
	// api-request*, progress, queue-operation, other attachments and file-history-snapshot repeat other records, or say
	// nothing.
	return true, nil
}

func (r *claudeReader) user(rec claudeRecord, at time.Time, ref string) error {
	if err := r.flush(); err != nil {
		return err
	}
	e := Entry{At: at, Role: User, Dir: rec.Cwd, Branch: rec.GitBranch, Sidechain: rec.IsSidechain, Ref: ref}
	var said []block
	for _, b := range blocks(rec.Message.Content) {
		if b.Type != "tool_result" {
			said = append(said, b)
			continue
		}
		res := e
		res.CallID, res.Failed, res.Output = b.ToolUseID, b.IsError, joined(b.Content)
		res.Beside, rec.ToolUseResult = claudeBeside(rec.ToolUseResult), nil
		tool := r.toolOf(res.CallID)
		if err := r.result(res); err != nil {
			return err
		}
		if err := r.replied(e, res, tool); err != nil {
			return err
		}
	}
	e.Text = joinText(said)
	if err := r.unsaid(e, rec.IsMeta); err != nil {
		return err
	}
	switch {
	case rec.IsCompactSummary:
		e.Role = Summary
		e.Text, _ = speaker.Strip(e.Text)
	case rec.IsMeta:
		return nil
	default:
		e.Text = typed(e.Text)
	}
	return r.put(e)
}

// unsaid yields the parts of a prompt that nobody typed, including the shell's output for a command of the user, which
// is a prompt of its own.
func (r *claudeReader) unsaid(e Entry, all bool) error {
	if m := typedCommand.FindStringSubmatch(e.Text); m != nil {
		r.typed = m[1]
		return nil
	}
	if !all {
		e.Text = untyped(e.Text)
	}
	if r.typed != "" && strings.Contains(e.Text, "<bash-std") {
		e.Tool, e.Input, e.Beside, e.Text, r.typed = "Bash", map[string]any{"command": r.typed}, e.Text, "", ""
	}
	return r.aside(e)
}

// attachment yields an attached file, or what was typed while the agent worked. Other attachments are what the program
// tells the model about itself.
func (r *claudeReader) attachment(rec claudeRecord, e Entry) error {
	var a claudeAttachment
	decode(rec.Attachment, &a)
	if a.Type == "queued_command" {
		return r.queued(rec, a, e)
	}
	if a.Filename+a.FilePath+a.Path == "" {
		return nil
	}
	e.Beside = claudeBeside(rec.Attachment)
	return r.aside(e)
}

// maxBeside is how much of the data next to a result is read.
const maxBeside = 1 << 20

var (
	besideKey   = []byte(`"toolUseResult":{`)
	originalKey = []byte(`"originalFile":"`)
)

// withoutOriginal empties the copy of the whole file that comes with a change: a third of all bytes, and decoding reads
// each of them four times. Inside a string the quotes of a key would be escaped, so what is found is a key.
func withoutOriginal(raw []byte) []byte {
	beside := bytes.Index(raw, besideKey)
	if beside < 0 {
		return raw
	}
	at := bytes.Index(raw[beside:], originalKey)
	if at < 0 {
		return raw
	}
	start := beside + at + len(originalKey)
	size := stringSize(raw[start:])
	if size < 0 {
		return raw
	}
	return append(raw[:start:start], raw[start+size:]...)
}

// claudeBeside decodes the data of a record besides its text, without the copy of the whole file that comes with a
// change.
func claudeBeside(raw json.RawMessage) any {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		if len(raw) == 0 || len(raw) > maxBeside {
			return nil
		}
		return value(raw)
	}
	if m == nil {
		return nil
	}
	delete(m, "originalFile")
	out, size := make(map[string]any, len(m)), 0
	for name, part := range m {
		if size += len(part); size > maxBeside {
			return nil
		}
		out[name] = value(part)
	}
	return out
}

func (r *claudeReader) assistant(rec claudeRecord, at time.Time, ref string) error {
	if rec.Message.ID == "" || rec.Message.ID != r.id || len(r.answer.Text) > maxLine {
		if err := r.flush(); err != nil {
			return err
		}
	}
	r.id = rec.Message.ID
	for _, b := range blocks(rec.Message.Content) {
		switch b.Type {
		case "text":
			r.say(Entry{At: at, Role: Assistant, Dir: rec.Cwd, Branch: rec.GitBranch, Text: b.Text,
				Sidechain: rec.IsSidechain, Ref: ref})
		case "thinking":
			if err := r.aside(Entry{At: at, Text: b.Thinking, Sidechain: rec.IsSidechain, Ref: ref}); err != nil {
				return err
			}
		case "tool_use":
			call := Entry{At: at, Dir: rec.Cwd, Branch: rec.GitBranch, Tool: b.Name, CallID: b.ID, Input: unwrapped(b.Input),
				Sidechain: rec.IsSidechain, Ref: ref}
			if err := r.call(call, len(b.Input)); err != nil {
				return err
			}
		}
	}
	return nil
}

// say adds a block to the answer.
func (r *claudeReader) say(e Entry) {
	if r.answer.Text != "" {
		r.answer.Text += "\n\n" + e.Text
		return
	}
	r.answer = e
}

func (r *claudeReader) flush() error {
	e := r.answer
	r.answer, r.id = Entry{}, ""
	if e.Text == "" {
		return nil
	}
	return r.put(e)
}

func (r *claudeReader) end() (Offset, error) {
	if err := r.flush(); err != nil {
		return Offset{}, err
	}
	return Offset{}, r.done()
}
