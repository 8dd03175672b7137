package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"keepmum/privacy"
)

// Prompt is a message of the user or of the assistant.
type Prompt struct {
	Session   SessionRef
	Key       privacy.Clean // identifies repeats; zero = repeats are not recognised
	Role      Role          // "" = user
	Text, Who privacy.Clean
	At        time.Time
	Findings  []privacy.Finding
}

// Observation is one use of a tool.
type Observation struct {
	Session          SessionRef
	Key              privacy.Clean // identifies repeats; zero = repeats are not recognised
	At               time.Time
	Tool, Title      privacy.Clean
	Input            privacy.Clean // JSON
	Output           privacy.Clean // JSON or text
	Body             privacy.Clean // text to index; zero = use the texts of Input and Output
	Files            []privacy.Clean
	Failed, Excluded bool
	DurationMS       int64
	Subagent         privacy.Clean
	Findings         []privacy.Finding
}

// PutPrompt stores a message. One from the user begins a new turn.
func (db *DB) PutPrompt(ctx context.Context, p Prompt) (Receipt, error) {
	role := p.Role
	if role == "" {
		role = RoleUser
	}
	if role != RoleUser && role != RoleAssistant {
		return Receipt{}, fmt.Errorf("%w: role must be user or assistant", ErrInvalid)
	}
	d := docRow{Kind: KindPrompt, Role: string(role), Who: p.Who.String(), Body: ptr(p.Text.String())}
	return db.put(ctx, p.Session, p.Key, p.At, d, p.Findings)
}

// PutObservation stores a tool use in the current turn of its session.
func (db *DB) PutObservation(ctx context.Context, o Observation) (Receipt, error) {
	d := docRow{Kind: KindObservation, Tool: o.Tool.String(), Title: o.Title.String(), Input: o.Input.String(),
		Output: o.Output.String(), Failed: o.Failed, Excluded: o.Excluded, DurationMS: o.DurationMS,
		Subagent: o.Subagent.String()}
	text := d.text()
	if !o.Body.IsZero() && o.Body.String() != text {
		text = o.Body.String()
		d.Body = &text
	}
	if len(o.Files) > 0 {
		files, err := json.Marshal(o.Files)
		if err != nil {
			return Receipt{}, err
		}
		d.Files = string(files)
	}
	d.indexText(text)
	return db.put(ctx, o.Session, o.Key, o.At, d, o.Findings)
}

// Announce says that an event will be written, so that a commit may wait for it. Call done when it was written, or will
// not be.
func (db *DB) Announce() (done func()) {
	db.coming.Add(1)
	return func() { db.coming.Add(-1) }
}

func (db *DB) put(ctx context.Context, ref SessionRef, key privacy.Clean, at time.Time, d docRow,
	findings []privacy.Finding) (Receipt, error) {
	if d.indexed == "" {
		d.index() // outside the writer, because every caller waits for it
	}
	var out Receipt
	err := db.writer.doLight(ctx, func(s *txState) error {
		d.At = s.at(at)
		ses, _, err := s.session(ref, d.At)
		if err != nil {
			return fmt.Errorf("keep %s: %w", d.Kind, err)
		}
		if out, err = s.put(ses, ref, &d, key.String()); err != nil {
			return fmt.Errorf("keep %s: %w", d.Kind, err)
		}
		if out.Duplicate {
			return nil
		}
		return s.redactions(out.ID, ses.Project, findings)
	})
	if err != nil {
		return Receipt{}, err // the caller gave up; the writer may still be filling it in
	}
	return out, nil
}

// put adds one document. Its index entry and job are folded in later, together with others.
func (s *txState) put(ses *session, ref SessionRef, d *docRow, key string) (out Receipt, err error) {
	d.Project, d.Session, d.Turn = ses.Project, ses.ID, ses.Turn
	if key != "" {
		d.Dedupe = ptr(dedupe(d.Kind, d.Role, key))
		var old int64
		if found, err := s.get(&old, `SELECT id FROM docs WHERE session_id = ? AND dedupe = ?`, ses.ID,
			*d.Dedupe); err != nil || found {
			return Receipt{old, true}, err
		}
	}
	if err := s.docBuried(sessionKey{ref.Agent.String(), ref.Native.String()}, d); err != nil {
		return Receipt{}, err
	}
	if d.Branch, err = s.branchIn(ses, ref); err == nil && d.Kind == KindPrompt && d.Role == string(RoleAssistant) {
		err = s.backOn(ses, ref.Branch.String(), d)
	}
	if err != nil {
		return Receipt{}, err
	}
	if err := s.insertLight(d); err != nil {
		return Receipt{}, err
	}
	if d.Kind == KindPrompt && d.Role == string(RoleUser) {
		ses.Turn = d.ID
		return Receipt{ID: d.ID}, s.exec(`UPDATE sessions SET turn_id = ? WHERE id = ?`, ses.Turn, ses.ID)
	}
	return Receipt{ID: d.ID}, nil
}

// dedupe is a short hash: it is only compared within one session.
func dedupe(kind Kind, role, key string) int64 {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + role + "\x00" + key))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

func ptr[T any](v T) *T { return &v }
