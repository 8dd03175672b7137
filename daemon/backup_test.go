package daemon

import (
	"database/sql"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/store"
)

func TestTheFirstBackupIsMadeAsSoonAsThereIsSomething(t *testing.T) {
	r := startRig(t, t.TempDir())
	backups := func() int {
		all, err := store.Backups(r.home.Backups())
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	r.d.tidyOnce(t.Context())
	if n, pause := backups(), r.d.tidyPause(); n != 0 || pause != firstBackup {
		t.Errorf("%d backups of nothing, the next look in %s", n, pause)
	}
	r.ask(t, "POST", "/prompt", sayOld)
	for range 2 {
		r.d.tidyOnce(t.Context())
	}
	if n, pause := backups(), r.d.tidyPause(); n != 1 || pause != tidyEvery {
		t.Errorf("%d backups, the next look in %s", n, pause)
	}
}

func TestADatabaseThatIsDamagedIsSaidAndNotCopied(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	r.ask(t, "POST", "/prompt", sayOld)
	if !r.d.inspect(t.Context()) {
		t.Fatal("a good database did not pass")
	}
	if s := into[api.Status](t, r.ask(t, "GET", "/status", "")); s.Integrity != "ok" {
		t.Errorf("got %q", s.Integrity)
	}
	r.end(t)
	conn, err := sql.Open("sqlite", r.home.Database())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(`DELETE FROM docs_fts_docsize`); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	r = startRig(t, dir)
	r.d.tidyOnce(t.Context()) // looks at it first
	s := into[api.Status](t, r.ask(t, "GET", "/status", ""))
	if s.OK || !strings.Contains(s.Integrity, "damaged: the index misses") || !strings.Contains(strings.Join(s.Problems, "\n"), "mum restore") {
		t.Errorf("got %v, %q, %q", s.OK, s.Integrity, s.Problems)
	}
	if all, err := store.Backups(r.home.Backups()); err != nil || len(all) != 0 {
		t.Errorf("the damage was copied: %q, %v", all, err)
	}
}
