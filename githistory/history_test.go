package githistory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/githistory"
)

func TestCommitsComeNewestFirstWithTheirFiles(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "first", "a.go", "web/ü \"x\"\n.go")
	r.commit(t, "second\n\nWhy.", "a.go")
	got := history(t, r.opened(t))
	if diff := cmp.Diff([]string{"second", "first"}, subjects(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"a.go"}, {"a.go", "web/ü \"x\"?.go"}},
		[][]string{got[0].Files, got[1].Files}); diff != "" {
		t.Error(diff)
	}
	if got[0].Author != "Ada Example" || got[0].Written.IsZero() || got[0].Message != "second\n\nWhy." {
		t.Errorf("got %+v", got[0])
	}
}

func TestBranchesAndWorktreesAreOneHistory(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "first", "a")
	r.git(t, "worktree", "add", "-q", "-b", "fix", "../fix")
	tree := repo{filepath.Join(filepath.Dir(r.dir), "fix")}
	tree.commit(t, "on a branch", "b")
	r.git(t, "pack-refs", "--all")
	for _, dir := range []repo{r, tree} {
		got := subjects(history(t, dir.opened(t)))
		slices.Sort(got) // both were made in the same second
		if diff := cmp.Diff([]string{"first", "on a branch"}, got); diff != "" {
			t.Error(dir.dir, diff)
		}
	}
	if branch := tree.opened(t).Refs.Branch; branch != "fix" {
		t.Errorf("branch %q", branch)
	}
}

func TestMessagesAreReadAsText(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"people": {"fix it\n\nBecause.\n\nSigned-off-by: A <a@b.c>\nCo-authored-by: B <b@c.d>\nFixes: #12\n" +
			"Reviewed-By: C\nCc: d\nFoo: E <e@f.g>", "fix it\n\nBecause.\n\nFixes: #12"},
		"not UTF-8": {"caf\xe9 closes at ten o'clock sharp", "caf? closes at ten o'clock sharp"},
		"binary":    {"\x01\x02\x03\x04\x05x", ""},
		"escapes": {"red \x1b[31m text,\x1b[0m and a long \x1bc enough line of it",
			"red  text, and a long ?c enough line of it"},
		"crlf": {"one\r\n\r\ntwo\r\n", "one\n\ntwo"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.commit(t, "to be replaced", "a")
			r.raw(t, "tree "+r.git(t, "rev-parse", "HEAD^{tree}")+"\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000\n\n"+
				c.raw)
			got := history(t, r.opened(t))
			if len(got) != 1 || got[0].Message != c.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAnOldEncodingIsKnown(t *testing.T) {
	r := newRepo(t)
	r.git(t, "config", "i18n.commitEncoding", "ISO-8859-1")
	r.commit(t, "caf\xe9", "a")
	if got := history(t, r.opened(t)); got[0].Message != "café" {
		t.Errorf("got %q", got[0].Message)
	}
}

func TestAHugeMessageIsLeftOut(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "first", "a")
	r.commit(t, strings.Repeat("long ", 1<<20), "b")
	r.commit(t, strings.Repeat("fits ", 10_000), "c")
	got := history(t, r.opened(t))
	if len(got) != 2 || len(got[0].Message) != 49_999 || got[1].Message != "first" {
		t.Errorf("%d commits", len(got))
	}
}

func TestARepositoryWithoutCommitsHasNoHistory(t *testing.T) {
	r := newRepo(t)
	o := r.opened(t)
	if got := history(t, o); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if got, err := o.Touched(t.Context()); err != nil || len(got.Uncommitted) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAShallowHistoryEndsWhereItWasCutOff(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		r.commit(t, fmt.Sprint("number ", i), "a", fmt.Sprint("b", i))
	}
	r.git(t, "clone", "-q", "--depth=2", "file://"+r.dir, "../cut")
	cut := repo{filepath.Join(filepath.Dir(r.dir), "cut")}
	got := history(t, cut.opened(t))
	if diff := cmp.Diff([]string{"number 4", "number 3"}, subjects(got)); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff([][]string{{"a", "b4"}, nil}, [][]string{got[0].Files, got[1].Files}); diff != "" {
		t.Error("what the last of them changed cannot be known:", diff)
	}
}

func TestABareRepositoryIsReadFromItsWorktree(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "first", "a")
	r.git(t, "clone", "-q", "--bare", r.dir, "../bare.git")
	bare := repo{filepath.Join(filepath.Dir(r.dir), "bare.git")}
	if _, err := bare.open(t); !errors.Is(err, githistory.ErrNoRepository) {
		t.Errorf("nobody works in a bare repository itself: %v", err)
	}
	bare.git(t, "worktree", "add", "-q", "-b", "fix", "../tree")
	tree := repo{filepath.Join(filepath.Dir(r.dir), "tree")}
	if diff := cmp.Diff([]string{"first"}, subjects(history(t, tree.opened(t)))); diff != "" {
		t.Error(diff)
	}
}

