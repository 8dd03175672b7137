package githistory_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/githistory"
	"keepmum/gittest"
	"keepmum/project"
)

// repo is a real repository in a temporary directory.
type repo struct{ dir string }

func newRepo(t *testing.T) repo {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repo{filepath.Join(root, "shop")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	gittest.Init(t, r.dir)
	return r
}

func (r repo) git(t *testing.T, args ...string) string {
	t.Helper()
	return r.feed(t, "", args...)
}

func (r repo) feed(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := gittest.Command(r.dir, args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r repo) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// commit makes a commit that changes files, and returns its hash.
func (r repo) commit(t *testing.T, message string, files ...string) string {
	t.Helper()
	for _, f := range files {
		r.write(t, f, message)
	}
	r.git(t, "add", "-A")
	r.feed(t, message, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-")
	return gittest.Head(t, r.dir)
}

// open reads where the branches are.
func (r repo) open(t *testing.T) (*githistory.Repo, error) {
	t.Helper()
	g, err := githistory.Find(filepath.Join(t.TempDir(), "git"))
	if err != nil {
		t.Fatal(err)
	}
	return g.Open(project.Of(r.dir))
}

func (r repo) opened(t *testing.T) *githistory.Repo {
	t.Helper()
	out, err := r.open(t)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// history returns all commits, newest first.
func history(t *testing.T, r *githistory.Repo) []githistory.Commit {
	t.Helper()
	list, err := r.List(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, r, list)
}

func read(t *testing.T, r *githistory.Repo, list []string) []githistory.Commit {
	t.Helper()
	out, err := r.Commits(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func subjects(all []githistory.Commit) (out []string) {
	for _, c := range all {
		line, _, _ := strings.Cut(c.Message, "\n")
		out = append(out, line)
	}
	return out
}

// careless runs git as anyone would.
func (r repo) careless(args ...string) {
	cmd := exec.Command("git", append([]string{"-C", r.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	_ = cmd.Run() // it may fail
}

// raw creates a commit of exactly these bytes and checks it out.
func (r repo) raw(t *testing.T, object string) {
	t.Helper()
	r.git(t, "reset", "-q", "--soft", r.feed(t, object, "hash-object", "--literally", "-t", "commit", "-w", "--stdin"))
}
