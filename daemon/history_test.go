package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/githistory"
)

// repository is a real repository in a temporary directory.
type gitRepo struct{ dir string }

func newGitRepo(t *testing.T) gitRepo {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := gitRepo{filepath.Join(root, "shop")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git(t, "init", "-q", "-b", "main")
	return r
}

func (r gitRepo) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=Ada Example", "-c", "user.email=ada@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r gitRepo) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (r gitRepo) commit(t *testing.T, message string, files ...string) string {
	t.Helper()
	for _, f := range files {
		r.write(t, f, message)
	}
	r.git(t, "add", "-A")
	r.git(t, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
	return r.git(t, "rev-parse", "HEAD")
}

// startHistory starts a daemon that does not read by itself, and tells it of a
// session in the repository: the test says when it is read.
func startHistory(t *testing.T, r gitRepo, change ...func(*config.Config)) *rig {
	t.Helper()
	quiet := func(c *config.Config) { c.Compress.Idle = config.Duration(time.Nanosecond) }
	g := startRig(t, filepath.Join(t.TempDir(), "mum"), append(change, quiet)...)
	g.session(t, r.dir)
	return g
}

func (r *rig) session(t *testing.T, dir string) {
	t.Helper()
	body := `{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":"` + dir + `","prompt":"where were we"}`
	if got := r.ask(t, "POST", "/hooks/claude", body); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
}

// look reads the history of a repository now.
func (r *rig) look(t *testing.T, dir string) {
	t.Helper()
	git, err := githistory.Find(filepath.Join(t.TempDir(), "git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.d.lookAt(t.Context(), git, dir); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) commits(t *testing.T, words string) []api.Result {
	t.Helper()
	return into[api.SearchResults](t, r.ask(t, "GET", "/search?type=commit&q="+strings.ReplaceAll(words, " ", "+"), "")).Results
}

func TestCommitsOfTheProjectAreFound(t *testing.T) {
	repo := newGitRepo(t)
	repo.commit(t, "pay: round half to even\n\nThe auditors lost cents.\n\nSigned-off-by: Ada Example <ada@example.com>", "pay/round.go")
	g := startHistory(t, repo)
	g.look(t, repo.dir)
	hits := g.commits(t, "auditors cents")
	if len(hits) != 1 || hits[0].Agent != "git" || hits[0].Origin != "git" || hits[0].Files[0] != "pay/round.go" {
		t.Fatalf("found %+v", hits)
	}
	if g.holds(t, "ada@example.com") {
		t.Error("who signed it off is kept")
	}
}
