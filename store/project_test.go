package store

import (
	"testing"
)

func aliases(pairs ...string) []Alias {
	var out []Alias
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, Alias{AliasKind(pairs[i]), clean(pairs[i+1])})
	}
	return out
}

func TestOneRepositoryIsOneProject(t *testing.T) {
	db := openTest(t)
	say := func(session, text string, all ...string) int64 {
		t.Helper()
		r := SessionRef{Agent: clean("claude"), Native: clean(session),
			Project: Project{Name: clean("shop"), Aliases: aliases(all...)}}
		if _, err := db.PutPrompt(t.Context(), Prompt{Session: r, Text: clean(text)}); err != nil {
			t.Fatal(err)
		}
		id, ok, err := db.FindProject(t.Context(), r.Project)
		if err != nil || !ok {
			t.Fatalf("project of %s: %v %v", session, ok, err)
		}
		return id
	}
	clone := say("s1", "one clone", "git_common_dir", "/a/shop/.git", "dir", "/a/shop", "remote", "example.com/me/shop")
	if got := say("s2", "a worktree", "git_common_dir", "/a/shop/.git", "dir", "/a/shop-wt"); got != clone {
		t.Errorf("a worktree is project %d, want %d", got, clone)
	}
	if got := say("s3", "second clone", "git_common_dir", "/b/shop/.git", "dir", "/b/shop", "remote",
		"example.com/me/shop"); got != clone {
		t.Errorf("a second clone is project %d, want %d", got, clone)
	}
	if got := say("s4", "same name", "dir", "/c/shop"); got == clone {
		t.Error("a directory of the same name is the same project")
	}
	local := say("s5", "before it had a remote", "git_common_dir", "/d/x/.git", "dir", "/d/x")
	if local == clone {
		t.Fatal("a repository without a remote is the same project")
	}
	if got := say("s6", "with its remote now", "git_common_dir", "/d/x/.git", "dir", "/d/x", "remote",
		"example.com/me/shop"); got != clone {
		t.Errorf("merged into project %d, want %d", got, clone)
	}
	res := search(t, db, Query{Text: "before", ProjectID: clone})
	if len(res.Hits) != 1 {
		t.Errorf("what was said before the merge is not found: %+v", res)
	}
	checkIndex(t, db)
}
