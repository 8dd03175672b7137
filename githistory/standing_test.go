package githistory_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"keepmum/githistory"
	"keepmum/gittest"
	"keepmum/longtest"
	"keepmum/project"
)

// text is a file with many lines, of which each branch changes others.
func text(changed ...string) string {
	out := make([]string, 0, 40)
	for i := range 40 {
		out = append(out, strings.Repeat("line ", 2)+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	for i, c := range changed {
		out[10*i+3] = c
	}
	return strings.Join(out, "\n") + "\n"
}

func (r repo) save(t *testing.T, message, name, content string) string {
	t.Helper()
	r.write(t, name, content)
	r.git(t, "add", "-A")
	r.git(t, "commit", "-q", "-m", message)
	return gittest.Head(t, r.dir)
}

// made are repositories that many tests begin with: a copy takes less than the programs that make one.
var (
	making         sync.Mutex
	made           = map[string]string{}
	markOfBranched githistory.Mark
)

// TestMain removes them in the end.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range made {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// copyOf returns a copy of a repository that is made once.
func copyOf(t *testing.T, name string, create func(t *testing.T) repo) repo {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	if made[name] == "" {
		dir, err := os.MkdirTemp("", "made-")
		if err != nil {
			t.Fatal(err)
		}
		gittest.Copy(t, filepath.Join(dir, "shop"), create(t).dir)
		made[name] = dir
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repo{filepath.Join(root, "shop")}
	gittest.Copy(t, r.dir, filepath.Join(made[name], "shop"))
	return r
}

// branched is a repository with work on a branch, and where the branch was.
func branched(t *testing.T) (repo, githistory.Mark) {
	t.Helper()
	r := copyOf(t, "branched", func(t *testing.T) (r repo) { r, markOfBranched = makeBranched(t); return r })
	return r, markOfBranched
}

func makeBranched(t *testing.T) (repo, githistory.Mark) {
	t.Helper()
	r := newRepo(t)
	r.save(t, "first", "a.go", text())
	r.git(t, "switch", "-q", "-c", "fix")
	r.save(t, "retry three times", "a.go", text("retry three times"))
	r.save(t, "say how long it waits", "b.go", "wait := time.Second\nwait for a second\n")
	mark := r.see(t, githistory.Mark{Name: "fix"}, githistory.Open)
	r.git(t, "switch", "-q", "main")
	return r, mark
}

// see checks a branch and expects a result.
func (r repo) see(t *testing.T, was githistory.Mark, want githistory.Standing) githistory.Mark {
	t.Helper()
	got, now, err := r.opened(t).Standing(t.Context(), was)
	if err != nil || got != want {
		t.Errorf("%s is %s (%v), not %s", was.Name, got, err, want)
	}
	return now
}

func (r repo) drop(t *testing.T) { r.git(t, "branch", "-D", "fix") }

func TestWhereTheWorkOfABranchIs(t *testing.T) {
	cases := map[string]struct {
		do             func(*testing.T, repo)
		there, deleted githistory.Standing
	}{
		"nothing happened": {func(*testing.T, repo) {}, githistory.Open, githistory.Lost},
		"main went on": {func(t *testing.T, r repo) { r.save(t, "other", "c.go", "something else\n") },
			githistory.Open, githistory.Lost},
		"main changed the same file": {func(t *testing.T, r repo) {
			r.save(t, "other", "a.go", text(text()[:9], "another thing is said here"))
		}, githistory.Open, githistory.Lost},
		"merged": {func(t *testing.T, r repo) { r.git(t, "merge", "-q", "--no-ff", "--no-edit", "fix") },
			githistory.Merged, githistory.Merged},
		"merged by a step forward": {func(t *testing.T, r repo) { r.git(t, "merge", "-q", "--ff-only", "fix") },
			githistory.Merged, githistory.Merged},
		"merged after main went on": {func(t *testing.T, r repo) {
			r.save(t, "other", "c.go", "something else\n")
			r.git(t, "merge", "-q", "--no-edit", "fix")
		}, githistory.Merged, githistory.Merged},
		"squashed": {func(t *testing.T, r repo) { r.squash(t) }, githistory.Merged, githistory.Merged},
		"squashed, and both went on": {func(t *testing.T, r repo) {
			r.save(t, "other", "c.go", "something else\n")
			r.squash(t)
			r.save(t, "later", "a.go", text("retry three times", "and this came later"))
		}, githistory.Merged, githistory.Merged},
		"squashed with a change": {func(t *testing.T, r repo) {
			r.git(t, "merge", "-q", "--squash", "fix")
			r.save(t, "fix", "b.go", "wait := time.Second\nwait for a minute\n")
		}, githistory.Open, githistory.Merged},
		"rebased and merged": {func(t *testing.T, r repo) {
			r.save(t, "other", "c.go", "something else\n")
			r.git(t, "rebase", "-q", "main", "fix")
			r.git(t, "switch", "-q", "main")
			r.git(t, "merge", "-q", "--ff-only", "fix")
		}, githistory.Merged, githistory.Merged},
		"rebased by the forge": {func(t *testing.T, r repo) {
			r.save(t, "other", "c.go", "something else\n")
			r.git(t, "cherry-pick", "main..fix")
		}, githistory.Merged, githistory.Merged},
		"one of two picked": {func(t *testing.T, r repo) {
			r.save(t, "other", "c.go", "something else\n")
			r.git(t, "cherry-pick", "fix~1")
		}, githistory.Open, githistory.Merged},
		"rewritten and merged": {func(t *testing.T, r repo) {
			r.git(t, "switch", "-q", "fix")
			r.git(t, "commit", "-q", "--amend", "-m", "said otherwise")
			r.git(t, "switch", "-q", "main")
			r.git(t, "merge", "-q", "--no-ff", "--no-edit", "fix")
		}, githistory.Merged, githistory.Merged},
		"main is rewritten after the merge": {func(t *testing.T, r repo) {
			r.git(t, "merge", "-q", "--ff-only", "fix")
			r.git(t, "commit", "-q", "--amend", "-m", "said otherwise", "--date=2020-01-01T00:00:00Z")
		}, githistory.Merged, githistory.Merged},
		"merged and reverted": {func(t *testing.T, r repo) {
			r.squash(t)
			r.git(t, "revert", "--no-edit", "HEAD")
		}, githistory.Merged, githistory.Merged},
		"another history": {func(t *testing.T, r repo) {
			r.git(t, "checkout", "-q", "--orphan", "new")
			r.git(t, "commit", "-q", "-m", "all anew")
			r.git(t, "branch", "-M", "new", "main")
		}, githistory.Open, githistory.Merged},
	}
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		if !longtest.Every(3, i) { // each is some forty calls of git
			continue
		}
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			r, mark := branched(t)
			c.do(t, r)
			r.see(t, mark, c.there)
			r.drop(t)
			r.see(t, mark, c.deleted)
		})
	}
}

