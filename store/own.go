package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// ReadOwn reads a database of keepmum that no process writes, without changing it, as the records of an export. It
// returns [ErrOwn] for one of another version, and [ErrForeign] for the file of another program.
func ReadOwn(ctx context.Context, path string, emit func(Record) error) error {
	_, newest, err := allMigrations()
	if err != nil {
		return err
	}
	return withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		switch version, err := schemaVersion(ctx, conn); {
		case err != nil:
			return err
		case version != newest:
			return ErrOwn
		}
		from := &DB{path: path}
		from.read = &reader{conn, from}
		return from.Export(ctx, ExportOptions{}, emit)
	})
}

// Interim reports whether a database was created in place of a lost one and is not settled, and how many documents it
// has. What is in its log is moved into the file itself, so that the file can be renamed alone. No process may have it
// open.
func Interim(ctx context.Context, path string) (docs int64, is bool, err error) {
	err = withFile(path, "mode=rw&_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		var value string
		if is, err = one(ctx, conn, &value, `SELECT value FROM meta WHERE key = ?`, emptied); err != nil || !is {
			return err
		}
		if _, err := conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
			return err
		}
		return conn.GetContext(ctx, &docs, `SELECT count(*) FROM docs WHERE kind <> 'memory'`)
	})
	return docs, is, err
}
