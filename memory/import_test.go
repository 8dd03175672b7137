package memory_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/memory"
)

func oldTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for rel, text := range files {
		path := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnOlderTreeIsImported(t *testing.T) {
	dir := oldTree(t, map[string]string{
		"decisions/20260101-use-pnpm.md": "---\nid: use-pnpm\ntitle: Use pnpm\n" +
			"created: '2026-01-01T10:00:00'\nupdated: 2026-01-02\nsource: sync-20260101-100000-aaaaaa\nconfidence: 0.8\n" +
			"tags: [build]\nlast_reviewed: 2026-01-05\n---\n\nOne store for all apps.\n",
		"learnings/20260102-slow-ci.md": "---\nid: slow-ci\ntitle: CI is slow on Mondays\n" +
			"kind: observation\nconfidence: very\ntags: ci, speed\n---\nThe caches expire on Sundays.\n",
		"archived/decisions/20250101-use-yarn.md": "---\nid: use-yarn\ntitle: Use yarn\n" +
			"created: 2025-01-01\nsuperseded_by: use-pnpm\n---\nEverybody knew it.\n",
		"summaries/20260101/100000/a-session.md": "---\nid: a-session\ntitle: A session\n" +
			"coding_agent: claude\nsession_id: abc\n---\n## User intent\n\nFaster builds.\n",
		"learnings/20260103-broken.md": "---\ntitle: [\n---\nbody\n",
		"learnings/20260104-empty.md":  "---\ntitle: Nothing here\n---\n",
		"index.md":                     "# Memories\n",
		"decision_use-trunk-based-development.md": "---\nname: Trunk based development\n" +
			"description: no long branches\ntype: decision\n---\nBranches live for a day.\n",
		"feedback_short-answers.md": "The user wants short answers, with the command first.\n",
		"pitfall_clock-skew.md": "# Clock skew breaks signatures\n\n" +
			"More than five minutes and S3 refuses the request.\n",
		".hidden/decisions/20260101-not-visible.md": "---\ntitle: Not visible\n---\nbody\n",
	})
	tree := newTree(t)
	got, err := tree.Import(dir, stamp())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, m := range got.Added {
		paths = append(paths, m.Path)
	}
	slices.Sort(paths)
	want := []string{
		"archived/decisions/20250101-use-yarn.md",
		"decisions/20260101-use-pnpm.md",
		"decisions/20260301-trunk-based-development.md",
		"learnings/20260102-slow-ci.md",
		"learnings/20260301-clock-skew-breaks-signatures.md",
		"learnings/20260301-short-answers.md",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("got %v\nwant %v", paths, want)
	}
	if len(got.Refused) != 2 || len(got.Summaries) != 1 || got.Summaries[0].Path[:26] != "summaries/20260101/100000/" {
		t.Errorf("refused %v, summaries %v", got.Refused, got.Summaries)
	}
	l := load(t, tree)
	if len(l.Broken) != 0 || len(l.Active) != 5 || len(l.Archived) != 1 {
		t.Errorf("%+v", l)
	}
	pnpm, err := tree.Get("use-pnpm")
	if err != nil || pnpm.Source != "sync-20260101-100000-aaaaaa" ||
		pnpm.Created.Format("2006-01-02 15:04") != "2026-01-01 10:00" {
		t.Errorf("%+v, %v", pnpm, err)
	}
	for rel, kept := range map[string]string{
		"decisions/20260101-use-pnpm.md":                "last_reviewed: 2026-01-05",
		"learnings/20260102-slow-ci.md":                 "imported_kind: observation",
		"decisions/20260301-trunk-based-development.md": "description: no long branches",
	} {
		if text := readFile(t, filepath.Join(tree.Root(), rel)); !strings.Contains(text, kept) {
			t.Errorf("%s is not kept:\n%s", kept, text)
		}
	}
	if m, err := tree.Get("short-answers"); err != nil || m.Kind != memory.Preference {
		t.Errorf("%+v, %v", m, err)
	}
	again, err := tree.Import(dir, later())
	if err != nil || len(again.Added)+len(again.Summaries) != 0 || len(again.Same) != 7 {
		t.Errorf("a second import: %+v, %v", again, err)
	}
}

func TestEmptyMemoriesAreNotImported(t *testing.T) {
	dir := oldTree(t, map[string]string{
		"decisions/20260101-a.md": "---\ntitle: Use pnpm for all apps\n---\nbad\n",
		"decisions/20260101-b.md": "---\ntitle: Use pnpm for all apps\n---\nUse pnpm for all apps.\n",
		"learnings/20260101-c.md": "---\ntitle: Use pnpm for all apps\n---\nTODO\n",
		"learnings/20260101-d.md": "---\ntitle: Use pnpm\n---\nOne store for all apps.\n",
	})
	got, err := newTree(t).Import(dir, stamp())
	if err != nil || len(got.Added) != 1 || got.Added[0].Title != "Use pnpm" || len(got.Refused) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnImportLeadsNowhereElse(t *testing.T) {
	dir := oldTree(t, map[string]string{
		"decisions/x.md": "---\nid: ../../../outside\ntitle: ../../outside\ncreated: 9999-01-01\n---\n" +
			"The id leads out of the tree.\n",
	})
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("---\ntitle: Not yours\n---\nA file elsewhere.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "decisions", "link.md")); err != nil {
		t.Skip(err)
	}
	tree := newTree(t)
	got, err := tree.Import(dir, stamp())
	if err != nil || len(got.Added) != 1 || got.Added[0].Path != "decisions/20260301-outside.md" || len(got.Refused) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAMemoryWrittenByHandIsAsOldAsItsFileSays(t *testing.T) {
	tree := newTree(t)
	path := filepath.Join(tree.Root(), "learnings", "20260102-slow-ci.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("---\ntitle: CI is slow on Mondays\n---\nThe caches expire on Sundays.\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	m, err := tree.Get("slow-ci")
	if err != nil || m.Updated.Format("20060102") != "20260102" {
		t.Errorf("got %v, %v", m.Updated, err)
	}
}