func (r repo) squash(t *testing.T) {
	t.Helper()
	r.git(t, "merge", "-q", "--squash", "fix")
	r.git(t, "commit", "-q", "-m", "retry (#12)")
}

func TestABranchWithoutWorkOfItsOwnIsOpenUntilItIsGone(t *testing.T) {
	r := newRepo(t)
	r.save(t, "first", "a.go", text())
	r.git(t, "switch", "-q", "-c", "fix")
	mark := r.see(t, githistory.Mark{Name: "fix"}, githistory.Open)
	r.git(t, "switch", "-q", "main")
	r.save(t, "second", "b.go", "more\n")
	mark = r.see(t, mark, githistory.Open)
	r.git(t, "branch", "-q", "-f", "fix", "main")
	mark = r.see(t, mark, githistory.Open)
	r.drop(t)
	r.see(t, mark, githistory.Merged)
}

func TestARenamedBranchKeepsItsWork(t *testing.T) {
	r, mark := branched(t)
	r.git(t, "branch", "-m", "fix", "mend")
	if now := r.see(t, mark, githistory.Open); now.Name != "mend" {
		t.Errorf("it is called %s", now.Name)
	}
	r.git(t, "switch", "-q", "-c", "further", "mend")
	r.save(t, "more", "d.go", "what comes next\n")
	r.git(t, "branch", "-D", "mend")
	if now := r.see(t, mark, githistory.Open); now.Name != "further" {
		t.Errorf("it is called %s", now.Name)
	}
}

