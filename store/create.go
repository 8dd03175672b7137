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

// newDSN opens a new database file. It needs no journal or sync: the whole file is made durable at the end.
const newDSN = "_pragma=page_size(8192)&_pragma=journal_mode(off)&_pragma=secure_delete(1)&_pragma=synchronous(off)"

// create makes an empty database next to its final path, with all tables in one transaction, and then moves it there.
// That waits for the disk twice; a transaction for each migration waits at least once for each. If it is interrupted,
// the next start begins again.
func (db *DB) create(ctx context.Context) error {
	if st, err := os.Stat(db.path); err != nil || st.Size() > 0 || !db.alone() {
		return err
	}
	fresh := db.path + ".new"
	err := os.Remove(fresh) // left by an interrupted start
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
		return err // it belongs to an earlier database
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
	if err == nil { // the file itself records its journal mode
		_, err = conn.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	}
	return errors.Join(err, conn.Close())
}

// tables creates all tables in one transaction, and records for goose that every migration was applied.
func (db *DB) tables(ctx context.Context, conn *sqlx.DB) error {
	tx, err := conn.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
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
