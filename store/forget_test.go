package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// bytesOnDisk counts how often a text occurs in the files of the database.
func bytesOnDisk(t *testing.T, db *DB, text string) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(db.Path()), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(bytes.ToLower(b), []byte(text))
	}
	return n
}

// checkIndex fails if the index and the documents differ.
func checkIndex(t *testing.T, db *DB) {
	t.Helper()
	rep, err := db.Check(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !rep.OK() {
		t.Errorf("got %+v", rep)
	}
}

func TestForgettingFollowsWhatWasDerivedAndLeavesNoByte(t *testing.T) {
	db := openTest(t)
	for i := range 300 {
		put(t, db, "p", fmt.Sprint("other", i%7), fmt.Sprintf("unrelated talk number %d about queues and workers", i))
	}
	long := ago(time.Hour)
	prompt := Prompt{Session: ref("p", "s"), Text: clean("rotate the quokkapassage of the staging cluster"), At: long}
	p, err := db.PutPrompt(t.Context(), prompt)
	if err != nil {
		t.Fatal(err)
	}
	kept := put(t, db, "p", "s", "and then write the changelog")
	job := claimTurn(t, db, p.ID)
	if err := db.CompleteJob(t.Context(), job,
		Summary{Text: clean("Rotated the quokkapassage."), Type: clean("change")}); err != nil {
		t.Fatal(err)
	}
	if bytesOnDisk(t, db, "quokkapassage") == 0 {
		t.Fatal("the text is not where the test looks for it")
	}
	plan, err := db.PlanForget(t.Context(), Selection{IDs: []int64{p.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Docs) != 1 || len(plan.Derived) != 1 || len(plan.Sessions) != 0 {
		t.Errorf("got %+v", plan)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"quokkapassage", "quokkapassag", "uokkapa"} {
		if n := bytesOnDisk(t, db, text); n != 0 {
			t.Errorf("%q stands %d times on disk", text, n)
		}
	}
	if got := ids(search(t, db, Query{Text: "changelog"})); !slices.Contains(got, kept) {
		t.Errorf("got %v, want %d", got, kept)
	}
	if _, err := db.PutPrompt(t.Context(), prompt); !errors.Is(err, ErrForgotten) {
		t.Errorf("it came back: %v", err)
	}
	prompt.At = time.Time{}
	if _, err := db.PutPrompt(t.Context(), prompt); err != nil {
		t.Errorf("said anew: %v", err)
	}
	checkIndex(t, db)
}

// The worker may summarise a turn after the plan was made.
func TestForgettingRemovesASummaryThatWasMadeMeanwhile(t *testing.T) {
	db := openTest(t)
	p := put(t, db, "p", "s", "rotate the quokkapassage of the staging cluster")
	plan, err := db.PlanForget(t.Context(), Selection{Words: "quokkapassage"})
	if err == nil {
		err = db.CompleteJob(t.Context(), claimTurn(t, db, p),
			Summary{Text: clean("Rotated the quokkapassage."), Type: clean("change")})
	}
	if err == nil {
		err = db.Forget(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := bytesOnDisk(t, db, "quokkapassage"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
	checkIndex(t, db)
}

func ago(d time.Duration) time.Time { return time.Now().Add(-d) }

// claimTurn claims jobs until it has the one for a turn.
func claimTurn(t *testing.T, db *DB, turn int64) Job {
	t.Helper()
	for {
		job, ok, err := db.ClaimJob(t.Context(), clean("me"), time.Minute)
		if err != nil || !ok {
			t.Fatalf("no job for turn %d: %v", turn, err)
		}
		if job.Turn == turn {
			return job
		}
	}
}

func TestASessionAndItsEntriesAgreeOnWhatWasMadeOfThem(t *testing.T) {
	db := openTest(t)
	p, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref("p", "s"), Text: clean("why is the deploy slow"), At: ago(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.CompleteJob(t.Context(), claimTurn(t, db, p.ID),
		Summary{Text: clean("Found the slow mirror."), Type: clean("note")}); err != nil {
		t.Fatal(err)
	}
	byID, err := db.PlanForget(t.Context(), Selection{IDs: []int64{p.ID}})
	if err != nil || len(byID.Derived) != 1 {
		t.Fatalf("got %+v, %v", byID, err)
	}
	for name, sel := range map[string]Selection{"the session": {Session: "s"}, "the project": {Project: "p"},
		"the agent": {Agent: "claude"}} {
		plan, err := db.PlanForget(t.Context(), sel)
		if err != nil || !slices.Equal(plan.Docs, byID.Docs) || !slices.Equal(plan.Derived, byID.Derived) {
			t.Errorf("%s: got %v and %v, %v", name, plan.Docs, plan.Derived, err)
		}
	}
	for name, sel := range map[string]Selection{"its number": {IDs: byID.Derived}, "its words": {Words: "mirror"}} {
		plan, err := db.PlanForget(t.Context(), sel)
		if err != nil || !slices.Equal(plan.Docs, byID.Derived) || len(plan.Derived) != 0 {
			t.Errorf("a summary by %s: got %v and %v, %v", name, plan.Docs, plan.Derived, err)
		}
	}
}

func TestForgettingAProjectRemovesItsSessionsAndItself(t *testing.T) {
	db := openTest(t)
	gone := Prompt{Session: ref("gone", "s1"), Text: clean("an old experiment"), At: ago(time.Hour)}
	if _, err := db.PutPrompt(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	put(t, db, "kept", "s2", "an experiment that stays")
	plan, err := db.PlanForget(t.Context(), Selection{Project: "gone"})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	st, err := db.Stats(t.Context())
	if err != nil || st.Projects != 1 || st.Sessions != 1 || st.Prompts != 1 {
		t.Errorf("got %+v, %v", st, err)
	}
	if _, err := db.PutPrompt(t.Context(), gone); !errors.Is(err, ErrForgotten) {
		t.Errorf("it came back: %v", err)
	}
	checkIndex(t, db)
}

func TestForgettingNeedsASelection(t *testing.T) {
	db := openTest(t)
	if _, err := db.PlanForget(t.Context(), Selection{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestATextIsReplacedInEveryFormItHas(t *testing.T) {
	db := openTest(t)
	const secret = `wal"rus<-7741`
	in := `{"command":"login wal\"rus<-7741"}`
	if _, err := db.PutObservation(t.Context(),
		Observation{Session: ref("p", "s"), Tool: clean("Bash"), Title: clean("login"), Input: clean(in),
			Output: clean("ok " + secret)}); err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "my word is "+secret+", remember it")
	n, err := db.Replace(t.Context(), secret)
	if err != nil || n != 2 {
		t.Fatalf("got %d, %v", n, err)
	}
	for _, text := range []string{"walrus", `wal"rus`, `wal\"rus`, "s<-7741"} {
		if n := bytesOnDisk(t, db, text); n != 0 {
			t.Errorf("%q stands %d times on disk", text, n)
		}
	}
	if res := search(t, db, Query{Text: "remember"}); len(res.Hits) != 1 {
		t.Errorf("got %+v", res)
	}
	checkIndex(t, db)
}

func TestTheLedgerNoticesAChange(t *testing.T) {
	db := openTest(t)
	for i := range 3 {
		if err := db.RecordEgress(t.Context(), Egress{Host: clean("127.0.0.1"), Bytes: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if n, broken, err := db.VerifyLedger(t.Context()); n != 3 || broken != 0 || err != nil {
		t.Fatalf("got %d, %d, %v", n, broken, err)
	}
	err := db.writer.do(t.Context(), func(s *txState) error { return s.exec(`UPDATE ledger SET bytes = 99 WHERE id = 2`) })
	if err != nil {
		t.Fatal(err)
	}
	if n, broken, err := db.VerifyLedger(t.Context()); n != 1 || broken != 2 || err != nil {
		t.Errorf("got %d, %d, %v", n, broken, err)
	}
}