// A branch that is renamed before keepmum saw a commit of its own is found by the log that git moves with it.
func TestABranchThatIsRenamedBeforeItsFirstCommitIsOpen(t *testing.T) {
	renamed := func(t *testing.T) (repo, githistory.Mark) {
		t.Helper()
		r := newRepo(t)
		r.save(t, "first", "a.go", text())
		r.git(t, "switch", "-q", "-c", "tmp")
		mark := r.see(t, githistory.Mark{Name: "tmp"}, githistory.Open)
		r.git(t, "branch", "-m", "tmp", "work/fix")
		return r, mark
	}
	called := func(t *testing.T, r repo, mark githistory.Mark, want string) {
		t.Helper()
		if now := r.see(t, mark, githistory.Open); now.Name != want {
			t.Errorf("it is called %s, not %s", now.Name, want)
		}
	}
	t.Run("at once", func(t *testing.T) {
		r, mark := renamed(t)
		called(t, r, mark, "work/fix")
		r.git(t, "branch", "-m", "work/fix", "again")
		called(t, r, mark, "again")
		r.git(t, "switch", "-q", "-c", "other", "main")
		called(t, r, mark, "again")
		r.git(t, "branch", "-D", "again")
		r.see(t, mark, githistory.Merged)
	})
	t.Run("with commits that nobody saw", func(t *testing.T) {
		r, mark := renamed(t)
		r.save(t, "work", "b.go", "more\n")
		r.git(t, "switch", "-q", "main")
		r.save(t, "second", "c.go", "of main\n")
		called(t, r, mark, "work/fix")
		r.git(t, "merge", "-q", "--no-edit", "work/fix")
		if now := r.see(t, mark, githistory.Merged); now.Name != "tmp" {
			t.Errorf("merged, it is called %s", now.Name)
		}
	})
	t.Run("another branch that had the name before", func(t *testing.T) {
		r, _ := renamed(t)
		r.git(t, "switch", "-q", "main")
		r.save(t, "second", "c.go", "of main\n")
		r.git(t, "switch", "-q", "-c", "tmp")
		mark := r.see(t, githistory.Mark{Name: "tmp"}, githistory.Open)
		r.git(t, "switch", "-q", "main")
		r.git(t, "branch", "-D", "tmp")
		r.see(t, mark, githistory.Merged)
		r.git(t, "branch", "-q", "-f", "work/fix", "main") // it was there only after it had been renamed
		r.see(t, mark, githistory.Merged)
	})
}

func TestABranchOnARemoteExists(t *testing.T) {
	r, mark := branched(t)
	bare := filepath.Join(t.TempDir(), "shop.git")
	r.git(t, "clone", "-q", "--bare", r.dir, bare)
	r.git(t, "remote", "add", "fork", bare)
	r.git(t, "fetch", "-q", "fork")
	r.drop(t)
	r.see(t, mark, githistory.Open)
	r.git(t, "remote", "remove", "fork")
	r.see(t, mark, githistory.Lost)
}

func TestWhatTheRemoteMergedCounts(t *testing.T) {
	r, mark := branched(t)
	bare := filepath.Join(t.TempDir(), "shop.git")
	r.git(t, "clone", "-q", "--bare", r.dir, bare)
	r.git(t, "remote", "add", "origin", bare)
	r.git(t, "fetch", "-q", "origin")
	r.git(t, "remote", "set-head", "origin", "main")
	other := repo{filepath.Join(t.TempDir(), "other")}
	r.git(t, "clone", "-q", bare, other.dir)
	other.git(t, "merge", "-q", "--no-ff", "--no-edit", "origin/fix")
	other.git(t, "push", "-q", "origin", "main")
	r.see(t, mark, githistory.Open)
	r.git(t, "fetch", "-q", "origin")
	r.see(t, mark, githistory.Merged)
	r.git(t, "remote", "remove", "origin")
	r.drop(t)
	r.see(t, mark, githistory.Lost) // nothing here shows that it was merged elsewhere
}

