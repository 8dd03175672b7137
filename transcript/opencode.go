package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

func openCodeSessions(ctx context.Context, src Source) (out []Source, err error) {
	err = withDB(src, func(db *sql.DB) error {
		return each(ctx, db, func(rows *sql.Rows) error {
			s := src
			var parent, dir sql.NullString
			var updated int64
			if err := rows.Scan(&s.ID, &parent, &dir, &updated, &s.Size); err != nil {
				return err
			}
			s.Parent, s.Dir, s.Modified = parent.String, dir.String, epoch(float64(updated))
			out = append(out, s)
			return nil
		}, `SELECT s.id, s.parent_id, s.directory, s.time_updated,
			(SELECT count(*) FROM part p WHERE p.session_id = s.id)
			FROM session s ORDER BY s.time_created, s.id`)
	})
	return out, err
}

// openCodeMessage is a row of message, or a file of the old layout.
type openCodeMessage struct {
	ID      string `json:"id"`
	Created int64  `json:"-"`
	Role    string `json:"role"`
	Summary any    `json:"summary"` // true if the agent compacted; an object in user messages
	Error   any    `json:"error"`
	Time    struct {
		Created   json.RawMessage `json:"created"`
		Completed json.RawMessage `json:"completed"`
	} `json:"time"`
}

// finished is false while the answer is still being written.
func (m openCodeMessage) finished() bool {
	return m.Role != "assistant" || m.Error != nil || !moment(m.Time.Completed).IsZero()
}

type openCodePart struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Text     string `json:"text"`
	Filename string `json:"filename"`
	Source   struct {
		Path string `json:"path"`
	} `json:"source"`
	Synthetic bool   `json:"synthetic"`
	Ignored   bool   `json:"ignored"`
	Tool      string `json:"tool"`
	CallID    string `json:"callID"`
	State     struct {
		Status   string          `json:"status"`
		Input    json.RawMessage `json:"input"`
		Output   json.RawMessage `json:"output"`
		Error    string          `json:"error"`
		Metadata struct {
			Exit json.Number `json:"exit"`
		} `json:"metadata"`
		Time struct {
			Start json.RawMessage `json:"start"`
		} `json:"time"`
	} `json:"state"`
}

func readOpenCode(ctx context.Context, src Source, from Offset, s *sink) (end Offset, err error) {
	err = withDB(src, func(db *sql.DB) error {
		if err := openCodeAbout(ctx, db, s); err != nil {
			return err
		}
		list, err := openCodeList(ctx, db, s, src.ID)
		if err != nil {
			return err
		}
		end, err = openCodeMessages(ctx, s, list, from, func(id string, do func(openCodePart) error) error {
			return openCodeParts(ctx, db, s, id, do)
		})
		return err
	})
	return end, err
}

func openCodeAbout(ctx context.Context, db *sql.DB, s *sink) error {
	var parent, dir, title, version sql.NullString
	err := db.QueryRowContext(ctx, `SELECT parent_id, directory, title, version FROM session WHERE id = ?`, s.ID).
		Scan(&parent, &dir, &title, &version)
	if err != nil {
		return fmt.Errorf("session %s: %w", s.ID, err)
	}
	set(&s.Parent, parent.String)
	set(&s.Dir, dir.String)
	s.Title, s.Version = title.String, version.String
	return nil
}

// openCodeList returns the messages of a session without their text. It also drops the patches that user messages
// contain, to keep the list small.
func openCodeList(ctx context.Context, db *sql.DB, s *sink, session string) (list []openCodeMessage, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		var m openCodeMessage
		var id string
		var created int64
		var data []byte
		if err := rows.Scan(&id, &created, &data); err != nil {
			return err
		}
		s.count(len(data), decode(data, &m))
		m.ID, m.Created = id, created
		m.Summary = m.Summary == true
		list = append(list, m)
		return nil
	}, `SELECT id, time_created, CASE WHEN length(data) <= ? THEN data END FROM message
		WHERE session_id = ? ORDER BY time_created, id`, maxValue, session)
	return list, err
}

func openCodeParts(ctx context.Context, db *sql.DB, s *sink, message string, do func(openCodePart) error) error {
	return each(ctx, db, func(rows *sql.Rows) error {
		var p openCodePart
		var id string
		var data []byte
		if err := rows.Scan(&id, &data); err != nil {
			return err
		}
		ok := decode(data, &p)
		s.count(len(data), ok)
		p.ID = id
		if !ok {
			return nil
		}
		return do(p)
	}, `SELECT id, CASE WHEN length(data) <= ? THEN data END FROM part WHERE message_id = ? ORDER BY id`, maxValue,
		message)
}