// object returns the path of a loose object.
func (r repo) object(hash string) string { return r.path(".git/objects/" + hash[:2] + "/" + hash[2:]) }

func spoil(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not an object"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheRestOfADamagedRepositoryIsRead(t *testing.T) {
	r := newRepo(t)
	var all []string
	for i := range 6 {
		all = append(all, r.commit(t, fmt.Sprint("number ", i), fmt.Sprint("f", i)))
	}
	spoil(t, r.object(r.git(t, "rev-parse", all[4]+"^{tree}"))) // its files, and what the next one changed in them
	got := history(t, r.opened(t))
	if diff := cmp.Diff([]string{"number 5", "number 4", "number 3", "number 2", "number 1", "number 0"},
		subjects(got)); diff != "" {
		t.Error("a tree is damaged:", diff)
	}
	if len(got) == 6 && (len(got[1].Files) != 0 || len(got[3].Files) != 1) {
		t.Errorf("files %q, %q", got[1].Files, got[3].Files)
	}
	spoil(t, r.object(all[2]))
	list, err := r.opened(t).List(t.Context(), 100)
	if err == nil || len(list) < 2 {
		t.Errorf("a commit is damaged: listed %d, %v", len(list), err)
	}
	some := read(t, r.opened(t), all)
	if diff := cmp.Diff([]string{"number 0", "number 1", "number 3", "number 4", "number 5"}, subjects(some)); diff != "" {
		t.Error("a commit is damaged:", diff)
	}
}

func TestWhatIsTouched(t *testing.T) {
	r := newRepo(t)
	for _, f := range []string{"same.go", "edited.go", "staged.go", "written again.go", "gone.go"} {
		r.write(t, f, "old")
	}
	r.commit(t, "first")
	r.git(t, "checkout", "-q", "-b", "fix")
	r.commit(t, "on the branch", "branch.go", "edited.go")
	r.write(t, "edited.go", "new")
	r.write(t, "staged.go", "new")
	r.git(t, "add", "staged.go")
	r.write(t, "untracked.go", "new")
	if err := errors.Join(os.Remove(r.path("written again.go")), os.Remove(r.path("gone.go"))); err != nil {
		t.Fatal(err)
	}
	r.write(t, "written again.go", "old")
	before, err := os.ReadFile(r.path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.opened(t).Touched(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := githistory.Touched{Branch: "fix", Uncommitted: []string{"edited.go", "gone.go", "staged.go"},
		Committed: []string{"branch.go"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	after, err := os.ReadFile(r.path(".git/index"))
	if err != nil || string(before) != string(after) {
		t.Error("the index was written")
	}
}

func TestLineEndsAloneAreNoDifference(t *testing.T) {
	for name, in := range map[string]string{"LF in the repository": "true", "CRLF in the repository": "false"} {
		r := newRepo(t)
		r.git(t, "config", "core.autocrlf", in)
		for _, file := range []string{"same", "changed"} {
			r.write(t, file, "one\r\ntwo\r\n")
		}
		r.commit(t, "first")
		r.write(t, "changed", "one\r\nthree\r\n")
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(r.path("same"), later, later); err != nil { // so that git has to read it
			t.Fatal(err)
		}
		got, err := r.opened(t).Touched(t.Context())
		if err != nil || !slices.Equal(got.Uncommitted, []string{"changed"}) {
			t.Errorf("%s: %v, %v", name, got.Uncommitted, err)
		}
	}
}
