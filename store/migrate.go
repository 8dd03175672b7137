package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// errNoTables replaces the error of a migration on a full disk, which would not help anyone.
var errNoTables = fmt.Errorf("%w: its tables could not be made", ErrFull)

// migrate runs goose only if there is something to do, because that is the slowest part of a start. user_version is the
// number of the newest migration.
func migrate(ctx context.Context, db *sqlx.DB) error {
	_, newest, err := allMigrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db)
	switch {
	case err != nil:
		return err
	case version > newest:
		return fmt.Errorf("%w (its schema is %d, this mum knows %d)", ErrNewer, version, newest)
	case version == newest:
		return nil
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db.DB, dir)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		if errors.Is(translate(err), ErrFull) {
			return errNoTables
		}
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA user_version = "+strconv.Itoa(newest))
	return err
}

// schemaVersion returns the version of the schema, and refuses a database that another program made.
func schemaVersion(ctx context.Context, db *sqlx.DB) (version int, err error) {
	var app, tables int
	if err := db.GetContext(ctx, &app, "PRAGMA application_id"); err != nil {
		return 0, err
	}
	if err := db.GetContext(ctx, &tables, "SELECT count(*) FROM sqlite_schema"); err != nil {
		return 0, err
	}
	if tables > 0 && app != applicationID {
		return 0, ErrForeign
	}
	return version, db.GetContext(ctx, &version, "PRAGMA user_version")
}
