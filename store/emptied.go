package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/jmoiron/sqlx"
)

// emptied is the key in meta that marks a database created where another had been. Its value is the newest good copy of
// that other database or, without a copy, how many entries it had.
const emptied = "emptied"

// Lost is what is known about a database that was there before an empty or missing file became this one. The zero value
// says that none was, or that it is settled.
type Lost struct {
	Copy    string // path of its newest backup; "" = there is none
	Entries int64  // without a backup: how many entries it had
}

// noteEmptied remembers what is known about the previous database if the file that is about to become the database is
// empty.
func (db *DB) noteEmptied(ctx context.Context, backups string) error {
	if backups == "" {
		return nil
	}
	st, err := os.Stat(db.path)
	if err != nil || st.Size() > 0 {
		return err
	}
	all, err := Backups(backups)
	if err != nil {
		return err
	}
	if _, last := readMark(markPath(db.path)); last > 0 {
		db.lost = strconv.FormatInt(last, 10)
	}
	if good := firstGood(ctx, all); good != "" {
		db.lost = filepath.Base(good)
	}
	return nil
}

// firstGood returns the first of some copies that can be restored, or "".
func firstGood(ctx context.Context, copies []string) string {
	for _, path := range copies {
		if _, err := VerifyBackup(ctx, path); err == nil {
			return path
		}
	}
	return ""
}

// GoodBackup returns the newest copy in a directory that can be restored, or "".
func GoodBackup(ctx context.Context, dir string) (string, error) {
	all, err := Backups(dir)
	return firstGood(ctx, all), err
}

// markEmptied writes the mark to the new database.
func (db *DB) markEmptied(ctx context.Context, to sqlx.ExecerContext) error {
	if db.lost == "" {
		return nil
	}
	_, err := to.ExecContext(ctx, noteKey, emptied, db.lost)
	return err
}

// Emptied returns what is known about the database that was there before.
func (db *DB) Emptied(ctx context.Context, backups string) (Lost, error) {
	return lostDatabase(ctx, db.read, backups)
}

// Emptied does the same as [DB.Emptied] for a database that another process may have open.
func Emptied(ctx context.Context, path, backups string) (lost Lost, err error) {
	err = withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		lost, err = lostDatabase(ctx, conn, backups)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Lost{}, nil
	}
	return lost, err
}

// AcceptEmptied removes the mark: the user continues with the new database.
func AcceptEmptied(ctx context.Context, path string) error {
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, emptied)
		return err
	})
}

func lostDatabase(ctx context.Context, q sqlx.QueryerContext, backups string) (Lost, error) {
	var value string
	found, err := one(ctx, q, &value, `SELECT value FROM meta WHERE key = ?`, emptied)
	if err != nil || !found {
		return Lost{}, translate(err)
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return Lost{Entries: n}, nil
	}
	path := filepath.Join(backups, filepath.Base(value))
	if _, err := os.Stat(path); err != nil {
		return Lost{}, nil // no copy to go back to
	}
	return Lost{Copy: path}, nil
}
