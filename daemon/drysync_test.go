package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/home"
)

// A process that is killed in a dry run removes nothing: the next one does, and until
// then there is no key in what is left.
func TestWhatAKilledDryRunLeftIsRemovedAndHoldsNoKey(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dead, err := killedDryRun()
	if err != nil {
		t.Fatal(err)
	}
	alive, lock, err := dryDir()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of a process that died: %v", err)
	}
	if err := removeCopies(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the copy of a process that lives: %v", err)
	}

	from := home.Dir(filepath.Join(t.TempDir(), "data"))
	if _, err := home.Prepare(from); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(from.HMACKey()+".replaced-1", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(from.Review(), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyHome(from, alive); err != nil {
		t.Fatal(err)
	}
	var names []string
	list, err := os.ReadDir(alive)
	for _, e := range list {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); err != nil || got != "review.jsonl" {
		t.Errorf("copied %q, %v", got, err)
	}
}

// killedDryRun leaves what a run leaves that was killed: the system let go of its lock.
func killedDryRun() (string, error) {
	dir, lock, err := dryDir()
	if err != nil {
		return "", err
	}
	return dir, lock.Close()
}
