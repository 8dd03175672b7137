//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// uninstall runs install.sh on a home of its own and returns what it said.
func uninstall(t *testing.T, root string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"../../install.sh", "--uninstall"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "PREFIX=" + root, "MUM_HOME=" + filepath.Join(root, "data"), "MUM_DAEMON__PORT=0"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestUninstallKeepsWhatWasRememberedUntilPurge(t *testing.T) {
	root := t.TempDir()
	data := filepath.Join(root, "data")
	program := filepath.Join(root, "bin", "mum")
	for _, dir := range []string{data, filepath.Dir(program)} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(data, "thesis.txt")
	if err := os.WriteFile(own, []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := uninstall(t, root, "--purge"); err == nil || !strings.Contains(out, "holds no data of keepmum") {
		t.Errorf("a directory of somebody else: %v\n%s", err, out)
	}
	if _, err := os.Stat(own); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "memory.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := uninstall(t, root)
	if err != nil || !strings.Contains(out, "there was no program") || !strings.Contains(out, "stays in "+data) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(own); err != nil {
		t.Fatal(err)
	}
	if out, err := uninstall(t, root, "--purge"); err != nil || !strings.Contains(out, "removed "+data) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the data is there after --purge: %v", err)
	}
}