// openCodeMessages yields the messages after from. The parts of an answer change in place, so an unfinished answer is
// left for the next reading.
func openCodeMessages(ctx context.Context, s *sink, list []openCodeMessage, from Offset,
	parts func(id string, do func(openCodePart) error) error) (Offset, error) {
	start := 0
	for i, m := range list {
		if m.ID == from.Head && m.Created == from.Pos {
			start = i + 1
		}
	}
	s.Fresh = start == 0
	end := from
	if s.Fresh {
		end = Offset{}
	}
	for i, m := range list[start:] {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		if last := start+i == len(list)-1; last && !m.finished() {
			break
		}
		if err := openCodeEntries(s, m, parts); err != nil {
			return from, err
		}
		end = Offset{Pos: m.Created, Head: m.ID, Lines: int64(start + i + 1)}
	}
	return end, nil
}

func openCodeEntries(s *sink, m openCodeMessage, parts func(string, func(openCodePart) error) error) error {
	e := Entry{At: epoch(float64(m.Created)), Role: Role(m.Role), Sidechain: s.Parent != "", Ref: m.ID}
	if m.Summary == true && m.Role == "assistant" {
		e.Role = Summary
	}
	var said []string
	var calls []Entry
	var beside openCodeBeside
	err := parts(m.ID, func(p openCodePart) error {
		beside.take(m.Role, p)
		switch p.Type {
		case "text":
			if t := openCodeText(m.Role, p); t != "" {
				said = append(said, t)
			}
		case "tool":
			calls = append(calls, openCodeCall(e, p))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := beside.put(s, e); err != nil {
		return err
	}
	if e.Text = strings.Join(said, "\n\n"); e.Role == User || e.Role == Assistant || e.Role == Summary {
		if err := s.put(e); err != nil {
			return err
		}
	}
	for _, c := range calls {
		if err := s.put(c); err != nil {
			return err
		}
	}
	return nil
}

// openCodeBeside is what a message contains that nobody said: thoughts, and the text that the agent wrote under the
// names of attached files.
type openCodeBeside struct {
	texts []string
	files []string
}

func (b *openCodeBeside) take(role string, p openCodePart) {
	switch {
	case p.Type == "reasoning", p.Type == "text" && (p.Synthetic || p.Ignored):
		b.texts = append(b.texts, p.Text)
	case p.Type == "text" && role == "user":
		b.texts = append(b.texts, untyped(p.Text))
	case p.Type == "file":
		name := p.Filename
		replace(&name, p.Source.Path)
		b.files = append(b.files, name)
	}
}

// put yields it. The message does not say which file a text belongs to, so it counts as belonging to each of them.
func (b *openCodeBeside) put(s *sink, e Entry) error {
	e.Text = strings.Join(b.texts, "\n")
	if len(b.files) > 0 {
		files := map[string]any{"content": e.Text}
		for n, name := range b.files {
			files[strconv.Itoa(n)] = map[string]any{"path": name}
		}
		e.Text, e.Beside = "", files
	}
	return s.aside(e)
}

// openCodeText returns the text of a part, unless the agent wrote it in the user's name.
func openCodeText(role string, p openCodePart) string {
	if p.Synthetic || p.Ignored {
		return ""
	}
	if role != "user" {
		return p.Text
	}
	t := typed(p.Text)
	// `opencode run` wraps the prompt in quotes
	if inner := strings.TrimSuffix(strings.TrimPrefix(t, `"`), `"`); len(inner) == len(t)-2 &&
		!strings.Contains(inner, `"`) {
		return inner
	}
	return t
}

func openCodeCall(e Entry, p openCodePart) Entry {
	c := Entry{At: e.At, Role: Tool, Tool: p.Tool, CallID: p.CallID, Sidechain: e.Sidechain, Ref: p.ID}
	if t := moment(p.State.Time.Start); !t.IsZero() {
		c.At = t
	}
	c.Input, c.Output = unwrapped(p.State.Input), value(p.State.Output)
	if p.State.Status == "error" {
		c.Output, c.Failed = p.State.Error, true
	}
	if exit := p.State.Metadata.Exit; exit != "" && exit != "0" {
		c.Failed = true
	}
	return c
}
