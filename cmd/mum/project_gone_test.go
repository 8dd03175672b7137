package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/project"
)

func TestTheDoctorNamesAFolderThatMayHaveBeenRenamed(t *testing.T) {
	src := t.TempDir()
	here := project.Identity{Name: "new", Root: filepath.Join(src, "new"), CommonDir: filepath.Join(src, "new", ".git")}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	gone := api.Project{Name: "old", Entries: 7, Directories: []string{filepath.Join(src, "old")},
		Last: now.AddDate(0, 0, -2)}
	renamed := func(here project.Identity, all []api.Project) (finding, bool) { return renamed(here, all, now) }
	f, ok := renamed(here, []api.Project{{Name: "new", Entries: 1, Directories: []string{src}}, gone})
	if !ok || f.State != stateOK || !strings.Contains(f.Detail, gone.Directories[0]) ||
		!strings.Contains(f.Fix, "mum project --help") {
		t.Errorf("got %+v, %v", f, ok)
	}
	empty, far, there := gone, gone, gone
	empty.Entries, far.Directories = 0, []string{filepath.Join(src, "deep", "old")}
	there.Directories = []string{filepath.Join(src, "old"), src}
	for name, p := range map[string]api.Project{"empty": empty, "elsewhere": far, "still there": there,
		"of no folder": {Name: "old", Entries: 7}} {
		if f, ok := renamed(here, []api.Project{p}); ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
	remote := here
	remote.Remote = "example.com/me/shop"
	if f, ok := renamed(remote, []api.Project{gone}); ok {
		t.Errorf("a remote finds its project: %+v", f)
	}
	if f, ok := renamed(project.Identity{Root: here.Root}, []api.Project{gone}); ok {
		t.Errorf("no repository: %+v", f)
	}
	if err := os.MkdirAll(here.Root, 0o700); err != nil {
		t.Fatal(err)
	}
	newer := gone
	newer.Name, newer.Directories = "newer", []string{filepath.Join(src, "newer")}
	newer.Last = now.AddDate(0, 0, -1)
	f, ok = renamed(here, []api.Project{gone, newer})
	if first, then, both := strings.Cut(f.Detail, "; "); !ok || !both || !strings.Contains(first, "newer") ||
		!strings.Contains(then, "old") || !strings.Contains(f.Fix, "one of them") {
		t.Errorf("of two: %+v", f)
	}
	for days, want := range map[int]bool{0: true, 1: true, 3: false, 100: false} {
		known := api.Project{Name: "new", Entries: 9, Directories: []string{here.Root}, Created: now.AddDate(0, 0, -days)}
		if f, ok := renamed(here, []api.Project{known, gone}); ok != want {
			t.Errorf("known for %d days: %+v, %v", days, f, ok)
		}
	}
	gone.Last = now.AddDate(0, 0, -200)
	known := api.Project{Name: "new", Entries: 9, Directories: []string{here.Root}, Created: now.AddDate(0, 0, -100)}
	if f, ok := renamed(here, []api.Project{known, gone}); ok {
		t.Errorf("it is said for ever: %+v", f)
	}
}
