package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

var errKilled = errors.New("killed")

// until lets n renames happen; the process does not come to the next one.
func until(n int) func(string, string) error {
	return func(from, to string) error {
		if n--; n < 0 {
			return errKilled
		}
		return os.Rename(from, to)
	}
}

// A kill before each rename, and one more before each rename of the finishing,
// leaves all that was to be put there, and all that was there aside.
func TestMovesAreAllDoneAfterAKillAtEachRename(t *testing.T) {
	for first := range 8 {
		for second := range 8 {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			for name, text := range map[string]string{"db": "old", "db-wal": "old log", "new": "new", "tree/a.md": "old a",
				"new tree/b.md": "new b", "new key": "key"} {
				if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			journal := at("journal")
			moves := []Move{{To: at("db-wal")}, {To: at("db-shm")}, {From: at("new tree"), To: at("tree")},
				{From: at("new key"), To: at("key")}, {From: at("new"), To: at("db")}}
			if _, err := together(journal, moves, until(first)); err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if _, err := finishWith(journal, until(second)); err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if _, err := Finish(journal); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"db": "new", "db.replaced": "old", "db-wal": "",
				"db-wal.replaced": "old log",
				"tree/b.md":       "new b", "tree/a.md": "", "tree.replaced/a.md": "old a", "key": "key", "journal": "",
				"new": ""} {
				got, err := os.ReadFile(at(name))
				if string(got) != want || (err == nil) != (want != "") {
					t.Errorf("killed before rename %d, then %d: %s holds %q, want %q", first, second, name, got, want)
				}
			}
		}
	}
}

func TestAJournalMovesNothingOutOfItsDirectory(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal")
	if err := os.WriteFile(journal, []byte(`[{"from":"a","to":"../b"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Finish(journal); err == nil {
		t.Error("it followed a path out of its directory")
	}
	if _, err := Together(journal, []Move{{From: "/a", To: "/b"}}); err == nil {
		t.Error("it moved what lies elsewhere")
	}
}
