// Package gittest makes real repositories for tests, with as few programs as it takes.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// options name an author. A commit looks for maintenance that is due with two more programs, which take as much time as
// the commit: here nothing is ever due.
var options = []string{"-c", "user.name=Ada Example", "-c", "user.email=ada@example.com",
	"-c", "maintenance.auto=false", "-c", "gc.auto=0"}

// Command returns git on a directory. It reads no configuration of the user or of the machine.
func Command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append(append([]string{"-C", dir}, options...), args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	return cmd
}

// Run runs git on a directory and returns what it prints, without the space around it.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := Command(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Init makes an empty repository on branch main.
func Init(t testing.TB, dir string) {
	t.Helper()
	Run(t, dir, "init", "-q", "-b", "main", "--template=")
}

// Head returns the commit that is checked out. It reads the file of the branch; only if there is none, it asks git.
func Head(t testing.TB, dir string) string {
	t.Helper()
	repository := filepath.Join(dir, ".git")
	head, err := os.ReadFile(filepath.Join(repository, "HEAD"))
	if branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: "); err == nil && ok {
		if hash, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(branch))); err == nil {
			return strings.TrimSpace(string(hash))
		}
	}
	return Run(t, dir, "rev-parse", "HEAD")
}

// Copy copies a repository, or a directory that contains several, to a place where nothing is yet.
func Copy(t testing.TB, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
