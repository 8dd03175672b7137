package store

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
)

// A database created in one transaction is the same as one created by the migrations one by one.
func TestANewDatabaseIsWhatTheMigrationsMake(t *testing.T) {
	db := openTest(t)
	old, err := sqlx.Open("sqlite", writeDSN(filepath.Join(t.TempDir(), "old.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, old.DB, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`,
		`SELECT 'migration' AS type, version_id AS name, is_applied AS sql FROM goose_db_version ORDER BY version_id`,
		`SELECT 'page' AS type, page_size AS name, journal_mode AS sql FROM pragma_page_size, pragma_journal_mode`,
		`SELECT 'application' AS type, application_id AS name, '' AS sql FROM pragma_application_id`,
	} {
		type row struct {
			Type, Name string
			SQL        sql.NullString
		}
		var got, want []row
		if err := db.read.DB.Select(&got, query); err != nil {
			t.Fatal(query, err)
		}
		if err := old.Select(&want, query); err != nil {
			t.Fatal(query, err)
		}
		if len(want) == 0 {
			t.Error("nothing to compare: " + query)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", query, diff)
		}
	}
}

// A start that was interrupted before the database was in place begins again.
func TestAnInterruptedCreationStartsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	for name, data := range map[string]string{path: "", path + ".new": "half of it"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(t.Context(), Options{Path: path, Key: []byte("key")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".new"); !os.IsNotExist(err) {
		t.Error("something is left beside it: ", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("it is not private: ", err)
	}
}
