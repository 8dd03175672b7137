package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/jmoiron/sqlx"

	"keepmum/safefile"
)

// SQLite reads its write-ahead log up to the first frame whose checksum is wrong, and takes
// the rest for what a crash left unfinished: one bit that flips there takes every event behind
// it, without a word. So the number of the latest document is in a file of its own too,
// which is written, unsynced, when the writer rests and every so many documents. It is
// never ahead of what was synced. A start that finds a lower number in the
// database says how many are gone.
const (
	markEvery = foldDocs // documents that may be missed, at a pace that leaves no rest
	maxMark   = 64       // bytes: two numbers
	lostLog   = "lost_log"
)

// logMark is that file. The number of the database's file is in it: a database that was put in its place
// has documents of its own.
type logMark struct {
	path string
	file uint64 // 0 = no system tells
	kept int64
}

func newLogMark(db *DB) *logMark { return &logMark{path: markPath(db.path), file: fileNumber(db.file)} }

func markPath(database string) string { return database + ".last" }

// read returns the latest document that was noted for this file.
func (m *logMark) read() (last int64) {
	text, err := safefile.ReadOwn(m.path, maxMark)
	var file uint64
	if err != nil || m.file == 0 {
		return 0
	}
	if n, err := fmt.Sscan(string(text), &file, &last); n != 2 || err != nil || file != m.file {
		return 0
	}
	return last
}

// note keeps the latest document, if it is worth it. One that cannot be kept is of no weight: it
// tells of damage, and does none.
func (m *logMark) note(last int64, rests bool) {
	if m.file == 0 || last == m.kept || !rests && last < m.kept+markEvery {
		return
	}
	text := strconv.FormatUint(m.file, 10) + " " + strconv.FormatInt(last, 10) + "\n"
	if safefile.WriteOwn(m.path, []byte(text), os.O_TRUNC) == nil {
		m.kept = last
	}
}

// checkLog looks whether the log has lost something, and keeps how much until that is settled.
func (s *txState) checkLog(m *logMark) error {
	var last, before int64
	if _, err := s.get(&last, `SELECT seq FROM sqlite_sequence WHERE name = 'docs'`); err != nil {
		return err
	}
	if gone := m.read() - last; gone > 0 {
		if _, err := s.get(&before, `SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?`, lostLog); err != nil {
			return err
		}
		if err := s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, lostLog,
			strconv.FormatInt(before+gone, 10)); err != nil {
			return err
		}
		m.note(last, true)
	}
	m.kept = last
	return nil
}

// LostLog returns how many documents a damaged write-ahead log took, 0 when that is settled.
func (db *DB) LostLog(ctx context.Context) (n int64, err error) { return lostOf(ctx, db.read.DB) }

// LostLog is [DB.LostLog] of a database that another process may have open.
func LostLog(ctx context.Context, path string) (n int64, err error) {
	err = withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		n, err = lostOf(ctx, conn)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return n, err
}

func lostOf(ctx context.Context, q sqlx.QueryerContext) (n int64, err error) {
	_, err = one(ctx, q, &n, `SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?`, lostLog)
	return n, translate(err)
}

// AcceptLostLog takes that away: the user knows it.
func AcceptLostLog(ctx context.Context, path string) error {
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, lostLog)
		return err
	})
}
