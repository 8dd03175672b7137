package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"keepmum/atomicfile"
)

// newDSN is for a file that nobody knows yet: it is made durable as a whole.
const newDSN = "_pragma=page_size(8192)&_pragma=journal_mode(off)&_pragma=secure_delete(1)&_pragma=synchronous(off)"

// create makes an empty database beside its place, all tables in one transaction, and
// puts it there: two waits for the disk, where each migration on its own takes one or
// more. A start that is cut short leaves the empty file, and the next one begins again.
func (db *DB) create(ctx context.Context) error {
	if st, err := os.Stat(db.path); err != nil || st.Size() > 0 || !db.alone() {
		return err
	}
	fresh := db.path + ".new"
	err := os.Remove(fresh) // of a start that was cut short
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := prepareFile(fresh); err != nil {
		return err
	}
	if err := db.fill(ctx, fresh); err != nil {
		if errors.Is(translate(err), ErrFull) {
			err = errNoTables
		}
		return errors.Join(err, os.Remove(fresh))
	}
	if err := os.Remove(markPath(db.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // it would mention a database that was here before
	}
	return atomicfile.Put(fresh, db.path)
}

func (db *DB) fill(ctx context.Context, path string) error {
	conn, err := sqlx.Open("sqlite", dsn(path, newDSN))
	if err != nil {
		return err
	}
	conn.SetMaxOpenConns(1)
	err = db.tables(ctx, conn)
	if err == nil { // says in the file how it is written from now on
		_, err = conn.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	}
	return errors.Join(err, conn.Close())
}

// tables makes all tables in one transaction, and notes that goose has nothing to do.
func (db *DB) tables(ctx context.Context, conn *sqlx.DB) error {
	tx, err := conn.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing, when it was committed
	notes, err := database.NewStore(goose.DialectSQLite3, goose.DefaultTablename)
	if err != nil {
		return err
	}
	if err := errors.Join(notes.CreateVersionTable(ctx, tx), notes.Insert(ctx, tx, database.InsertRequest{})); err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	newest := 0
	for _, file := range files {
		script, err := migrations.ReadFile(file)
		if err != nil {
			return err
		}
		if newest, err = migrationNumber(file); err != nil {
			return err
		}
		up, _, _ := strings.Cut(string(script), "-- +goose Down")
		if _, err := tx.ExecContext(ctx, up); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		if err := notes.Insert(ctx, tx, database.InsertRequest{Version: int64(newest)}); err != nil {
			return err
		}
	}
	if len(db.key) > 0 {
		if _, err := tx.ExecContext(ctx, noteKey, keyCheck, db.mac(keyCheck)); err != nil {
			return err
		}
	}
	if err := db.markEmptied(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA user_version = "+strconv.Itoa(newest)); err != nil {
		return err
	}
	return tx.Commit()
}

func migrationNumber(file string) (int, error) {
	number, _, _ := strings.Cut(filepath.Base(file), "_")
	return strconv.Atoi(number)
}
