package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/gittest"
	"keepmum/project"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	gittest.Run(t, dir, args...)
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(root, "shop")
	if err := os.MkdirAll(filepath.Join(shop, "src", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, shop, "init", "-q", "-b", "trunk")
	git(t, shop, "commit", "-q", "--allow-empty", "-m", "first")
	return shop
}

func TestSubdirectoriesAndWorktreesAreOneProject(t *testing.T) {
	shop := repository(t)
	git(t, shop, "worktree", "add", "-q", "-b", "fix", "../elsewhere")
	want := project.Identity{Name: "shop", Root: shop, CommonDir: filepath.Join(shop, ".git"), Branch: "trunk"}
	if diff := cmp.Diff(want, project.Of(filepath.Join(shop, "src", "deep"))); diff != "" {
		t.Error("subdirectory:", diff)
	}
	elsewhere := filepath.Join(filepath.Dir(shop), "elsewhere")
	want.Root, want.Branch, want.Worktree = elsewhere, "fix", "elsewhere"
	if diff := cmp.Diff(want, project.Of(elsewhere)); diff != "" {
		t.Error("worktree:", diff)
	}
}

func TestClonesOfOneRemoteShareIt(t *testing.T) {
	a, b := repository(t), repository(t)
	git(t, a, "remote", "add", "origin", "git@github.com:acme/shop.git")
	git(t, b, "remote", "add", "origin", "https://user:pw@GitHub.com:443/acme/shop")
	if x, y := project.Of(a).Remote, project.Of(b).Remote; x != "github.com/acme/shop" || x != y {
		t.Errorf("remotes %q and %q", x, y)
	}
}

func TestADirectoryWithoutGitIsItsOwnProject(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(dir, "gone")
	for _, d := range []string{dir, gone} {
		want := project.Identity{Name: filepath.Base(d), Root: d}
		if diff := cmp.Diff(want, project.Of(d)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestNormaliseRemote(t *testing.T) {
	for in, want := range map[string]string{
		"git@github.com:acme/shop.git":            "github.com/acme/shop",
		"ssh://git@host.example:2222/acme/shop/":  "host.example/acme/shop",
		"https://tok:secret@host.example/a/b.git": "host.example/a/b",
		"/srv/git/shop.git":                       "/srv/git/shop",
		"":                                        "",
		"::::":                                    "",
	} {
		if got := project.NormaliseRemote(in); got != want {
			t.Errorf("%q → %q, want %q", in, got, want)
		}
	}
}

// An archive may hold a .git that leads to another project: its folder is told nothing of that one.
func TestAPlantedGitLeadsNowhere(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, evil, shop string){
		"a file": func(t *testing.T, evil, shop string) {
			write(t, filepath.Join(evil, ".git"), "gitdir: "+filepath.Join(shop, ".git")+"\n")
		},
		"a file that leads to a worktree": func(t *testing.T, evil, shop string) {
			git(t, shop, "worktree", "add", "-q", "-b", "fix", filepath.Join(shop, "fix"))
			write(t, filepath.Join(evil, ".git"), "gitdir: "+filepath.Join(shop, ".git", "worktrees", "fix")+"\n")
		},
		"a link": func(t *testing.T, evil, shop string) {
			if err := os.Symlink(filepath.Join(shop, ".git"), filepath.Join(evil, ".git")); err != nil {
				t.Fatal(err)
			}
		},
		"a directory with another's commondir": func(t *testing.T, evil, shop string) {
			dot := filepath.Join(evil, ".git")
			write(t, filepath.Join(dot, "HEAD"), "ref: refs/heads/main\n")
			write(t, filepath.Join(dot, "gitdir"), filepath.Join(evil, ".git")+"\n")
			write(t, filepath.Join(dot, "commondir"), filepath.Join(shop, ".git")+"\n")
		},
		"the module of another": func(t *testing.T, evil, shop string) {
			module := filepath.Join(shop, ".git", "modules", "part")
			write(t, filepath.Join(module, "HEAD"), "ref: refs/heads/main\n")
			write(t, filepath.Join(module, "config"), "[core]\n\tworktree = ../../../part\n")
			write(t, filepath.Join(evil, ".git"), "gitdir: "+module+"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			shop := repository(t)
			evil, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(evil, "src", "main.go"), "package main\n")
			plant(t, evil, shop)
			want := project.Identity{Name: filepath.Base(evil), Root: evil}
			if diff := cmp.Diff(want, project.Of(filepath.Join(evil, "src"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAWorkingTreeThatItsGitDirectoryKnows(t *testing.T) {
	shop := repository(t)
	base := filepath.Dir(shop)
	git(t, shop, "init", "-q", "--separate-git-dir", filepath.Join(base, "shop.git"))
	if got := project.Of(shop); got.CommonDir != filepath.Join(base, "shop.git") {
		t.Errorf("a separate git directory: %+v", got)
	}
	other := repository(t)
	git(t, other, "-c", "protocol.file.allow=always", "submodule", "add", "-q", shop, "part")
	part := filepath.Join(other, "part")
	if got := project.Of(part); got.Root != part || got.CommonDir != filepath.Join(other, ".git", "modules", "part") {
		t.Errorf("a submodule: %+v", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What another user laid into a directory above does not decide what a project is called, what
// of it is secret, or which memories it is told.
func TestGitFilesOfAnotherUserDecideNothing(t *testing.T) {
	for name, plant := range map[string]func(shop string) error{
		"a directory": func(shop string) error { return os.Chown(filepath.Join(shop, ".git"), 12345, 12345) },
		"a link": func(shop string) error {
			dot := filepath.Join(shop, ".git")
			return errors.Join(os.Rename(dot, dot+"s"), os.Symlink(".gits", dot), os.Lchown(dot, 12345, 12345))
		},
		"a file": func(shop string) error {
			dot := filepath.Join(shop, ".git")
			return errors.Join(os.Rename(dot, dot+"s"), os.WriteFile(dot, []byte("gitdir: .gits\n"), 0o644), os.Chown(dot,
				12345, 12345))
		},
		"a file that leads there": func(shop string) error {
			dot := filepath.Join(shop, ".git")
			return errors.Join(os.Rename(dot, dot+"s"), os.WriteFile(dot, []byte("gitdir: .gits\n"), 0o644), os.Chown(dot+"s",
				12345, 12345))
		},
	} {
		t.Run(name, func(t *testing.T) {
			shop := repository(t)
			git(t, shop, "remote", "add", "origin", "https://example.com/acme/payroll")
			if err := plant(shop); err != nil {
				t.Skip("only root can give a file away")
			}
			deep := filepath.Join(shop, "src", "deep")
			if diff := cmp.Diff(project.Identity{Name: "deep", Root: deep}, project.Of(deep)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Git looks at the owner alone, so a repository on which it works is a project here too.
func TestAGitDirectoryThatOthersMayWriteCountsAsForGit(t *testing.T) {
	shop := repository(t)
	git(t, shop, "remote", "add", "origin", "https://example.com/acme/payroll")
	if err := os.Chmod(filepath.Join(shop, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	git(t, shop, "status")
	if got := project.Of(filepath.Join(shop, "src", "deep")); got.Name != "payroll" || got.Root != shop {
		t.Errorf("got %+v", got)
	}
}
