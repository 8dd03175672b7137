package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// cursorEntries yields the bubbles after from, in the order of the headers, because the keys of the rows are random.
func cursorEntries(ctx context.Context, db *sql.DB, c cursorComposer, from Offset, s *sink) (Offset, error) {
	order := cursorOrder(c)
	start := 0
	if n := from.Pos; n > 0 && n <= int64(len(order)) && order[n-1] == from.Head {
		start = int(n)
	}
	s.Fresh = start == 0
	end := Offset{Pos: int64(start)}
	if start > 0 {
		end = from
	}
	at := moment(c.CreatedAt) // for bubbles without a time of their own
	if at.IsZero() {
		at = moment(c.UpdatedAt)
	}
	for i, id := range order[start:] {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		b, size, err := cursorBubbleOf(ctx, db, c, start+i, id)
		if err != nil {
			return from, err
		}
		s.count(size, b != nil)
		if b == nil {
			continue
		}
		if last := start+i == len(order)-1; last && b.running() {
			break
		}
		if t := moment(b.CreatedAt); !t.IsZero() {
			at = t
		}
		ref := id
		set(&ref, strconv.Itoa(start+i+1))
		if err := s.bubble(*b, at, ref); err != nil {
			return from, err
		}
		end = Offset{Pos: int64(start + i + 1), Head: id}
	}
	return end, nil
}

func cursorOrder(c cursorComposer) []string {
	var order []string
	for _, b := range c.Conversation {
		order = append(order, b.ID)
	}
	if len(order) > 0 {
		return order
	}
	for _, h := range c.Headers {
		order = append(order, h.ID)
	}
	return order
}

// cursorBubbleOf finds a bubble in the conversation or in its own row. It returns nil if the bubble is broken or
// missing.
func cursorBubbleOf(ctx context.Context, db *sql.DB, c cursorComposer, i int, id string) (*cursorBubble, int, error) {
	if i < len(c.Conversation) {
		b := c.Conversation[i]
		return &b, len(b.Text), nil
	}
	if b, ok := c.Map[id]; ok {
		return &b, len(b.Text), nil
	}
	data, err := cursorItem(ctx, db, cursorKVSQL, "bubbleId:"+c.ID+":"+id)
	if err != nil {
		return nil, 0, err
	}
	var b cursorBubble
	if !decode(data, &b) {
		return nil, len(data), nil
	}
	return &b, len(data), nil
}

func (b cursorBubble) running() bool {
	if b.Tool == nil {
		return false
	}
	switch b.Tool.Status {
	case "loading", "running", "pending":
		return true
	}
	return false
}

func (b cursorBubble) role() Role {
	switch strings.Trim(string(b.Type), `"`) {
	case "1", "user":
		return User
	}
	return Assistant
}

func (s *sink) bubble(b cursorBubble, at time.Time, id string) error {
	e := Entry{At: at, Role: b.role(), Text: b.Text, Sidechain: s.Parent != "", Ref: id}
	set(&e.Text, b.RawText)
	beside := e
	if beside.Text = b.Thinking.Text; e.Role == User {
		beside.Text += "\n" + untyped(e.Text)
	}
	if err := s.aside(beside); err != nil {
		return err
	}
	if e.Role == User {
		e.Text = typed(e.Text)
	}
	if err := s.put(e); err != nil {
		return err
	}
	if b.Tool == nil || b.Tool.Name == "" {
		return nil
	}
	t := b.Tool
	call := Entry{At: at, Role: Tool, Tool: t.Name, CallID: t.CallID, Sidechain: e.Sidechain, Ref: id}
	call.Input = unwrapped(t.RawArgs)
	if call.Input == nil || call.Input == "" {
		call.Input = unwrapped(t.Params)
	}
	call.Output = unwrapped(t.Result)
	call.Failed = t.Status == "error" || exitCode(call.Output) != 0
	return s.put(call)
}

// exitCode returns the exit code of a command, or 0 if Cursor does not record it.
func exitCode(output any) int64 {
	o, _ := output.(map[string]any)
	for _, key := range []string{"exitCode", "exitCodeV2"} {
		if n, ok := o[key].(json.Number); ok {
			code, _ := n.Int64()
			return code
		}
	}
	return 0
}

// cursorLines reads agent-transcripts/<id>/<id>.jsonl: messages without times and without tool results.
type cursorLines struct{ *sink }

func (r *cursorLines) stats() *Session      { return &r.Session }
func (r *cursorLines) begin([]byte, Offset) {}
func (r *cursorLines) end() (Offset, error) { return Offset{}, r.done() }
func (r *cursorLines) line(raw []byte, ref string) (bool, error) {
	var rec struct {
		Role      string          `json:"role"`
		Timestamp json.RawMessage `json:"timestamp"`
		Message   struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
		Content json.RawMessage `json:"content"`
	}
	if !decode(raw, &rec) {
		return false, nil
	}
	if rec.Message.Content == nil {
		rec.Message.Content = rec.Content
	}
	return true, r.message(blocks(rec.Message.Content), Entry{
		At: moment(rec.Timestamp), Role: Role(rec.Role), Sidechain: r.Parent != "", Ref: ref,
	})
}

func (r *cursorLines) message(list []block, e Entry) error {
	e.Text = joinText(list)
	if e.Role == User {
		beside := e
		beside.Text = untyped(e.Text)
		if err := r.aside(beside); err != nil {
			return err
		}
		e.Text = typed(e.Text)
	}
	if e.Role == User || e.Role == Assistant {
		if err := r.put(e); err != nil {
			return err
		}
	}
	for _, b := range list {
		var err error
		switch b.Type {
		case "tool_use":
			err = r.call(Entry{At: e.At, Tool: b.Name, CallID: b.ID, Input: unwrapped(b.Input), Sidechain: e.Sidechain,
				Ref: e.Ref}, len(b.Input))
		case "tool_result":
			err = r.result(Entry{At: e.At, CallID: b.ToolUseID, Output: joined(b.Content), Failed: b.IsError,
				Sidechain: e.Sidechain, Ref: e.Ref})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
