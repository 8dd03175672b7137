package daemon

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"keepmum/store"
	"keepmum/transcript"
)

// TestSessionsBelongToTheInnermostRepository: of a repository within another, of a
// worktree, of a directory that is reached by a link.
func TestSessionsBelongToTheInnermostRepository(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(root, "shop")
	inner := filepath.Join(outer, "vendor", "till")
	if err := os.MkdirAll(filepath.Join(outer, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main", outer},
		{"-C", outer, "commit", "-q", "--allow-empty", "-m", "first"},
		{"-C", outer, "worktree", "add", "-q", "-b", "fix", filepath.Join(root, "elsewhere")},
		{"init", "-q", "-b", "main", inner}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.Symlink(outer, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	agents, old := t.TempDir(), time.Now().Add(-time.Hour)
	for id, dir := range map[string]string{"in-outer": outer, "in-src": filepath.Join(outer, "src"),
		"in-worktree": filepath.Join(root, "elsewhere"), "by-link": filepath.Join(root, "link"), "in-inner": inner} {
		path := filepath.Join(agents, "projects", "-"+id, id+".jsonl")
		writeFile(
			t, fmt.Sprintf(
				`{"type":"user","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"role":"user","content":"have a look"}}`+"\n", id,
				dir, old.UTC().Format(time.RFC3339)), path)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: agents})
	if got := r.synced(t, `{"all":true}`); got.Failed != 0 || got.Indexed != 5 {
		t.Fatalf("%+v", got)
	}
	rows, err := r.d.db.SyncJobs(t.Context(), store.SyncFilter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string][]string{}
	for _, row := range rows {
		in[row.ProjectName] = append(in[row.ProjectName], row.Native)
	}
	for _, ids := range in {
		slices.Sort(ids)
	}
	if len(in) != 2 || !slices.Equal(in["shop"], []string{"by-link", "in-outer", "in-src", "in-worktree"}) ||
		!slices.Equal(in["till"], []string{"in-inner"}) {
		t.Errorf("got %v", in)
	}
}
