package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The user removes or moves the data directory, and the next hook starts a second daemon in its place.
func TestADaemonWhoseDirectoryWasMovedLeavesThatOfTheNextAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	old := startWith(t, dir, Options{})
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	r := startWith(t, dir, Options{})
	old.stop = nil
	if err := <-old.done; !errors.Is(err, ErrMoved) {
		t.Errorf("the old one: %v", err)
	}
	if got := r.ask(t, "GET", "/health", ""); got.status != 200 {
		t.Errorf("the new one: %d %s", got.status, got.body)
	}
	for _, path := range []string{r.d.o.Home.Socket(), r.d.o.Home.Port()} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestADaemonWhoseSocketWasRemovedStartsAgain(t *testing.T) {
	r := startWith(t, t.TempDir(), Options{})
	if err := os.Remove(r.d.o.Home.Socket()); err != nil {
		t.Fatal(err)
	}
	r.stop = nil
	if err := <-r.done; !errors.Is(err, ErrReplaced) {
		t.Errorf("%v", err)
	}
}
