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
	"sync"
	"syscall"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"keepmum/atomicfile"
)

// newDSN opens a new database file. It needs no journal or sync: the whole file is made durable at the end.
const newDSN = "_pragma=page_size(8192)&_pragma=journal_mode(off)&_pragma=secure_delete(1)&_pragma=synchronous(off)"

// create makes an empty database next to its final path and then moves it there. That waits for the disk once; the
// writer waits for the second sync, before it acknowledges anything. If it is interrupted, the next start begins again.
func (db *DB) create(ctx context.Context) error {
	if st, err := os.Stat(db.path); err != nil || st.Size() > 0 || !alone(db.path) {
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
		return errors.Join(noRoom(err), os.Remove(fresh))
	}
	if err := os.Remove(markPath(db.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // it belongs to an earlier database
	}
	settle, err := atomicfile.Place(fresh, db.path)
	if err != nil {
		return noRoom(err)
	}
	placed := sync.OnceValue(settle)
	db.created, db.placed = true, placed
	go func() { _ = placed() }() // the writer asks for the error
	return nil
}

// noRoom is [errNoTables] for the error of a full disk.
func noRoom(err error) error {
	if errors.Is(translate(err), ErrFull) || errors.Is(err, syscall.ENOSPC) {
		return errNoTables
	}
	return err
}

// fill writes the image of an empty database, or makes its tables if the image is out of date. A mark that the previous
// database was lost must be in the file before it is moved.
func (db *DB) fill(ctx context.Context, path string) error {
	_, newest, err := allMigrations()
	if err != nil {
		return err
	}
	if packed, ok := imageOf(newest); ok && db.lost == "" {
		db.unkeyed = true
		return unpack(packed, path)
	}
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
	files, newest, err := allMigrations()
	if err != nil {
		return err
	}
	for _, file := range files {
		script, err := migrations.ReadFile(file)
		if err != nil {
			return err
		}
		number, err := migrationNumber(file)
		if err != nil {
			return err
		}
		up, _, _ := strings.Cut(string(script), "-- +goose Down")
		if _, err := tx.ExecContext(ctx, up); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		if err := notes.Insert(ctx, tx, database.InsertRequest{Version: int64(number)}); err != nil {
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

// allMigrations lists the migrations, and returns the number of the newest.
func allMigrations() (files []string, newest int, err error) {
	files, err = fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(files) == 0 {
		return nil, 0, fmt.Errorf("no migrations: %w", err)
	}
	newest, err = migrationNumber(files[len(files)-1])
	return files, newest, err
}

func migrationNumber(file string) (int, error) {
	number, _, _ := strings.Cut(filepath.Base(file), "_")
	return strconv.Atoi(number)
}
