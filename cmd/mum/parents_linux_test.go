package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/home"
)

func TestADirectoryInWhichOthersMoveTheDataIsNamed(t *testing.T) {
	for mode, want := range map[os.FileMode]bool{0o700: false, 0o755: false, 0o777: true, 0o777 | os.ModeSticky: false} {
		parent := filepath.Join(t.TempDir(), "parent")
		if err := os.MkdirAll(filepath.Join(parent, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(parent, mode); err != nil {
			t.Fatal(err)
		}
		f, bad := checkParents(home.Dir(filepath.Join(parent, "data")))
		if bad != want || bad && !strings.Contains(f.Detail, parent+": other users may write it") {
			t.Errorf("%v: %v %+v", mode, bad, f)
		}
	}
}
