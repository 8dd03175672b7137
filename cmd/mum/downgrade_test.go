package main

import (
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestAnOlderProgramRefusesANewerDatabase checks that it says so, and does not change the database.
func TestAnOlderProgramRefusesANewerDatabase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, dir)
	run := func(wantErr bool, args ...string) string {
		t.Helper()
		out, err := mum(dir, args...).CombinedOutput()
		if (err != nil) != wantErr {
			t.Fatalf("mum %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(false, "up")
	run(false, "down")
	db, err := sql.Open("sqlite", filepath.Join(dir, "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var was int
	if err := db.QueryRow("PRAGMA user_version").Scan(&was); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 9999"); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{run(true, "up"), run(true, "doctor"), run(true, "serve")} {
		if !strings.Contains(out, "newer version of mum") {
			t.Errorf("it does not say that the database is newer:\n%s", out)
		}
	}
	var is int
	if err := db.QueryRow("PRAGMA user_version").Scan(&is); err != nil || is != 9999 {
		t.Errorf("the database was changed: %d, %v", is, err)
	}
	if _, err := db.Exec("PRAGMA user_version = " + strconv.Itoa(was)); err != nil {
		t.Fatal(err)
	}
	run(false, "up") // plays the newer program
}
