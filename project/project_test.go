package project_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/project"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git",
		append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
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
