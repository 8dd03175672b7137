//go:build unix

package atomicfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"keepmum/atomicfile"
)

func TestAPipeIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	pipe, whole := filepath.Join(dir, "pipe"), filepath.Join(dir, "whole")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(whole, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"written": atomicfile.Write(pipe, []byte("new"), 0o600),
		"swapped": atomicfile.Swap(pipe, []byte("new"), 0o600),
		"moved":   atomicfile.Put(whole, pipe),
	} {
		if err == nil {
			t.Errorf("it was %s", name)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe became %v, %v", info, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
