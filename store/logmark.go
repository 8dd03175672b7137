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

// SQLite reads its write-ahead log up to the first frame with a wrong checksum and treats the rest as unfinished: one
// flipped bit silently loses every event after it. So a separate file also records the number of the latest document.
// It is written, without a sync, when the writer is idle and every markEvery documents, and is never ahead of what was
// synced. If the database has a lower number at the start, the difference is how many documents are gone.
const (
	markEvery = foldDocs // documents that may go unnoticed if the writer is never idle
	maxMark   = 64       // bytes: two numbers
	lostLog   = "lost_log"
)

// logMark is that file. It contains the file number of the database, because a database put in its place has documents
// of its own.
type logMark struct {
	path string
	file uint64 // 0 = the system has none
	kept int64
}

func newLogMark(db *DB) *logMark { return &logMark{path: markPath(db.path), file: fileNumber(db.file)} }

func markPath(database string) string { return database + ".last" }

// read returns the latest document recorded for this file.
func (m *logMark) read() int64 {
	if file, last := readMark(m.path); m.file != 0 && file == m.file {
		return last
	}
	return 0
}

// readMark returns the file number of a database and its latest document, or zeros.
func readMark(path string) (file uint64, last int64) {
	text, err := safefile.ReadOwn(path, maxMark)
	if err != nil {
		return 0, 0
	}
	if n, err := fmt.Sscan(string(text), &file, &last); n != 2 || err != nil {
		return 0, 0
	}
	return file, last
}

// note records the latest document if it is time to. An error is ignored: the file only helps to detect damage.
func (m *logMark) note(last int64, rests bool) {
	if m.file == 0 || last == m.kept || !rests && last < m.kept+markEvery {
		return
	}
	text := strconv.FormatUint(m.file, 10) + " " + strconv.FormatInt(last, 10) + "\n"
	if safefile.WriteOwn(m.path, []byte(text), os.O_TRUNC) == nil {
		m.kept = last
	}
}

// checkLog checks whether the log has lost documents, and records how many until the user accepts it.
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

// LostLog returns how many documents a damaged write-ahead log lost, or 0 when that is settled.
func (db *DB) LostLog(ctx context.Context) (n int64, err error) { return lostOf(ctx, db.read.DB) }

// LostLog does the same as [DB.LostLog] for a database that another process may have open.
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

// AcceptLostLog clears that number: the user knows about the loss.
func AcceptLostLog(ctx context.Context, path string) error {
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, lostLog)
		return err
	})
}
