package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(list []Source) []string {
	var out []string
	for _, s := range list {
		out = append(out, strings.TrimSuffix(s.Parent+"/"+s.ID, "/"))
	}
	slices.Sort(out)
	return out
}

func TestDiscoverKnowsSessionsByTheirNames(t *testing.T) {
	root := t.TempDir()
	for _, f := range []string{
		"projects/-home-dev-inn/s1.jsonl",
		"projects/-home-dev-inn/agent-old.jsonl",
		"projects/-home-dev-inn/s1/subagents/agent-a1.jsonl",
		"projects/-home-dev-inn/s1/subagents/agent-acompact-1.jsonl", // repeats the conversation
		"projects/-home-dev-inn/s1/subagents/agent-a1.meta.json",
		"projects/-home-dev-inn/s1/tool-results/out.jsonl",
		"projects/-home-dev-inn/memory/notes.jsonl",
		"projects/-home-dev-inn/notes.md",
		"projects/stray.jsonl",
		"history.jsonl",
	} {
		write(t, filepath.Join(root, f), "{}\n")
	}
	found, err := Discover(t.Context(), Roots{Claude: root})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/old", "/s1", "s1/a1"}, names(found)); diff != "" {
		t.Error(diff)
	}
}

func TestNoAgentIsNoError(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	roots := DefaultRoots(none, "linux", func(string) string { return "" })
	if found, err := Discover(t.Context(), roots); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestSymlinksAreFollowedOnce(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	projects := filepath.Join(root, "projects")
	write(t, filepath.Join(projects, "p", "s1.jsonl"), "")
	write(t, filepath.Join(elsewhere, "s2.jsonl"), "")
	for link, target := range map[string]string{
		"p/loop": projects, "p/self": filepath.Join(projects, "p", "self"), "q": elsewhere,
		"p/gone.jsonl": "/nowhere", "p/s3.jsonl": filepath.Join(elsewhere, "s2.jsonl"),
	} {
		if err := os.Symlink(target, filepath.Join(projects, link)); err != nil {
			t.Skip(err)
		}
	}
	found, err := Discover(t.Context(), Roots{Claude: root})
	if diff := cmp.Diff([]string{"/s1", "/s2", "/s3"}, names(found)); diff != "" {
		t.Error(diff)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeListedIsNamedAndTheRestFound(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is unreadable here")
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "projects", "a", "s1.jsonl"), "")
	write(t, filepath.Join(root, "projects", "b", "s2.jsonl"), "")
	if err := os.Chmod(filepath.Join(root, "projects", "a"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "projects", "a"), 0o700) })
	found, err := Discover(t.Context(), Roots{Claude: root})
	if !errors.Is(err, os.ErrPermission) || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	src := Source{Agent: Claude, ID: "s", Path: filepath.Join(t.TempDir(), "s.jsonl")}
	if err := os.Mkdir(src.Path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(t.Context(), src, Offset{}, nil); err == nil || !strings.Contains(err.Error(), src.Path) {
		t.Errorf("error %v must name the file", err)
	}
	src.Path = filepath.Join(filepath.Dir(src.Path), "gone.jsonl")
	if _, _, err := Read(t.Context(), src, Offset{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestACancelledContextEndsEverything(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Discover(ctx, Roots{Claude: fixtures + "/claude"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	src := claudeFile(t, prompt("a")+"\n")
	if _, _, err := Read(ctx, src, Offset{}, func(Entry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDefaultRootsFollowTheAgentsVariables(t *testing.T) {
	env := map[string]string{"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_DATA_HOME": "/d",
		"OPENCODE_DB": "other.db"}
	got := DefaultRoots("/home/dev", "linux", func(k string) string { return env[k] })
	want := Roots{
		Claude: "/c", Codex: "/x", OpenCode: "/d/opencode", OpenCodeDB: "/d/opencode/other.db",
		CursorUser: "/home/dev/.config/Cursor/User", CursorHome: "/home/dev/.cursor",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	none := func(string) string { return "" }
	if got := DefaultRoots("/Users/dev", "darwin",
		none).CursorUser; got != "/Users/dev/Library/Application Support/Cursor/User" {
		t.Error(got)
	}
	if got := DefaultRoots("/u", "windows", none); got.CursorUser != "/u/AppData/Roaming/Cursor/User" ||
		got.OpenCode != "/u/.local/share/opencode" {
		t.Errorf("%+v", got)
	}
}

func TestAnUnchangedStoreCostsStatsOnly(t *testing.T) {
	root := t.TempDir()
	src := filepath.Join(root, "projects", "p", "s.jsonl")
	write(t, src, prompt("a")+"\n")
	first, err := Discover(t.Context(), Roots{Claude: root})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(src, 0); err != nil { // opening it now fails
		t.Fatal(err)
	}
	again, err := Discover(t.Context(), Roots{Claude: root})
	if diff := cmp.Diff(first, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
