package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A journal that is no file of ours is damaged: neither a pipe nor an endless device holds up the start.
func TestAJournalThatIsNoFileIsDamaged(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("/dev/zero", at("device")),
		os.Mkdir(at("directory"), 0o700), os.WriteFile(at("terabyte"), nil, 0o600),
		os.Truncate(at("terabyte"), 1<<40)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "device", "directory", "terabyte"} {
		if err := Check(at(name)); !errors.Is(err, ErrDamaged) {
			t.Errorf("a %s: %v", name, err)
		}
	}
}
