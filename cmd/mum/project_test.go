package main

import (
	"os"
	"testing"

	"keepmum/api"
)

func TestOnlyTheProjectThatIsNamedIsTaken(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	all := []api.Project{
		{ID: 1, Name: "here", Added: true, MemoryDir: here + "/.mum/memory"},
		{ID: 2, Name: "inner", Added: true, MemoryDir: here + "/inner/.mum/memory"},
		{ID: 3, Name: "other", Added: true, MemoryDir: "/elsewhere/other/.mum/memory"},
		{ID: 4, Name: "twin", MemoryDir: "/data/4/memory"}, {ID: 5, Name: "twin", MemoryDir: "/data/5/memory"},
		{ID: 6, Name: "3", MemoryDir: "/data/6/memory"},
	}
	if err := os.MkdirAll("inner/repository/.git", 0o700); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]int64{
		"": 1, ".": 1, "here": 1, "1": 1, "inner": 2, "2": 2, "other": 3, here: 1, "4": 4,
		"3": 6, "zzz": 0, "999": 0, "twin": 0, "/": 0, "inner/repository": 0, "missing/dir": 0,
	} {
		got, err := pickProject(all, what)
		if got.ID != want || (err == nil) != (want != 0) {
			t.Errorf("%q is project %d, %v; want %d", what, got.ID, err, want)
		}
	}
}
