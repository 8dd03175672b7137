package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/jmoiron/sqlx"

	"keepmum/safefile"
)

// SQLite reads its write-ahead log up to the first frame with a wrong checksum and treats the rest as unfinished: one
// flipped bit silently loses every event after it. So a separate file also records the number of the latest document.
// It is written, without a sync, when the writer is idle and every markEvery documents, and is never ahead of what was
// synced. If the database has a lower number at the start, the difference is how many documents are gone: the log is
// damaged, or was left behind when the database was copied, or the database was replaced by an older copy of itself.
const (
	markEvery = foldDocs // documents that may go unnoticed if the writer is never idle
	maxMark   = 64       // bytes: two numbers
	lostLog   = "lost_log"
	born      = "born" // key in meta
)

// logMark is that file. It contains a random number that the database has too, because another database put in its
// place has documents of its own. A database without that number may have lost it with its log.
type logMark struct {
	path string
	born uint64
	kept int64
}

func markPath(database string) string { return database + ".last" }

// read returns the latest document recorded for this database.
func (m *logMark) read() int64 {
	if of, last := readMark(m.path); m.born == 0 || of == m.born {
		return last
	}
	return 0
}

// readMark returns the number of a database and its latest document, or zeros.
func readMark(path string) (born uint64, last int64) {
	text, err := safefile.ReadOwn(path, maxMark)
	if err != nil {
		return 0, 0
	}
	if n, err := fmt.Sscan(string(text), &born, &last); n != 2 || err != nil {
		return 0, 0
	}
	return born, last
}

// name gives a database its number, with the first documents.
func (m *logMark) name(s *txState) error {
	if m.born != 0 {
		return nil
	}
	m.born = rand.Uint64()
	return s.exec(noteKey, born, strconv.FormatUint(m.born, 10))
}

// note records the latest document if it is time to. An error is ignored: the file only helps to detect damage.
func (m *logMark) note(last int64, rests bool) {
	if last == m.kept || !rests && last < m.kept+markEvery {
		return
	}
	text := strconv.FormatUint(m.born, 10) + " " + strconv.FormatInt(last, 10) + "\n"
	if safefile.WriteOwn(m.path, []byte(text), os.O_TRUNC) == nil {
		m.kept = last
	}
}

// checkLog checks whether the log has lost documents, and records how many until the user accepts it.
func (s *txState) checkLog(m *logMark) error {
	var last, before int64
	var number string
	if _, err := s.get(&number, `SELECT value FROM meta WHERE key = ?`, born); err != nil {
		return err
	}
	m.born, _ = strconv.ParseUint(number, 10, 64)
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

// LostLog returns how many documents were lost with a write-ahead log, or 0 when that is settled.
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