func TestAShallowCloneProvesNothing(t *testing.T) {
	r, mark := branched(t)
	r.save(t, "second", "c.go", "something else\n")
	r.save(t, "third", "c.go", "something else again\n")
	clone := repo{filepath.Join(t.TempDir(), "shop")}
	r.git(t, "clone", "-q", "--depth=1", "--no-single-branch", "file://"+r.dir, clone.dir)
	clone.git(t, "branch", "-q", "fix", "origin/fix")
	mark = clone.see(t, mark, githistory.Open)
	clone.git(t, "update-ref", "-d", "refs/remotes/origin/fix")
	clone.drop(t)
	clone.see(t, mark, githistory.Merged)
}

func TestWorkThatWasCollectedProvesNothing(t *testing.T) {
	r, mark := branched(t)
	r.drop(t)
	r.see(t, mark, githistory.Lost)
	r.git(t, "reflog", "expire", "--expire=now", "--all")
	r.git(t, "gc", "-q", "--prune=now")
	r.see(t, mark, githistory.Merged)
}

func TestAWorktreeAndADetachedHead(t *testing.T) {
	r, mark := branched(t)
	tree := repo{filepath.Join(filepath.Dir(r.dir), "tree")}
	r.git(t, "worktree", "add", "-q", tree.dir, "fix")
	tree.see(t, mark, githistory.Open)
	tree.git(t, "checkout", "-q", "--detach")
	r.drop(t)
	tree.see(t, mark, githistory.Lost) // a detached commit is not a branch
	r.git(t, "branch", "fix", mark.Tip)
	r.git(t, "merge", "-q", "--no-edit", "fix")
	tree.see(t, mark, githistory.Merged)
}

func TestWithoutADefaultBranchABranchIsOpenWhileItIsThere(t *testing.T) {
	r, mark := branched(t)
	r.git(t, "branch", "-m", "main", "elsewhere")
	r.see(t, mark, githistory.Open)
	r.drop(t)
	r.see(t, mark, githistory.Merged)
}

func TestABranchCalledLikeAPathIsNoPath(t *testing.T) {
	r, _ := branched(t)
	if err := os.WriteFile(filepath.Join(r.dir, ".git", "secret"), []byte("x\tcommit: y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.see(t, githistory.Mark{Name: "../../../secret"}, githistory.Merged)
	r.see(t, githistory.Mark{Name: ""}, githistory.Merged)
}

func TestARunningRebaseIsOnItsBranch(t *testing.T) {
	r, _ := branched(t)
	r.save(t, "other", "a.go", text("another way of doing it"))
	r.careless("rebase", "main", "fix") // ends in a conflict
	if got := project.Of(r.dir).Branch; got != "fix" {
		t.Errorf("the branch is %q", got)
	}
}

// A commit that comes after the branches were read does not make a branch without commits a merged one.
func TestACommitDuringALookIsLeftToTheNext(t *testing.T) {
	r := newRepo(t)
	r.save(t, "first", "a.go", text())
	r.git(t, "switch", "-q", "-c", "fix")
	before := r.opened(t)
	r.save(t, "retry three times", "a.go", text("retry three times"))
	got, mark, err := before.Standing(t.Context(), githistory.Mark{Name: "fix"})
	if err != nil || got != githistory.Open || mark.Own {
		t.Errorf("%s, %+v (%v)", got, mark, err)
	}
	if now := r.see(t, mark, githistory.Open); !now.Own {
		t.Errorf("the next look finds %+v", now)
	}
}
