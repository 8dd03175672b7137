package gittest

import (
	"path/filepath"
	"testing"
)

func TestHeadIsTheCommitThatGitNames(t *testing.T) {
	dir := t.TempDir()
	Init(t, dir)
	for _, c := range [][]string{{"commit", "-q", "--allow-empty", "-m", "first"}, {"switch", "-q", "-c", "a/b"},
		{"commit", "-q", "--allow-empty", "-m", "second"}, {"pack-refs", "--all"}, {"checkout", "-q", "--detach", "main"}} {
		Run(t, dir, c...)
		if got, want := Head(t, dir), Run(t, dir, "rev-parse", "HEAD"); got != want {
			t.Errorf("after %v: %s, not %s", c, got, want)
		}
	}
	to := filepath.Join(t.TempDir(), "copy")
	Copy(t, to, dir)
	if got, want := Run(t, to, "rev-parse", "a/b"), Run(t, dir, "rev-parse", "a/b"); got != want {
		t.Errorf("a copy has %s, not %s", got, want)
	}
	if got := Run(t, to, "status", "--porcelain"); got != "" {
		t.Errorf("a copy is changed: %s", got)
	}
}
