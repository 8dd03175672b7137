package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// If a database is removed under a daemon, doctor names it, and no event is lost.
func TestADatabaseTakenAwayUnderADaemonLosesNoEvent(t *testing.T) {
	dir := upWith(t, "make walrus")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(home.Dir(dir).Database() + suffix); err != nil {
			t.Skipf("an open file stays where it is here: %v", err) // Windows
		}
	}
	if err := observe(t, dir, "make penguin"); err == nil || !strings.Contains(err.Error(), "mum restart") {
		t.Errorf("observe: %v", err)
	}
	if out, err := hook(dir, "said after the database went").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	var h api.Health
	if err := api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h); err != nil || h.OK {
		t.Errorf("health: %+v, %v", h, err)
	}
	if out, err := combined(dir, "doctor"); err == nil ||
		!strings.Contains(out, "moved or replaced while the daemon ran") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	must(t, dir, "restart")
	awaitSpool(t, dir)
	if out := must(t, dir, "search", "--all", "database went"); !strings.Contains(out, "said after the database") {
		t.Errorf("the event was lost:\n%s", out)
	}
}

// A database that was moved away before its first backup is not replaced silently either.
func TestAMovedDatabaseWithoutABackupIsNamed(t *testing.T) {
	longtest.Only(t)
	dir := upWith(t, "make walrus")
	must(t, dir, "down")
	database := home.Dir(dir).Database()
	if err := os.Rename(database, filepath.Join(dir, "mine.db")); err != nil {
		t.Fatal(err)
	}
	if out := must(t, dir, "up"); !strings.Contains(out, "there is no good backup of it") {
		t.Errorf("up: %s", out)
	}
	out, err := combined(dir, "doctor")
	if err == nil || !strings.Contains(out, "FAIL  emptied") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	must(t, dir, "down")
	if err := os.Rename(filepath.Join(dir, "mine.db"), database); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "up")
	if out := must(t, dir, "search", "--all", "walrus"); !strings.Contains(out, "walrus") {
		t.Errorf("the database that came back is not read:\n%s", out)
	}
	if out, err := combined(dir, "doctor"); strings.Contains(out, "emptied") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
}

// A lost database whose backups still exist is not replaced silently.
func TestAnEmptiedDatabaseIsNamedUntilItIsSettled(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	all, err := store.Backups(home.Dir(dir).Backups())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	well := func() bool {
		var h api.Health
		if err := api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h); err != nil {
			t.Fatal(err)
		}
		return h.OK
	}
	lose := func() {
		must(t, dir, "down")
		if err := os.Remove(home.Dir(dir).Database()); err != nil {
			t.Fatal(err)
		}
		if out := must(t, dir, "up"); !strings.Contains(out, all[0]) || !strings.Contains(out, "mum restore") {
			t.Errorf("up: %s", out)
		}
		if out, err := combined(dir, "doctor"); err == nil || !strings.Contains(out, "FAIL  emptied") {
			t.Errorf("doctor: %v\n%s", err, out)
		}
		if well() {
			t.Error("health is ok")
		}
		if err := observe(t, dir, "make penguin"); err != nil {
			t.Error(err)
		}
	}
	lose()
	must(t, dir, "down")
	must(t, dir, "restore", all[0], "--yes")
	must(t, dir, "up")
	if out := must(t, dir, "search", "--all", "walrus"); !strings.Contains(out, "walrus") || !well() {
		t.Errorf("not restored:\n%s", out)
	}
	lose()
	out, err := mum(dir, "doctor", "--fix").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "FAIL  emptied") || well() {
		t.Errorf("doctor --fix decided for the new database: %v\n%s", err, out)
	}
	must(t, dir, "doctor", "--accept-new")
	if !well() {
		t.Error("it is not settled")
	}
}

