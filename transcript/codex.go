package transcript

import (
	"encoding/json"
	"strings"
	"time"

	"keepmum/lazyregexp"
)

// codexReader reads rollouts. The same text may occur three times: as a response item, as an old event and as a
// completed item. See [codexReader.said].
type codexReader struct {
	*sink
	began  time.Time // for legacy entries, which have no time of their own
	side   bool      // it is a subagent's session; a fork that the user made is not
	copied bool      // inside the copy of the parent session at the beginning of a subagent's rollout
	texts  []codexText
	last   Entry // an answer that may turn out to be the summary of a compaction
}

// codexText counts how often a text came from each source.
type codexText struct {
	role  Role
	text  string
	count [sources]int
}

// The sources of a text.
const (
	fromResponse = iota
	fromEvent
	fromItem
	sources // their number
)

type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   *codexItem      `json:"payload"`
	ID        string          `json:"id"`          // legacy files have no envelope
	Record    string          `json:"record_type"` // bookkeeping in legacy files
}

// codexItem is any payload: decoding a line once is twice as fast as decoding its payload by type.
type codexItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Summary   json.RawMessage `json:"summary"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	CallID    string          `json:"call_id"`
	ID        string          `json:"id"`
	Output    json.RawMessage `json:"output"`
	Metadata  struct {
		Kinds []string `json:"content_item_kinds"`
	} `json:"internal_chat_message_metadata_passthrough"`
	// of events
	Message  string     `json:"message"`
	ThreadID string     `json:"thread_id"`
	Item     *codexItem `json:"item"`
	// of a session_meta
	Parent     string          `json:"parent_thread_id"`
	Forked     string          `json:"forked_from_id"`
	Timestamp  json.RawMessage `json:"timestamp"`
	Cwd        string          `json:"cwd"`
	CLIVersion string          `json:"cli_version"`
	Git        struct {
		Branch string `json:"branch"`
	} `json:"git"`
}

func (r *codexReader) stats() *Session { return &r.Session }

func (r *codexReader) begin(first []byte, from Offset) {
	var l codexLine
	decode(first, &l)
	if l.Type == "session_meta" && l.Payload != nil {
		r.meta(*l.Payload)
	} else if l.Type == "" && l.Payload == nil {
		r.meta(codexLegacy(first))
	}
	r.copied = from.Copied
}

// codexLegacy parses a line of a legacy file, which is a payload without an envelope.
func codexLegacy(raw []byte) codexItem {
	var p codexItem
	decode(raw, &p)
	return p
}

func (r *codexReader) meta(m codexItem) {
	set(&r.ID, m.ID)
	set(&r.Parent, m.Parent)
	r.side = m.Parent != ""
	set(&r.Parent, m.Forked)
	set(&r.Dir, m.Cwd)
	replace(&r.Branch, m.Git.Branch)
	replace(&r.Version, m.CLIVersion)
	r.began = moment(m.Timestamp)
}

func (r *codexReader) line(raw []byte, ref string) (bool, error) {
	var l codexLine
	if !decode(raw, &l) {
		return false, nil
	}
	at := moment(l.Timestamp)
	switch {
	case l.Record != "" || (l.Type == "" && l.Payload == nil):
		return true, nil // header or bookkeeping of a legacy file
	case l.Payload == nil:
		return true, r.item(codexLegacy(raw), r.began, ref)
	case l.Type == "session_meta":
		r.secondMeta(*l.Payload)
	case l.Type == "response_item":
		return true, r.item(*l.Payload, at, ref)
	case l.Type == "event_msg":
		return true, r.event(*l.Payload, at, ref)
	case l.Type == "compacted":
		return true, r.compacted(*l.Payload, at, ref)
	}
	return true, nil // turn_context, world_state, token_usage_record, and future types
}

// secondMeta detects the copy of another session, which begins with that session's own header.
func (r *codexReader) secondMeta(m codexItem) {
	if m.ID != "" && m.ID != r.ID {
		r.copied = true
	}
}

// compacted yields the summary; replacement_history repeats old messages.
func (r *codexReader) compacted(p codexItem, at time.Time, ref string) error {
	if r.copied {
		return nil
	}
	if r.last.Text != "" && strings.HasSuffix(p.Message, r.last.Text) {
		r.last = Entry{} // the same text, as the model wrote it
	}
	return r.put(Entry{At: at, Role: Summary, Text: p.Message, Sidechain: r.side, Ref: ref})
}

func (r *codexReader) item(p codexItem, at time.Time, ref string) error {
	if r.copied {
		return nil
	}
	e := Entry{At: at, Sidechain: r.side, Ref: ref, CallID: p.CallID, Tool: p.Name}
	if p.Type != "message" && p.Type != "reasoning" {
		if err := r.flush(); err != nil {
			return err
		}
	}
	switch p.Type {
	case "message":
		return r.message(p, e)
	case "function_call":
		e.Input = unwrapped(p.Arguments)
		return r.call(e, len(p.Arguments))
	case "custom_tool_call":
		e.Input = unwrapped(p.Input)
		return r.call(e, len(p.Input))
	case "local_shell_call":
		e.Tool, e.Input = "local_shell", value(p.Action)
		return r.call(e, len(p.Action))
	case "web_search_call": // its result is never written
		e.Role, e.Tool, e.CallID, e.Input = Tool, "web_search", p.ID, value(p.Action)
		return r.put(e)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		e.Output, e.Failed = codexOutput(p.Output)
		return r.result(e)
	case "reasoning":
		e.Text = joined(p.Summary) + "\n" + joined(p.Content)
		return r.aside(e)
	}
	return nil // ghost_snapshot, agent_message: not addressed to the user
}

func (r *codexReader) message(p codexItem, e Entry) error {
	switch p.Role {
	case "assistant":
		e.Role, e.Text = Assistant, joined(p.Content)
	case "user":
		if err := r.aside(Entry{At: e.At, Sidechain: e.Sidechain, Ref: e.Ref, Text: untyped(joined(p.Content))}); err != nil {
			return err
		}
		e.Role, e.Text = User, codexPrompt(p)
		if m := codexCwd.FindStringSubmatch(joined(p.Content)); r.Dir == "" && m != nil {
			r.Dir = m[1] // legacy files have it nowhere else
		}
	}
	return r.said(e, fromResponse)
}

var codexCwd = lazyregexp.New(`^<environment_context>\s*(?:<cwd>|Current working directory: )([^<\n]+)`)

// codexPrompt returns what the user typed in a user message. New versions give the type of each item.
func codexPrompt(p codexItem) string {
	var parts []string
	for i, b := range blocks(p.Content) {
		marked := i < len(p.Metadata.Kinds)
		if marked && !strings.HasPrefix(p.Metadata.Kinds[i], "user.") && p.Metadata.Kinds[i] != "unknown" {
			continue
		}
		if t := typed(b.Text); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

func (r *codexReader) event(p codexItem, at time.Time, ref string) error {
	if r.copied && p.ThreadID != "" && p.ThreadID == r.ID {
		r.copied = false // the first event of the session itself
	}
	if r.copied {
		return nil
	}
	e := Entry{At: at, Sidechain: r.side, Ref: ref}
	switch p.Type {
	case "user_message":
		e.Role, e.Text = User, typed(p.Message)
		return r.said(e, fromEvent)
	case "agent_message":
		e.Role, e.Text = Assistant, p.Message
		return r.said(e, fromEvent)
	case "item_completed":
		if p.Item != nil {
			return r.completed(*p.Item, e)
		}
	}
	return nil
}

func (r *codexReader) completed(item codexItem, e Entry) error {
	switch item.Type {
	case "UserMessage":
		e.Role, e.Text = User, typed(joined(item.Content))
	case "AgentMessage":
		e.Role, e.Text = Assistant, joined(item.Content)
	default: // commands and file changes are also response items
		return nil
	}
	return r.said(e, fromItem)
}

// said yields a text as often as the source that has it most often. So copies from other sources are dropped, while a
// prompt that was typed twice is kept twice. Copies are close to each other.
func (r *codexReader) said(e Entry, source int) error {
	if e.Text == "" {
		return nil
	}
	const near = 16 // texts that are remembered
	for i := range r.texts {
		t := &r.texts[i]
		if t.role != e.Role || t.text != e.Text {
			continue
		}
		before := max(t.count[fromResponse], t.count[fromEvent], t.count[fromItem])
		if t.count[source]++; t.count[source] <= before {
			return nil
		}
		return r.hold(e)
	}
	if len(r.texts) == near {
		r.texts = append(r.texts[:0], r.texts[1:]...)
	}
	t := codexText{role: e.Role, text: e.Text}
	t.count[source] = 1
	r.texts = append(r.texts, t)
	return r.hold(e)
}

// hold keeps an answer until the next entry.
func (r *codexReader) hold(e Entry) error {
	if e.Role != Assistant {
		return r.put(e)
	}
	err := r.flush()
	r.last = e
	return err
}

func (r *codexReader) flush() error {
	e := r.last
	r.last = Entry{}
	if e.Text == "" {
		return nil
	}
	return r.sink.put(e)
}

func (r *codexReader) put(e Entry) error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.sink.put(e)
}

func (r *codexReader) end() (Offset, error) {
	if err := r.flush(); err != nil {
		return Offset{}, err
	}
	return Offset{Copied: r.copied}, r.done()
}

// codexExit matches the exit code above a command's output.
var codexExit = lazyregexp.New(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)

// codexRefused matches the output of a patch that was not applied.
var codexRefused = lazyregexp.New(`^(?:apply_patch verification failed|patch rejected)\b`)

// codexOutput returns a tool's output, and whether the tool failed. Old versions wrap the text in JSON, with the exit
// code next to it.
func codexOutput(raw json.RawMessage) (any, bool) {
	v := unwrapped(raw)
	switch v := v.(type) {
	case string:
		head, _, _ := strings.Cut(v, "\nOutput:\n")
		m := codexExit.FindStringSubmatch(head[:min(len(head), 1024)])
		return v, m != nil && m[1] != "0" || codexRefused.MatchString(v)
	case map[string]any:
		meta, _ := v["metadata"].(map[string]any)
		code, _ := meta["exit_code"].(json.Number)
		failed := (code != "" && code != "0") || v["success"] == false
		for _, key := range []string{"output", "content"} {
			if s, ok := v[key].(string); ok {
				return s, failed
			}
		}
		return v, failed
	case []any:
		if s := joined(raw); s != "" {
			return s, false
		}
	}
	return v, false
}
