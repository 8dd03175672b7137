package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"keepmum/privacy"
)

// The types of a note. Done is a mark: notes before it are not told to agents any more.
const (
	NoteTask       = "task"
	NoteFinding    = "finding"
	NoteDecision   = "decision"
	NoteNext       = "next"
	NoteCheckpoint = "checkpoint"
	NoteDone       = "done"
)

// ByCompaction is the author of a mark, without text, that is set before an agent compacts its context.
const ByCompaction = "compaction"

// Note is something that an agent or the user noted on purpose about the current work.
type Note struct {
	Session  SessionRef
	Type     string // one of the types
	Text     privacy.Clean
	File     privacy.Clean // for a finding
	FileMark string        // of the file's contents, from [DB.FileMark]; "" = unknown
	Progress int           // of a task, 0..100; negative = not given
	Who      privacy.Clean // an agent; zero = the user
	At       time.Time
	Findings []privacy.Finding
}

// PutNote stores a note in the current turn of its session.
func (db *DB) PutNote(ctx context.Context, n Note) (Receipt, error) {
	d := docRow{Kind: KindNote, Role: n.Type, Who: n.Who.String(), Title: n.Type, Body: ptr(n.Text.String())}
	switch {
	case n.Progress >= 0:
		d.Input = `{"progress":` + strconv.Itoa(n.Progress) + `}`
	case n.FileMark != "":
		d.Input = `{"file":"` + n.FileMark + `"}`
	}
	if !n.File.IsZero() {
		list, _ := json.Marshal([]privacy.Clean{n.File}) // a list of texts always encodes
		d.Files = string(list)
	}
	return db.put(ctx, n.Session, privacy.Clean{}, n.At, d, n.Findings)
}

// FileMark is a keyed hash that shows whether a file has changed.
func (db *DB) FileMark(content []byte) string { return db.mac("file", string(content)) }

// NoteRow is a stored note.
type NoteRow struct {
	ID       int64
	At       int64  // unix ms
	Type     string `db:"role"`
	Who      string
	Text     string
	File     string
	FileMark string // of the file's contents at that time; "" = unknown
	Progress *int
}

// maxNotes is how many notes of a session are read, newest first.
const maxNotes = 200

// Notes returns the notes of a session since its last mark, oldest first, and the id of that mark (0 = none). A mark by
// an agent is a report of what is done, and the first of the notes.
func (db *DB) Notes(ctx context.Context, session int64) (rows []NoteRow, done int64, err error) {
	return db.notesUntil(ctx, session, math.MaxInt64)
}

// NotesAsOf does the same as it was at a moment.
func (db *DB) NotesAsOf(ctx context.Context, session int64, at time.Time) (rows []NoteRow, done int64, err error) {
	return db.notesUntil(ctx, session, at.UnixMilli())
}

func (db *DB) notesUntil(ctx context.Context, session, at int64) (rows []NoteRow, done int64, err error) {
	var all []NoteRow
	err = db.read.SelectContext(ctx, &all, `SELECT * FROM (SELECT d.id, d.at, coalesce(d.role, '') AS role,
		coalesce(d.who, '') AS who, substr(coalesce(d.body, ''), 1, 1000) AS text,
		coalesce(d.files ->> 0, '') AS file, d.input ->> 'progress' AS progress, coalesce(d.input ->> 'file', '') AS filemark
		FROM docs d WHERE d.session_id = ? AND d.kind = 'note' AND d.at <= ?
		ORDER BY d.id DESC LIMIT ?) ORDER BY id`, session, at, maxNotes)
	for _, n := range all {
		if rows = append(rows, n); n.Type == NoteDone {
			if rows, done = rows[len(rows)-1:], n.ID; n.Who == "" {
				rows = nil
			}
		}
	}
	return rows, done, translate(err)
}

