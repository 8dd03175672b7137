package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jmoiron/sqlx"
)

// emptied is the key in meta that marks a database created where another had been. Its value is the newest copy of that
// other database.
const emptied = "emptied"

// noteEmptied remembers the newest copy of the previous database if the file that is about to become the database is
// empty.
func (db *DB) noteEmptied(backups string) error {
	if backups == "" {
		return nil
	}
	st, err := os.Stat(db.path)
	if err != nil || st.Size() > 0 {
		return err
	}
	all, err := Backups(backups)
	if err == nil && len(all) > 0 {
		db.lost = filepath.Base(all[0])
	}
	return err
}

// markEmptied writes the mark to the new database.
func (db *DB) markEmptied(ctx context.Context, to sqlx.ExecerContext) error {
	if db.lost == "" {
		return nil
	}
	_, err := to.ExecContext(ctx, noteKey, emptied, db.lost)
	return err
}

// Emptied returns the newest copy of the database that was there before an empty or missing file became this one. It
// returns "" when that is settled or the copy is gone.
func (db *DB) Emptied(ctx context.Context, backups string) (string, error) {
	return copyOfLost(ctx, db.read, backups)
}

// Emptied does the same as [DB.Emptied] for a database that another process may have open.
func Emptied(ctx context.Context, path, backups string) (copied string, err error) {
	err = withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		copied, err = copyOfLost(ctx, conn, backups)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return copied, err
}

// AcceptEmptied removes the mark: the user continues with the new database.
func AcceptEmptied(ctx context.Context, path string) error {
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, emptied)
		return err
	})
}

func copyOfLost(ctx context.Context, q sqlx.QueryerContext, backups string) (string, error) {
	var name string
	found, err := one(ctx, q, &name, `SELECT value FROM meta WHERE key = ?`, emptied)
	if err != nil || !found {
		return "", translate(err)
	}
	path := filepath.Join(backups, filepath.Base(name))
	if _, err := os.Stat(path); err != nil {
		return "", nil // no copy to go back to
	}
	return path, nil
}
