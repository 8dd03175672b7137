package store

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"keepmum/privacy"
)

// on is a session of a project on a branch.
func on(branch string) SessionRef {
	in := ref("shop", "s1")
	in.Branch = clean(branch)
	return in
}

func say(t *testing.T, db *DB, in SessionRef, text string) int64 {
	t.Helper()
	r, err := db.PutPrompt(t.Context(), Prompt{Session: in, Text: clean(text)})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// branchesOf are the branches of some documents.
func branchesOf(t *testing.T, db *DB, docs ...int64) (out []string) {
	t.Helper()
	rows, err := db.Observations(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		out = append(out, r.Branch)
	}
	return out
}

func TestADocumentIsOfTheBranchOnWhichItWasMade(t *testing.T) {
	db := openTest(t)
	elsewhere := on("abroad")
	elsewhere.Project = Project{Name: clean("another")}
	put(t, db, "another", "s2", "another project")
	var docs []int64
	for _, in := range []SessionRef{on("main"), on("fix"), on("fix"), on(""), elsewhere, on("main"), on("feature")} {
		docs = append(docs, say(t, db, in, "the queue is kept in order, part "+strconv.Itoa(len(docs))))
	}
	want := []string{"main", "fix", "fix", "main", "main", "main", "feature"}
	if got := branchesOf(t, db, docs...); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := db.StartSession(t.Context(), Session{SessionRef: on("later")}); err != nil {
		t.Fatal(err)
	}
	if got := branchesOf(t, db, docs...); !slices.Equal(got, want) {
		t.Errorf("after a resume: %v, want %v", got, want)
	}
	got := ids(search(t, db, Query{Text: "queue", Branch: "fix"}))
	if slices.Sort(got); !slices.Equal(got, docs[1:3]) {
		t.Errorf("on fix are %v, want %v", got, docs[1:3])
	}
	if got := ids(search(t, db, Query{Branch: "main"})); len(got) != 4 {
		t.Errorf("on main are %v", got)
	}
	feed, err := db.Feed(t.Context(), FeedFilter{Limit: 1})
	if err != nil || feed[0].Branch != "feature" {
		t.Errorf("in the feed is %+v, %v", feed, err)
	}
}

// A branch to which a session switched is checked, remembered and named until it is merged.
func TestABranchOfALaterStatementIsNamedUntilItIsMerged(t *testing.T) {
	db := openTest(t)
	first, second := say(t, db, on("main"), "keep the queue in order"), say(t, db, on("fix"), "drain the queue at night")
	row, err := db.SessionNamed(t.Context(), 0, "s1")
	if err != nil {
		t.Fatal(err)
	}
	project := row.Project
	repo, err := db.OpenRepository(t.Context(), clean("/shop/.git"), project)
	if err != nil {
		t.Fatal(err)
	}
	for standing, want := range map[string]int{"open": 1, "merged": 0} {
		for name, is := range map[string]string{"main": "merged", "fix": standing} {
			if err := db.PutBranch(t.Context(), repo.ID, Branch{Name: clean(name), Tip: "1", Standing: is}); err != nil {
				t.Fatal(err)
			}
		}
		named, err1 := db.Unmerged(t.Context(), []int64{first, second})
		bound, err2 := db.BoundBranches(t.Context(), project)
		if err1 != nil || err2 != nil || len(named) != want || len(bound) != want || want == 1 && named[second] != "fix" {
			t.Errorf("%s: named are %v, checked %v, %v, %v", standing, named, bound, err1, err2)
		}
	}
}

// A text that was removed from everything is also removed from the branches, and does not come back with one.
func TestAForgottenTextIsNotInABranch(t *testing.T) {
	db := openTest(t)
	say(t, db, on("main"), "keep the queue in order")
	docs := []int64{say(t, db, on("fix/zebrafinch"), "drain the queue at night")}
	if _, err := db.Replace(t.Context(), "zebrafinch"); err != nil {
		t.Fatal(err)
	}
	docs = append(docs, say(t, db, on("fix/zebrafinch"), "drain the queue at noon"))
	for _, got := range branchesOf(t, db, docs...) {
		if got != "fix/"+forgottenMark {
			t.Errorf("got %s", got)
		}
	}
	if in, err := FindBytes(filepath.Dir(db.path), "zebrafinch"); err != nil || len(in.Found) > 0 {
		t.Errorf("it is still in %v, %v", in.Found, err)
	}
}

// The first rows are from before a session could have several branches.
func TestAnUpgradeKeepsTheBranchOfASession(t *testing.T) {
	db := openTest(t)
	docs := []int64{say(t, db, on("main"), "keep the queue in order"),
		say(t, db, on("main"), strings.Repeat("long ", 9000))}
	if _, err := db.PutObservation(t.Context(), Observation{Session: on("main"), Tool: clean("Bash"),
		Files: []privacy.Clean{clean("/shop/queue.go")}, Output: clean(strings.Repeat("row ", 9000))}); err != nil {
		t.Fatal(err)
	}
	err := db.writer.do(t.Context(), func(s *txState) error {
		for _, q := range []string{`ALTER TABLE docs DROP COLUMN branch`, `ALTER TABLE sessions DROP COLUMN branches`,
			`DELETE FROM goose_db_version WHERE version_id >= 27`, `PRAGMA user_version = 26`} {
			if err := s.exec(q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	db = crashed(t, db)
	docs = append(docs, say(t, db, on("fix"), "drain the queue at night"), say(t, db, on("main"), "and at noon"))
	if got := branchesOf(t, db, docs...); !slices.Equal(got, []string{"main", "main", "fix", "main"}) {
		t.Errorf("got %v", got)
	}
	if got := len(ids(search(t, db, Query{Branch: "main"}))); got != 4 {
		t.Errorf("on main are %d", got)
	}
	checkIndex(t, db)
}

// A summary is of the branch on which the work ended.
func TestASummaryIsOfTheLastBranchOnWhichThereWasWork(t *testing.T) {
	db := openTest(t)
	turn := say(t, db, on("main"), "write the exporter on a branch of its own")
	done := Prompt{Session: on("fix"), Role: RoleAssistant, Text: clean("done")}
	if _, err := db.PutPrompt(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	next := say(t, db, on("main"), "thanks")
	db.settle(t.Context())
	row, err := db.SessionNamed(t.Context(), 0, "s1")
	if err != nil {
		t.Fatal(err)
	}
	for i, job := range []Job{{Kind: JobTurn, Turn: turn}, {Kind: JobTurn, Turn: next}, {Kind: JobSession},
		{Kind: JobTurn, Turn: turn}} {
		job.Project, job.Session = row.Project, row.ID
		if err := db.writer.do(t.Context(), func(s *txState) error {
			return s.putSummary(job, Summary{Title: clean("The exporter"), Text: clean("It was written."),
				Type: clean("feature")})
		}); err != nil {
			t.Fatal(err)
		}
		all, err := db.Summaries(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if m.Scope == job.Kind && m.Turn == job.Turn {
				want := map[int64]string{turn: "fix", next: "main", 0: "fix"}[job.Turn]
				if got := branchesOf(t, db, m.ID); got[0] != want {
					t.Errorf("%d: got %v, want %s", i, got, want)
				}
			}
		}
	}
}

func TestAnAnswerAfterGoingBackToMainIsOfTheBranchOfItsPrompt(t *testing.T) {
	db := openTest(t)
	prompts := []int64{say(t, db, on("exports"), "write the exporter and go back to main")}
	answer := func(branch string) int64 {
		t.Helper()
		done := Prompt{Session: on(branch), Role: RoleAssistant, Text: clean("done, part " + branch)}
		got, err := db.PutPrompt(t.Context(), done)
		if err != nil {
			t.Fatal(err)
		}
		return got.ID
	}
	got := branchesOf(t, db, prompts[0], answer("main"), answer("fix"), answer("b298b2488c3e"),
		say(t, db, on("b298b2488c3e"), "said of a commit that is checked out"), say(t, db, on("main"), "said on main"))
	if want := []string{"exports", "exports", "fix", "exports", "exports", "main"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
