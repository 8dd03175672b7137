package main

import (
	"os"
	"path/filepath"
	"testing"

	"keepmum/api"
)

func TestALinkedWorktreeBelongsToTheAddedProject(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, linked := filepath.Join(dir, "shop"), filepath.Join(dir, "shop-fix")
	write(t, under(t, repo, ".git", "HEAD"), "ref: refs/heads/main\n")
	at := filepath.Join(repo, ".git", "worktrees", "shop-fix")
	write(t, under(t, at, "HEAD"), "ref: refs/heads/fix\n")
	write(t, under(t, at, "commondir"), "../..\n")
	write(t, under(t, at, "gitdir"), filepath.Join(linked, ".git")+"\n")
	write(t, under(t, linked, ".git"), "gitdir: "+at+"\n")
	for _, d := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(repo, ".git", d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	all := []api.Project{{ID: 7, Added: true, MemoryDir: filepath.Join(repo, ".mum", "memory")}}
	for _, in := range []string{repo, linked} {
		if p, err := projectAround(all, in, "none"); err != nil || p.ID != 7 {
			t.Errorf("%s: %v, %v", in, p, err)
		}
	}
}

func TestADanglingGitignoreIsNoticedBeforeAnythingIsAdded(t *testing.T) {
	repo := t.TempDir()
	write(t, under(t, repo, ".git", "HEAD"), "ref: refs/heads/main\n")
	if err := os.Symlink(filepath.Join(repo, "nothing"), filepath.Join(repo, ".gitignore")); err != nil {
		t.Skip(err)
	}
	if _, err := (&app{}).readIgnored(repo, projectAdd{ignore: true}); err == nil {
		t.Error("the link is not noticed")
	}
}