// LiveSession returns the latest session of an agent ("" = any) in a directory of a project that has not ended and was
// active since a time. It returns false if there is none.
func (db *DB) LiveSession(
	ctx context.Context, project int64, dir, agent string, since time.Time,
) (SessionRow, bool, error) {
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+sessionColumns+` FROM sessions s CROSS JOIN projects p
		ON p.id = s.project_id WHERE s.project_id = ?1 AND s.ended IS NULL AND s.last >= ?3 AND s.parent = '' AND (s.dir = ?2
		OR substr(?2, 1, length(s.dir) + 1) = s.dir || '/' OR substr(s.dir, 1, length(?2) + 1) = ?2 || '/')
		AND ?4 IN ('', s.agent) ORDER BY s.last DESC, s.id DESC LIMIT 1`, project, dir, since.UnixMilli(), agent)
	if err != nil || len(rows) == 0 {
		return SessionRow{}, false, translate(err)
	}
	return rows[0], true, nil
}

// SessionNamed returns the session of a project (0 = any) by number, or by the agent's id for it, alone or as agent/id,
// or by the beginning of one.
func (db *DB) SessionNamed(ctx context.Context, project int64, name string) (SessionRow, error) {
	number, _ := strconv.ParseInt(name, 10, 64)
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+sessionColumns+` FROM sessions s CROSS JOIN projects p
		ON p.id = s.project_id WHERE (?1 = 0 OR s.project_id = ?1) AND (s.id = ?2
		OR ?3 IN (s.native, s.agent || '/' || s.native)
		OR length(?3) >= ?4 AND substr(s.native, 1, length(?3)) = ?3
		OR length(?3) > ?4 + length(s.agent) AND substr(s.agent || '/' || s.native, 1, length(?3)) = ?3)
		ORDER BY s.id <> ?2, ?3 NOT IN (s.native, s.agent || '/' || s.native), s.last DESC LIMIT 1`,
		project, number, name, minPrefix)
	switch {
	case err != nil:
		return SessionRow{}, translate(err)
	case len(rows) == 0:
		return SessionRow{}, fmt.Errorf("a session of that name: %w", ErrNotFound)
	}
	return rows[0], nil
}

func resumeKey(project int64) string { return "resume " + strconv.FormatInt(project, 10) }

// Resume sets the session that the next session start in its project tells first; 0 clears it.
func (db *DB) Resume(ctx context.Context, project, session int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		if session == 0 {
			return s.exec(`DELETE FROM meta WHERE key = ?`, resumeKey(project))
		}
		return s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, resumeKey(project),
			strconv.FormatInt(session, 10))
	})
}

// Resumed returns the session that the next session start tells first; 0 = the latest.
func (db *DB) Resumed(ctx context.Context, project int64) (int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids, `SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?`, resumeKey(project))
	if err != nil || len(ids) == 0 {
		return 0, translate(err)
	}
	return ids[0], nil
}

// SaidNote is a noted decision or finding with its session.
type SaidNote struct {
	NoteRow
	Agent, Native, Parent, Dir, Branch string
	Project                            int64  `db:"project_id"`
	ProjectName                        string `db:"project_name"`
}

// ByAgent reports whether an agent wrote the note, not the user.
func (n *SaidNote) ByAgent() bool { return n.Who != "" }

// notesRead is the key in meta of the last document whose notes were searched for memories.
const notesRead = "notes"

// SaidNotes returns decisions and findings, oldest first: those after the position of [DB.ReadNotes], or all.
func (db *DB) SaidNotes(ctx context.Context, all bool) ([]SaidNote, error) {
	const said = `SELECT d.id, d.at, d.role, coalesce(d.who, '') AS who, coalesce(d.body, '') AS text,
		coalesce(d.files ->> 0, '') AS file, s.agent, s.native, s.parent, s.dir, ` + branchOfDoc + ` AS branch, s.project_id,
		coalesce(p.name, '') AS project_name
		FROM docs d CROSS JOIN sessions s ON s.id = d.session_id LEFT JOIN projects p ON p.id = s.project_id
		WHERE d.kind = 'note' AND d.role IN ('decision', 'finding')
		AND (?1 OR d.id > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?2), 0)) ORDER BY d.id`
	var rows []SaidNote
	err := db.read.SelectContext(ctx, &rows, said, all, notesRead)
	return rows, translate(err)
}

// ReadNotes records the last document whose notes were searched for memories.
func (db *DB) ReadNotes(ctx context.Context, upto int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, notesRead, strconv.FormatInt(upto, 10))
	})
}
