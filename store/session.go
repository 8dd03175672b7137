package store

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// SessionRef names the session of an event and what is known about it. Agent and Native are required.
type SessionRef struct {
	Agent, Native                 privacy.Clean
	Project                       Project
	Dir, Branch, Worktree, Parent privacy.Clean
}

// Session is the start of a session.
type Session struct {
	SessionRef
	At                        time.Time
	Source, Model, Transcript privacy.Clean
}

// Receipt says where a document was stored.
type Receipt struct {
	ID        int64
	Duplicate bool // it was stored before: ID is that document
}

// session is what the writer caches about a session.
type session struct {
	ID       int64
	Project  int64 `db:"project_id"`
	Turn     int64 `db:"turn_id"`
	Branch   string
	Branches string // JSON array of the others on which something was said; "" = none

	apart place // the last one that is not the session's own
}

// StartSession records a session, or what is new about a known one. The receipt's id is the session's row id.
func (db *DB) StartSession(ctx context.Context, in Session) (Receipt, error) {
	var out Receipt
	err := db.writer.doLight(ctx, func(s *txState) error {
		ses, fresh, err := s.session(in.SessionRef, s.at(in.At))
		if err != nil {
			return fmt.Errorf("start session: %w", err)
		}
		out = Receipt{ses.ID, !fresh}
		const update = `UPDATE sessions SET source = iif(source = '', ?, source), model = iif(? = '', model, ?),
			transcript = iif(? = '', transcript, ?), branch = iif(branch = '', ?, branch), ended = NULL, reason = '',
			last = max(last, ?) WHERE id = ?`
		ses.Branch = cmp.Or(ses.Branch, in.Branch.String())
		return s.exec(update, in.Source, in.Model, in.Model, in.Transcript, in.Transcript, in.Branch, s.at(in.At), ses.ID)
	})
	if err != nil {
		return Receipt{}, err // the caller gave up; the writer may still be filling it in
	}
	return out, nil
}

// EndSession records the end of a session and queues its summary.
func (db *DB) EndSession(ctx context.Context, ref SessionRef, reason privacy.Clean, at time.Time) (Receipt, error) {
	var out Receipt
	err := db.writer.doLight(ctx, func(s *txState) error {
		ses, _, err := s.session(ref, s.at(at))
		if err != nil {
			return fmt.Errorf("end session: %w", err)
		}
		out.ID = ses.ID
		n, err := s.changed(`UPDATE sessions SET ended = ?, reason = ?, last = max(last, ?) WHERE id = ? AND ended IS NULL`,
			s.at(at), reason, s.at(at), ses.ID)
		out.Duplicate = n == 0
		if err != nil || n == 0 {
			return err
		}
		return s.enqueue(JobSession, ses, 0)
	})
	if err != nil {
		return Receipt{}, err // the caller gave up; the writer may still be filling it in
	}
	return out, nil
}

// session finds or creates a session; fresh reports that it was created.
func (s *txState) session(ref SessionRef, at int64) (ses *session, fresh bool, err error) {
	key := sessionKey{ref.Agent.String(), ref.Native.String()}
	if key.agent == "" || key.native == "" {
		return nil, false, fmt.Errorf("%w: a session needs an agent and an id", ErrInvalid)
	}
	if ses := s.sessions[key]; ses != nil {
		return ses, false, nil
	}
	ses = &session{}
	found, err := s.get(ses, `SELECT id, project_id, coalesce(turn_id, 0) AS turn_id, branch, branches FROM sessions
		WHERE agent = ? AND native = ?`, key.agent, key.native)
	if err != nil {
		return nil, false, err
	}
	if !found {
		if err := s.buried(at, func() string { return s.sessionTombstone(key) }); err != nil {
			return nil, false, err
		}
		if err := s.newSession(ses, ref, at); err != nil {
			return nil, false, err
		}
	}
	if len(s.sessions) >= 1024 {
		clear(s.sessions)
	}
	s.sessions[key] = ses
	return ses, !found, nil
}

func (s *txState) newSession(ses *session, ref SessionRef, at int64) (err error) {
	if ses.Project, err = s.project(ref.Project); err != nil {
		return err
	}
	const insert = `INSERT INTO sessions (agent, native, project_id, parent, dir, branch, worktree, started, last,
		rules_version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	ses.ID, err = s.insert(insert, ref.Agent, ref.Native, ses.Project, ref.Parent, ref.Dir, ref.Branch, ref.Worktree, at,
		at, privacy.RulesVersion())
	ses.Branch = ref.Branch.String()
	return err
}

func nullable(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}
