package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/privacy"
)

var commitDay = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func commit(hash, identity, title, body string, files ...string) Commit {
	c := Commit{Hash: clean(hash), Identity: clean(identity), Title: clean(title), Body: clean(body), At: commitDay}
	for _, f := range files {
		c.Files = append(c.Files, clean(f))
	}
	return c
}

// repo is a repository of a project that has one session.
func repo(t *testing.T, db *DB, name string) Repository {
	t.Helper()
	put(t, db, name, "session of "+name, "where were we")
	id, ok, err := db.FindProject(t.Context(), Project{Name: clean(name)})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	r, err := db.OpenRepository(t.Context(), clean("/src/"+name+"/.git"), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func putCommits(t *testing.T, db *DB, r Repository, commits ...Commit) int {
	t.Helper()
	n, err := db.PutCommits(t.Context(), r, commits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func findCommits(t *testing.T, db *DB, words string) []Hit {
	t.Helper()
	res, err := db.Search(t.Context(), Query{Text: words, Type: KindCommit})
	if err != nil {
		t.Fatal(err)
	}
	return res.Hits
}

func TestACommitIsFoundByItsWordsAndItsFiles(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	putCommits(t, db, r, commit("a1", "i1", "checkout: round half to even", "Cents were lost before.", "pay/round.go"),
		commit("a2", "i2", "docs: typo", ""))
	for _, words := range []string{"lost cents", "round.go", "half to even"} {
		hits := findCommits(t, db, words)
		if len(hits) == 0 || hits[0].Title != "checkout: round half to even" || hits[0].Agent != GitAgent {
			t.Errorf("%q finds %+v", words, hits)
		}
	}
	got, err := db.Commits(t.Context(), []int64{findCommits(t, db, "cents")[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	want := []CommitRow{{ID: got[0].ID, Hash: "a1", Title: "checkout: round half to even",
		Message: "Cents were lost before.", Files: []string{"pay/round.go"},
		At: commitDay, Project: r.Project}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARebasedCommitIsTheSameDocument(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	putCommits(t, db, r, commit("a1", "i1", "round half to even", ""), commit("a2", "i2", "use the ledger", ""))
	before := findCommits(t, db, "half even")[0].ID
	if n := putCommits(t, db, r, commit("b1", "i1", "round half to even", "")); n != 0 {
		t.Errorf("%d new documents", n)
	}
	if err := db.DropCommits(t.Context(), r, []string{"a1", "a2"}); err != nil {
		t.Fatal(err)
	}
	if hits := findCommits(t, db, "half even"); len(hits) != 1 || hits[0].ID != before {
		t.Errorf("got %+v, want %d", hits, before)
	}
	if hits := findCommits(t, db, "ledger"); len(hits) != 0 {
		t.Errorf("a commit that is not in the history is found: %+v", hits)
	}
	known, err := db.KnownCommits(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"b1": true}, known); diff != "" {
		t.Error(diff)
	}
}

func TestAForgottenCommitDoesNotComeBack(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	putCommits(t, db, r, commit("a1", "i1", "round half to even", "Because of the auditors."))
	plan, err := db.PlanForget(t.Context(), Selection{Words: "auditors"})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Docs) != 1 || len(plan.Sessions) != 0 {
		t.Fatalf("planned %+v", plan)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	future := commit("b1", "i1", "round half to even", "Because of the auditors.") // rebased, with a date in the future
	future.At = time.Now().AddDate(1, 0, 0)
	putCommits(t, db, r, commit("a1", "i9", "round half to even", ""), future)
	if hits := findCommits(t, db, "half even"); len(hits) != 0 {
		t.Errorf("it came back: %+v", hits)
	}
	gone, err := db.ForgottenCommits(t.Context(), []string{"a1", "b1", "c1"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"a1": true, "b1": true}, gone); diff != "" {
		t.Error(diff)
	}
	if in, err := FindBytes(filepath.Dir(db.Path()), "auditors"); err != nil || len(in.Found) > 0 {
		t.Error(in.Found, err)
	}
}

func TestForgettingAProjectTakesItsCommits(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	putCommits(t, db, r, commit("a1", "i1", "round half to even", ""))
	if err := db.PutTouched(t.Context(), r.Project, TouchedTree{Root: clean("/src/shop")}); err != nil {
		t.Fatal(err)
	}
	plan, err := db.PlanForget(t.Context(), Selection{Project: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"projects", "repositories", "commits", "touched", "docs"} {
		var n int
		if err := db.read.Get(&n, `SELECT count(*) FROM `+table); err != nil || n != 0 {
			t.Errorf("%d rows in %s, %v", n, table, err)
		}
	}
}

func TestASkippedCommitIsNotReadAgain(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	if n := putCommits(t, db, r, Commit{Hash: clean("a1"), Skip: true}); n != 0 {
		t.Errorf("%d documents", n)
	}
	known, err := db.KnownCommits(t.Context(), r)
	if err != nil || !known["a1"] {
		t.Error(known, err)
	}
}

func TestTwoProjectsThatBecomeOneHaveEachCommitOnce(t *testing.T) {
	db := openTest(t)
	a, b := repo(t, db, "shop"), repo(t, db, "copy")
	putCommits(t, db, a, commit("a1", "i1", "round half to even", ""))
	putCommits(t, db, b, commit("a1", "i1", "round half to even", ""), commit("a2", "i2", "use the ledger evenly", ""))
	if err := db.writer.do(t.Context(), func(s *txState) error { return s.merge(b.Project, a.Project) }); err != nil {
		t.Fatal(err)
	}
	res, err := db.Search(t.Context(), Query{Text: "even evenly", Type: KindCommit, ProjectID: a.Project})
	if err != nil || len(res.Hits) != 2 {
		t.Errorf("got %+v, %v", res.Hits, err)
	}
}

func TestTheTimelineOfACommitIsTheHistory(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	first, second := commit("a1", "i1", "first", ""), commit("a2", "i2", "second", "")
	second.At = commitDay.Add(time.Hour)
	putCommits(t, db, r, second, first)
	line, err := db.Timeline(t.Context(), findCommits(t, db, "second")[0].ID, 5, 5)
	if err != nil || len(line.Moments) != 2 || line.Moments[0].Title != "first" {
		t.Errorf("got %+v, %v", line, err)
	}
}

func TestWhatIsTouchedIsThatOfTheWorkingTree(t *testing.T) {
	db := openTest(t)
	r := repo(t, db, "shop")
	for _, tree := range []TouchedTree{
		{Root: clean("/src/shop"), Branch: clean("main"), Uncommitted: []privacy.Clean{clean("pay/round.go")}},
		{Root: clean("/src/shop-fix"), Branch: clean("fix"), Files: []privacy.Clean{clean("web/cart.go")}},
	} {
		if err := db.PutTouched(t.Context(), r.Project, tree); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]TouchedFile{
		"/src/shop/pay": {"pay/round.go", true}, "/src/shop": {"pay/round.go", true},
		"/src/shop-fix/web/x": {"web/cart.go", false},
	} {
		got, err := db.Touched(t.Context(), r.Project, dir)
		if err != nil || len(got.Files) != 1 || got.Files[0] != want {
			t.Errorf("%s: %+v, %v", dir, got, err)
		}
	}
	if got, err := db.Touched(t.Context(), NoProject, "/src/shop"); err != nil || len(got.Files) != 0 {
		t.Errorf("of no project: %+v, %v", got, err)
	}
}

func TestCommitMessageLeavesTheFilesOut(t *testing.T) {
	for _, c := range []struct{ body, want string }{{"", ""}, {"Why.", "Why."}, {"Why.\n\nMore.", "Why.\n\nMore."}} {
		x := commit("a", "i", "t", c.body, "a.go", "b.go")
		d := x.doc(1)
		if got := CommitMessage(d.text(), fileList(d.Files)); got != c.want {
			t.Errorf("%q → %q", c.body, got)
		}
	}
	if got := CommitMessage("Changed: my mind", nil); got != "Changed: my mind" {
		t.Errorf("got %q", got)
	}
}
