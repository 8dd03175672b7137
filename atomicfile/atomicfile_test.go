package atomicfile_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"keepmum/atomicfile"
)

func TestWriteReplacesContentAndMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "new" {
		t.Fatalf("content %q, %v", got, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
}

func TestWriteLeavesTheOldFileWhenItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "child"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("new"), 0o600); err == nil {
		t.Fatal("replaced a directory that is not empty")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Fatalf("left behind: %v, %v", left, err)
	}
}

func TestCreateHasOneWinner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	var wg sync.WaitGroup
	wins := make([]bool, 20)
	for i := range wins {
		wg.Go(func() {
			made, err := atomicfile.Create(path, []byte(strconv.Itoa(i)), 0o600)
			if err != nil {
				t.Error(err)
			}
			wins[i] = made
		})
	}
	wg.Wait()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, won := range wins {
		if won != (string(got) == strconv.Itoa(i)) {
			t.Errorf("process %d says won=%v, the file holds %s", i, won, got)
		}
	}
}

func TestANameMayBeAsLongAsTheFileSystemTakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("é", 125))
	if made, err := atomicfile.Create(path, []byte("old"), 0o600); err != nil || !made {
		t.Fatal(made, err)
	}
	if err := atomicfile.Write(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
}
