package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/atomicfile"
)

// setBack is the key in meta of a database that was put in the place of a damaged one. Its value is a [SetBack].
const setBack = "set_back"

// SetBack says that a damaged database was replaced with a backup. The zero value says that none was, or that the user
// knows about it.
type SetBack struct {
	Backup string    `json:"backup"` // its file name
	Made   time.Time `json:"made"`   // when the backup was made
	Gone   int64     `json:"gone"`   // entries that came after it, as far as that is known; 0 = it is not
	Aside  string    `json:"aside"`  // the file name of the damaged database
}

// ReplaceDamaged does what [Restore] does, for a database that cannot be read, and records in the new one what is gone,
// until [AcceptSetBack].
func ReplaceDamaged(ctx context.Context, backup, path string) (SetBack, error) {
	info, err := os.Stat(backup)
	if err != nil {
		return SetBack{}, fmt.Errorf("restore: %w", err)
	}
	b := SetBack{Backup: filepath.Base(backup), Made: info.ModTime().UTC(), Gone: entriesAfter(ctx, backup, path)}
	moves, err := Stage(ctx, backup, path)
	if err != nil {
		return SetBack{}, err
	}
	// before the file is in its place, so that nothing is gone without a word if this process ends
	if err := b.note(ctx, moves[len(moves)-1].From); err != nil {
		return SetBack{}, err
	}
	if moves, err = atomicfile.Together(RestoreJournal(path), moves); err != nil {
		return SetBack{}, fmt.Errorf("restore: %w", err)
	}
	b.Aside = filepath.Base(moves[len(moves)-1].Aside)
	_ = b.note(ctx, path) // it lacks only the name of the old file
	return b, nil
}

// entriesAfter returns how many entries a database got after a backup of it, by the number of its latest one, which is
// kept in a file of its own.
func entriesAfter(ctx context.Context, backup, path string) int64 {
	of, last := readMark(markPath(path))
	var number string
	var kept int64
	err := withFile(backup, "mode=ro&immutable=1&_pragma=query_only(1)", func(conn *sqlx.DB) error {
		_, err1 := one(ctx, conn, &number, `SELECT value FROM meta WHERE key = ?`, born)
		_, err2 := one(ctx, conn, &kept, `SELECT seq FROM sqlite_sequence WHERE name = 'docs'`)
		return errors.Join(err1, err2)
	})
	if err != nil || number != "" && number != fmt.Sprint(of) { // the file tells of another database
		return 0 // one that was saved with its first documents may have no number yet
	}
	return max(last-kept, 0)
}

func (b SetBack) note(ctx context.Context, path string) error {
	value, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		if _, err := conn.ExecContext(ctx, `INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, setBack,
			string(value)); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`) // the file is renamed alone
		return err
	})
}

// SetBack returns whether the database was put in the place of a damaged one.
func (db *DB) SetBack(ctx context.Context) (SetBack, error) { return setBackOf(ctx, db.read.DB) }

// ReadSetBack does the same as [DB.SetBack] for a database that another process may have open.
func ReadSetBack(ctx context.Context, path string) (b SetBack, err error) {
	err = withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		b, err = setBackOf(ctx, conn)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return SetBack{}, nil
	}
	return b, err
}

func setBackOf(ctx context.Context, q sqlx.QueryerContext) (b SetBack, err error) {
	var value string
	if found, err := one(ctx, q, &value, `SELECT value FROM meta WHERE key = ?`, setBack); err != nil || !found {
		return b, translate(err)
	}
	return b, json.Unmarshal([]byte(value), &b)
}

// AcceptSetBack removes that record: the user knows about it.
func AcceptSetBack(ctx context.Context, path string) error {
	return withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, setBack)
		return err
	})
}
