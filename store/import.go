package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"keepmum/privacy"
)

// Imported is a record that has passed the gate.
type Imported struct {
	Session    Session
	Ended      time.Time
	Reason     privacy.Clean
	Kind       Kind // [KindSession]: only the session
	Turn       int64
	At         time.Time
	Dedupe     *int64
	Role       Role
	Who        privacy.Clean
	Tool       privacy.Clean
	Title      privacy.Clean
	Input      privacy.Clean
	Output     privacy.Clean
	Text       *privacy.Clean // nil: use the texts of input and output
	Files      []privacy.Clean
	Failed     bool
	Excluded   bool
	DurationMS int64
	Subagent   privacy.Clean
	Branch     privacy.Clean // if it is not the session's
	Summary    *ImportedSummary
	Commit     privacy.Clean // of a commit: git's hash
	Findings   []privacy.Finding
}

// ImportedSummary records where an imported summary comes from.
type ImportedSummary struct {
	Scope      JobKind
	Type       privacy.Clean
	Concepts   []privacy.Clean
	Provenance Provenance
}

// Import stores a document with its own time, in the turn it names. One that exists is a duplicate; a forgotten one
// returns [ErrForgotten].
func (db *DB) Import(ctx context.Context, in Imported) (Receipt, error) {
	d, err := in.doc()
	if err != nil {
		return Receipt{}, err
	}
	var out Receipt
	err = db.writer.do(ctx, func(s *txState) (err error) {
		out, err = s.importDoc(in, d)
		if errors.Is(err, ErrForgotten) {
			return err
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", in.Kind, err)
		}
		return nil
	})
	if err != nil {
		return Receipt{}, err // the caller gave up; the writer may still be filling it in
	}
	return out, nil
}

func (in Imported) doc() (*docRow, error) {
	d := &docRow{Kind: in.Kind, At: in.At.UnixMilli(), Dedupe: in.Dedupe, Role: string(in.Role), Who: in.Who.String(),
		Tool: in.Tool.String(), Title: in.Title.String(), Input: in.Input.String(), Output: in.Output.String(),
		Failed: in.Failed, Excluded: in.Excluded,
		DurationMS: in.DurationMS, Subagent: in.Subagent.String()}
	if in.Text != nil {
		d.Body = ptr(in.Text.String())
	}
	if len(in.Files) > 0 {
		files, err := json.Marshal(in.Files)
		if err != nil {
			return nil, err
		}
		d.Files = string(files)
	}
	d.index()
	return d, nil
}

func (s *txState) importDoc(in Imported, d *docRow) (Receipt, error) {
	ref := sessionKey{in.Session.Agent.String(), in.Session.Native.String()}
	ses, fresh, err := s.session(in.Session.SessionRef, s.at(in.Session.At))
	if err != nil {
		return Receipt{}, err
	}
	if fresh {
		if err := s.importSession(in, ses); err != nil {
			return Receipt{}, err
		}
	}
	if in.Kind == KindSession {
		return Receipt{ses.ID, !fresh}, nil
	}
	old, err := s.same(in, ses, d)
	if err != nil || old != 0 {
		return Receipt{old, true}, err
	}
	if err := s.docBuried(ref, d); err != nil {
		return Receipt{}, err
	}
	d.Project, d.Session, d.Turn = ses.Project, ses.ID, in.Turn
	if d.Branch, err = s.switched(ses, cmp.Or(in.Branch, in.Session.Branch)); err != nil {
		return Receipt{}, err
	}
	if err := s.insertDoc(d); err != nil {
		return Receipt{}, err
	}
	if err := s.exec(`UPDATE sessions SET docs = docs + iif(? = 'summary', 0, 1), last = max(last, ?) WHERE id = ?`,
		d.Kind, d.At, ses.ID); err != nil {
		return Receipt{}, err
	}
	if err := s.importUnit(in, d, ses); err != nil {
		return Receipt{}, err
	}
	return Receipt{ID: d.ID}, s.redactions(d.ID, ses.Project, in.Findings)
}

func (s *txState) importSession(in Imported, ses *session) error {
	var ended any
	if !in.Ended.IsZero() {
		ended = in.Ended.UnixMilli()
	}
	return s.exec(`UPDATE sessions SET source = ?, model = ?, transcript = ?, ended = ?, reason = ? WHERE id = ?`,
		in.Session.Source, in.Session.Model, in.Session.Transcript, ended, in.Reason, ses.ID)
}

// same finds a document with the same content and time in the session, or the summary that its unit already has.
func (s *txState) same(in Imported, ses *session, d *docRow) (int64, error) {
	var id int64
	if in.Summary != nil {
		_, err := s.get(&id, `SELECT doc_id FROM summaries WHERE scope = ? AND session_id = ? AND turn_id = ?`,
			in.Summary.Scope, ses.ID, in.Turn)
		return id, err
	}
	if d.Dedupe != nil {
		if found, err := s.get(&id, `SELECT id FROM docs WHERE session_id = ? AND dedupe = ?`, ses.ID,
			*d.Dedupe); err != nil || found {
			return id, err
		}
	}
	var rows []docRow
	if err := s.list(&rows, `SELECT `+docColumns+` FROM docs d WHERE d.session_id = ? AND d.at = ? AND d.kind = ?`, ses.ID,
		d.At, d.Kind); err != nil {
		return 0, err
	}
	for i := range rows {
		r := &rows[i]
		same := r.Role == d.Role && r.Tool == d.Tool && r.Title == d.Title && r.text() == d.text()
		if same && (d.Dedupe == nil || r.Dedupe == nil) {
			return r.ID, nil
		}
	}
	return 0, nil
}

// importUnit records a summary, or queues one for a unit that has none.
func (s *txState) importUnit(in Imported, d *docRow, ses *session) error {
	if in.Summary != nil {
		sum := Summary{Type: in.Summary.Type, Concepts: in.Summary.Concepts, Provenance: in.Summary.Provenance}
		job := Job{Kind: in.Summary.Scope, Project: ses.Project, Session: ses.ID, Turn: in.Turn}
		if err := s.summaryMeta(d.ID, job, sum); err != nil {
			return err
		}
		return s.exec(
			`UPDATE jobs SET state = 'done', done_rev = rev, drafted = rev WHERE kind = ? AND session_id = ? AND turn_id = ?`,
			job.Kind, job.Session, job.Turn)
	}
	turn := in.Turn
	if d.Kind == KindPrompt && d.Role == string(RoleUser) {
		turn = d.ID
	}
	var has int
	if _, err := s.get(&has, `SELECT count(*) FROM summaries WHERE scope = 'turn' AND session_id = ? AND turn_id = ?`,
		ses.ID, turn); err != nil || has > 0 {
		return err // the summary made from it was imported, too
	}
	return s.enqueue(JobTurn, ses, turn)
}