// What comes while the old database is missing is there after its restore, and a database that was set aside can be
// imported.
func TestARestoreKeepsWhatCameAfterTheLoss(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	must(t, dir, "down")
	database := home.Dir(dir).Database()
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "up")
	for _, prompt := range []string{"beta came meanwhile", "gamma came meanwhile"} {
		if out, err := hook(dir, prompt).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("hook: %v\n%s", err, out)
		}
	}
	awaitSpool(t, dir)
	must(t, dir, "down")
	if out := must(t, dir, "restore", "--yes"); !strings.Contains(out, "2 entries") {
		t.Errorf("restore: %s", out)
	}
	must(t, dir, "up")
	await.True(t, "all three entries", func() bool {
		out := must(t, dir, "export")
		return strings.Contains(out, "walrus") && strings.Count(out, "came meanwhile") == 2
	})
	await.True(t, "the end of it", func() bool {
		_, interim, err := store.Interim(t.Context(), database+".replaced")
		return err == nil && !interim
	})
	must(t, dir, "restart")
	if out := must(t, dir, "import", database+".replaced"); !strings.Contains(out, "added 0 documents") ||
		!strings.Contains(out, "2 already there") {
		t.Errorf("import: %s", out)
	}
	other := upWith(t)
	if out := must(t, other, "import", database+".replaced"); !strings.Contains(out, "added 2 documents") {
		t.Errorf("import elsewhere: %s", out)
	}
}

func TestDoctorSaysThatNoBackupIsGood(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	must(t, dir, "down")
	all, err := store.Backups(home.Dir(dir).Backups())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	for _, file := range []string{all[0], home.Dir(dir).Database()} {
		if err := os.WriteFile(file, []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := mum(dir, "doctor", "--fix").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no backup (of 1) can be restored") ||
		!strings.Contains(string(out), ".damaged-") {
		t.Errorf("%v\n%s", err, out)
	}
	must(t, dir, "up")
}

func TestADamagedDatabaseThatWasRestoredIsNoLongerMissed(t *testing.T) {
	longtest.Only(t)
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	must(t, dir, "down")
	file := home.Dir(dir).Database()
	size := func() int64 {
		t.Helper()
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := os.Truncate(file, size()/2); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "doctor", "--fix")
	must(t, dir, "up")
	if out := must(t, dir, "search", "--all", "walrus"); !strings.Contains(out, "walrus") {
		t.Errorf("not restored:\n%s", out)
	}
	must(t, dir, "doctor", "--fix") // settles that what came after the backup is gone
	await.True(t, "health is ok", func() bool {
		var h api.Health
		return api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h) == nil && h.OK
	})
	must(t, dir, "doctor")
}

// A backup that takes the place of a damaged database says what is gone, until that is settled.
func TestARepairOfADamagedDatabaseSaysWhatIsGone(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	for range 4 {
		if err := observe(t, dir, "make penguin"); err != nil {
			t.Fatal(err)
		}
	}
	must(t, dir, "down")
	write(t, home.Dir(dir).Database(), strings.Repeat("no database ", 2000))
	says := func(out string) bool {
		return strings.Contains(out, "about 4 entries that came later are gone") &&
			strings.Contains(out, "memory.db.replaced") && strings.Contains(out, "memory-000001-")
	}
	fix := func() string {
		out, _ := mum(dir, "doctor", "--fix", "--json").CombinedOutput() // no agent is connected: it may end with 1
		return string(out)
	}
	if out := fix(); !says(out) {
		t.Errorf("doctor --fix:\n%s", out)
	}
	must(t, dir, "up")
	if s := status(t, dir); s.OK || !says(strings.Join(s.Problems, "\n")) {
		t.Errorf("status: %q", s.Problems)
	}
	if out, err := combined(dir, "doctor", "--json"); err == nil || !says(out) ||
		strings.Count(out, "that came later") != 1 {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	fix()
	if s := status(t, dir); !s.OK {
		t.Errorf("status after it was settled: %q", s.Problems)
	}
}
