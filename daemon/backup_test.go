package daemon

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/memory"
	"keepmum/privacy"
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
	if s.OK || !strings.Contains(s.Integrity, "damaged: the index") ||
		!strings.Contains(strings.Join(s.Problems, "\n"), "mum doctor --fix") {
		t.Errorf("got %v, %q, %q", s.OK, s.Integrity, s.Problems)
	}
	if all, err := store.Backups(r.home.Backups()); err != nil || len(all) != 0 {
		t.Errorf("the damage was copied: %q, %v", all, err)
	}
}

func TestTheCopyOfTheMemoriesGoesWithItsDatabase(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Store.Backups = 2 })
	r.remember(t, api.MemoryAdd{Global: true, Title: "Deploys go through staging first",
		Body: "A release that skipped it took the shop down for an hour, so nobody may skip it."})
	for range 4 {
		if b := into[api.Backup](t, r.ask(t, "POST", "/backup", "{}")); b.Files != store.Beside(b.Path) ||
			b.MemoryFiles != 3 {
			t.Errorf("%+v", b)
		}
	}
	files, err := os.ReadDir(r.home.Backups())
	if err != nil || len(files) != 6 { // each with its memories and its key
		t.Errorf("%v, %v", files, err)
	}
	all, err := store.Backups(r.home.Backups())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if n, err := memory.VerifyBackup(store.Beside(b)); n != 3 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
}

// Two users, a user and the timer, or a user and a forget: none removes what another is writing.
func TestBackupsAtTheSameTimeWaitForEachOther(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.remember(t, api.MemoryAdd{Global: true, Title: "Deploys go through staging first",
		Body: "A release that skipped it took the shop down for an hour, so nobody may skip it."})
	const n = 4
	failed, made := make([]error, n+1), make([]api.Backup, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { made[i], failed[i] = r.d.backup(t.Context()) })
	}
	all.Go(func() { _, failed[n] = r.d.replaceBackups(t.Context()) })
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(made, func(a, b api.Backup) int { return strings.Compare(a.Path, b.Path) })
	if len(slices.CompactFunc(made, func(a, b api.Backup) bool { return a.Path == b.Path })) != n {
		t.Errorf("two backups have one name: %+v", made)
	}
	files, err := os.ReadDir(r.home.Backups())
	copies, err2 := store.Backups(r.home.Backups())
	if err := errors.Join(err, err2); err != nil || len(copies) == 0 || len(files) != 3*len(copies) {
		t.Errorf("%d copies, files %v, %v", len(copies), files, err)
	}
	for _, b := range copies {
		if _, err := store.VerifyBackup(t.Context(), b); err != nil {
			t.Error(err)
		}
	}
}

// A copy that a wrong clock put into the future must not keep others from being made.
func TestABackupOfTheFutureIsNoReasonToMakeNone(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.remember(t, api.MemoryAdd{Global: true, Title: "Deploys go through staging first",
		Body: "A release that skipped it took the shop down for an hour, so nobody may skip it."})
	b := into[api.Backup](t, r.ask(t, "POST", "/backup", "{}"))
	if r.d.backupDue(t.Context()) {
		t.Error("there is one of a moment ago")
	}
	later := time.Now().AddDate(1, 0, 0)
	if err := os.Chtimes(b.Path, later, later); err != nil {
		t.Fatal(err)
	}
	if !r.d.backupDue(t.Context()) {
		t.Error("the one that there is comes from the future")
	}
}

func TestAForgetDuringARebuildLeavesABackup(t *testing.T) {
	r := startRig(t, t.TempDir())
	for i := range 300 { // more than one step of a rebuild
		prompt := store.Prompt{Text: privacy.Const("a walrus sings"), Session: store.SessionRef{Native: privacy.Const("s"),
			Agent: privacy.Const("claude"), Project: store.Project{Name: privacy.Const("shop")}}}
		if i == 150 {
			prompt.Text = privacy.Const("the quokkapassage of the staging cluster")
		}
		if _, err := r.d.db.PutPrompt(t.Context(), prompt); err != nil {
			t.Fatal(err)
		}
	}
	r.ask(t, "POST", "/backup", "{}")
	ctx, stop := context.WithCancel(t.Context())
	if err := r.d.db.Rebuild(ctx, func(int, int) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	got := r.ask(t, "POST", "/forget", `{"query":"quokkapassage"}`)
	if out := into[api.Forgotten](t, got); len(out.Documents) != 1 || out.Backups != 1 || len(out.Found) != 0 {
		t.Errorf("got %s", got.body)
	}
	all, err := store.Backups(r.home.Backups())
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if n, err := store.VerifyBackup(t.Context(), all[0]); n != 299 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
}

func TestBackupsStayIfNoNewOneCanBeMade(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.ask(t, "POST", "/prompt", sayOld)
	r.ask(t, "POST", "/backup", "{}")
	all, err := store.Backups(r.home.Backups())
	if err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(r.home.Backups(), "memory-000009-20260301-120000.db.part")
	if err := os.MkdirAll(filepath.Join(blocked, "in it"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := r.ask(t, "POST", "/forget", `{"query":"quokkapassage"}`)
	if got.status < 400 || !strings.Contains(got.body, "mum backup") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if left, err := store.Backups(r.home.Backups()); err != nil || !slices.Equal(left, all) {
		t.Errorf("%v are left of %v, %v", left, all, err)
	}
}
