package main

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/project"
)

func TestTheDoctorNamesAFolderThatMayHaveBeenRenamed(t *testing.T) {
	src := t.TempDir()
	here := project.Identity{Name: "new", Root: filepath.Join(src, "new"), CommonDir: filepath.Join(src, "new", ".git")}
	gone := api.Project{Name: "old", Entries: 7, Directories: []string{filepath.Join(src, "old")}}
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
}
