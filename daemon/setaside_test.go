package daemon

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/transcript"
)

// What a restore set aside may be older, and tell of a session in other words than those that are searched for.
func TestForgettingReachesTreesThatARestoreSetAside(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.")
	r.sync(t, api.SyncRequest{})
	r.remember(t, rounding(repo))
	live := filepath.Join(string(r.home), "projects", "1", "memory")
	aside := live + ".replaced"
	if err := os.CopyFS(aside, os.DirFS(live)); err != nil {
		t.Fatal(err)
	}
	files := func() (out []string) {
		err := filepath.WalkDir(aside, func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".md") {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, path := range files() {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, strings.NewReplacer("xports of the shop", "ach export", "potoroosum", "numbat",
			"will add", "add").Replace(string(text)), path)
	}
	before := len(files())
	got := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Session: strings.TrimPrefix(traced, "claude/")}))
	left := files()
	if len(left) != 1 || !strings.Contains(left[0], "round-invoice") || len(got.SetAside) != before-1 {
		t.Errorf("of %d files %v is left, and %v is said to be removed", before, left, got.SetAside)
	}
	all := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Project: "shop"}))
	if len(files()) != 0 || len(all.SetAsideLeft) != 0 {
		t.Errorf("of the project %v is left, and %v is named", files(), all.SetAsideLeft)
	}
	writeFile(t, "written by hand", filepath.Join(aside, "notes.md"))
	r.remember(t, rounding(repo))
	if all = into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Project: "shop"})); len(all.SetAsideLeft) != 1 {
		t.Errorf("what is left is not named: %v", all.SetAsideLeft)
	}
	if r.holds(t, "numbat") {
		t.Error("it is still somewhere")
	}
}

// Which of several files with one id was the memory is not known of a tree that was set aside, so all count.
func TestForgettingReachesAllFilesOfOneIDInATreeThatWasSetAside(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.")
	r.sync(t, api.SyncRequest{})
	live := filepath.Join(string(r.home), "projects", "1", "memory")
	aside := live + ".replaced"
	if err := os.CopyFS(aside, os.DirFS(live)); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(aside, "*", "*potoroo*.md"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	files := []string{found[0]}
	for i := range 5 {
		files = append(files, filepath.Join(filepath.Dir(found[0]), fmt.Sprint("zz-", i, ".md")))
	}
	for _, path := range files {
		writeFile(t, strings.NewReplacer("remember-exports", "exports", "xports of the shop", "ach export",
			"potoroosum", "numbat").Replace(string(text)), path)
	}
	into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Session: strings.TrimPrefix(traced, "claude/")}))
	for _, path := range files {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
}
