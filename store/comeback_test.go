package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
)

// openAt opens a database with a clock that a test sets.
func openAt(t *testing.T, clock *time.Time) *DB {
	t.Helper()
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return *clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func forget(t *testing.T, db *DB, sel Selection) {
	t.Helper()
	plan, err := db.PlanForget(t.Context(), sel)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, db *DB, text string) {
	t.Helper()
	if _, err := db.Replace(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// A draft that was begun before its source was forgotten must not be stored.
func TestALateDraftBringsNothingBack(t *testing.T) {
	for name, skipped := range map[string]bool{"a waiting job": false, "a skipped job": true} {
		db := openTest(t)
		first := put(t, db, "p", "s", "rotate the quokkapassage")
		if _, err := db.PutObservation(t.Context(), Observation{Session: ref("p", "s"), Tool: clean("Bash"),
			Output: clean("rotated")}); err != nil {
			t.Fatal(err)
		}
		jobs, err := db.UndraftedJobs(t.Context(), 10)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("got %d jobs, %v", len(jobs), err)
		}
		if skipped {
			if err := db.SkipJob(t.Context(), jobs[0].ID); err != nil {
				t.Fatal(err)
			}
		}
		forget(t, db, Selection{IDs: []int64{first}})
		sum := Summary{Text: clean("Rotated the quokkapassage."), Type: clean("change")}
		if err := db.PutDraft(t.Context(), jobs[0], &sum, true); err != nil {
			t.Fatal(err)
		}
		if n := bytesOnDisk(t, db, "quokkapassage"); n != 0 {
			t.Errorf("%s: it stands %d times on disk", name, n)
		}
	}
}

func TestASummaryBringsNoRemovedTextBack(t *testing.T) {
	db := openTest(t)
	p := put(t, db, "p", "s", "rotate the quokkapassage")
	job := claimTurn(t, db, p)
	sum := Summary{Text: clean("Rotated the quokkapassage."), Type: clean("change"),
		Concepts: []privacy.Clean{clean("quokkapassage")}}
	if err := db.PutDraft(t.Context(), job, &sum, false); err != nil {
		t.Fatal(err)
	}
	replace(t, db, "quokkapassage")
	if err := db.CompleteJob(t.Context(), job, sum); err != nil {
		t.Fatal(err)
	}
	if n := bytesOnDisk(t, db, "quokkapassage"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
	checkIndex(t, db)
}

// A scrub reads documents before it changes them.
func TestAScrubUndoesNoOtherChange(t *testing.T) {
	db := openTest(t)
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	id := put(t, db, "p", "s", "the quokkapassage and the token "+key)
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []docRow
	if err := db.read.Select(&rows, `SELECT `+docColumns+` FROM docs d`); err != nil {
		t.Fatal(err)
	}
	err = db.writer.do(t.Context(), func(s *txState) error {
		return s.reindex(id, func(d *docRow) { d.Body = ptr("another text and the token " + key) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.scrubBatch(t.Context(), gate, rows, false, &ScrubReport{Findings: map[string]int{}}); err != nil {
		t.Fatal(err)
	}
	got, err := db.Observations(t.Context(), []int64{id})
	if err != nil || !strings.HasPrefix(got[0].Text, "another text and the token [REDACTED") {
		t.Errorf("got %+v, %v", got, err)
	}
	checkIndex(t, db)
}

func TestAClockSetBackBringsNothingBack(t *testing.T) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	db := openAt(t, &clock)
	said := Prompt{Session: ref("p", "s"), Text: clean("rotate the quokkapassage"), At: clock}
	gone, err := db.PutPrompt(t.Context(), said)
	if err != nil {
		t.Fatal(err)
	}
	alone := Prompt{Session: ref("p", "alone"), Text: clean("another one"), At: clock}
	if _, err := db.PutPrompt(t.Context(), alone); err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "and then write the changelog")
	root := memoryRoot(t, db, "p")
	file := memoryFile("m1", "Queue", "The queue is kept in order.")
	file.Created, file.Updated = clock, clock
	reread(t, db, root, file)
	clock = clock.Add(-24 * time.Hour)
	rows := memories(t, db, MemoryFilter{})
	if err := db.BuryMemories(t.Context(), []int64{rows[0].ID}, nil, nil); err != nil {
		t.Fatal(err)
	}
	forget(t, db, Selection{IDs: []int64{gone.ID, rows[0].ID}})
	forget(t, db, Selection{Session: "alone"})
	for _, p := range []Prompt{said, alone} {
		if _, err := db.PutPrompt(t.Context(), p); !errors.Is(err, ErrForgotten) {
			t.Errorf("%s came back: %v", p.Text, err)
		}
	}
	if got := reread(t, db, root, file); len(got.Refused) != 1 {
		t.Errorf("the memory came back: %+v", got)
	}
}

// An entry may be forgotten before, after or between texts that were removed everywhere.
func TestAnEntryStaysForgottenWhateverWasRemovedFromIt(t *testing.T) {
	for _, order := range []string{"12f", "f12", "1f2", "1F2"} {
		db := openTest(t)
		said := Prompt{Session: ref("p", "s"), Text: clean("the quokkapassage opens the walrusgate"), At: ago(time.Hour)}
		gone, err := db.PutPrompt(t.Context(), said)
		if err != nil {
			t.Fatal(err)
		}
		put(t, db, "p", "s", "and then write the changelog")
		for _, step := range order {
			switch step {
			case '1':
				replace(t, db, "quokkapassage")
			case '2':
				replace(t, db, "walrusgate")
			case 'F': // the case of the letters says nothing
				err := db.writer.do(t.Context(), func(s *txState) error {
					return s.exec(`UPDATE docs SET body = replace(body, 'walrusgate', 'Walrusgate')`)
				})
				if err != nil {
					t.Fatal(err)
				}
				said.Text = clean("the QUOKKAPASSAGE opens the Walrusgate")
				fallthrough
			default:
				forget(t, db, Selection{IDs: []int64{gone.ID}})
			}
		}
		if _, err := db.PutPrompt(t.Context(), said); !errors.Is(err, ErrForgotten) {
			t.Errorf("%s: said again: %v", order, err)
		}
		in := Imported{Kind: KindPrompt, Role: RoleUser, At: said.At, Text: &said.Text,
			Session: Session{SessionRef: said.Session, At: said.At}}
		if _, err := db.Import(t.Context(), in); !errors.Is(err, ErrForgotten) {
			t.Errorf("%s: imported again: %v", order, err)
		}
	}
}

func TestWhatRetentionDroppedStaysForgotten(t *testing.T) {
	db := openTest(t)
	at := ago(100 * 24 * time.Hour)
	p, err := db.PutPrompt(t.Context(), Prompt{Session: ref("p", "s"), Text: clean("look into it"), At: at})
	if err != nil {
		t.Fatal(err)
	}
	ran := Observation{Session: ref("p", "s"), Tool: clean("Bash"), Output: clean("zebra output"), At: at}
	o, err := db.PutObservation(t.Context(), ran)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.CompleteJob(t.Context(), claimTurn(t, db, p.ID),
		Summary{Text: clean("Looked into it."), Type: clean("discovery")}); err != nil {
		t.Fatal(err)
	}
	if n, err := db.DropRaw(t.Context(), ago(90*24*time.Hour)); err != nil || n != 1 {
		t.Fatalf("got %d, %v", n, err)
	}
	if _, err := db.PutObservation(t.Context(), ran); !errors.Is(err, ErrForgotten) {
		t.Errorf("what was dropped came back: %v", err)
	}
	forget(t, db, Selection{IDs: []int64{o.ID}})
	if _, err := db.PutObservation(t.Context(), ran); !errors.Is(err, ErrForgotten) {
		t.Errorf("what was forgotten came back: %v", err)
	}
	ran.At = time.Time{}
	if _, err := db.PutObservation(t.Context(), ran); err != nil {
		t.Errorf("run again: %v", err)
	}
}

func TestALongMemoryIsForgottenByItsLastWord(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "p")
	var body strings.Builder
	for i := range 400 {
		fmt.Fprintf(&body, "word%d ", i)
	}
	reread(t, db, root, memoryFile("m1", "Long", body.String()+"quokkapassage"))
	plan, err := db.PlanForget(t.Context(), Selection{Words: "quokkapassage"})
	if err != nil || len(plan.Memories) != 1 {
		t.Errorf("got %v, %v", plan.Memories, err)
	}
}

// A summary is not counted as an entry of its session.
func TestASessionStaysAfterItsSummariesAreForgotten(t *testing.T) {
	db := openTest(t)
	p := put(t, db, "p", "s", "why is the deploy slow")
	if err := db.CompleteJob(t.Context(), claimTurn(t, db, p),
		Summary{Text: clean("Found the slow mirror."), Type: clean("note")}); err != nil {
		t.Fatal(err)
	}
	forget(t, db, Selection{Words: "mirror"})
	sessions, err := db.RecentSessions(t.Context(), 0, 10)
	if err != nil || len(sessions) != 1 || sessions[0].Docs != 1 {
		t.Errorf("got %+v, %v", sessions, err)
	}
	if !slices.Equal(ids(search(t, db, Query{Text: "deploy"})), []int64{p}) {
		t.Error("the entry is gone")
	}
}

func TestWhatIsBehindANULByteIsFoundAndForgotten(t *testing.T) {
	db := openTest(t)
	said := Prompt{Session: ref("p", "s"), Text: clean("before the\x00quokkapassage opens"), At: ago(time.Hour)}
	p, err := db.PutPrompt(t.Context(), said)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "and then write the changelog")
	for _, q := range []Query{{Text: "quokkapassage"}, {Text: "the quokkapassage opens", Exact: true}} {
		got := search(t, db, q).Hits
		if len(got) != 1 || got[0].Score <= 0 || !strings.Contains(got[0].Snippet, "<mark>quokkapassage</mark>") {
			t.Errorf("got %+v", got)
		}
	}
	forget(t, db, Selection{IDs: []int64{p.ID}})
	if _, err := db.PutPrompt(t.Context(), said); !errors.Is(err, ErrForgotten) {
		t.Errorf("it came back: %v", err)
	}
	checkIndex(t, db)
}

func TestARemovedTextIsNotStoredOutsideOfDocuments(t *testing.T) {
	db := openTest(t)
	put(t, db, "p", "s", "rotate the quokkapassage")
	replace(t, db, "quokkapassage")
	again := clean("where is the quokkapassage")
	if _, err := db.PutInjection(t.Context(), Injection{Session: 1, Reason: "fts", Query: again}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.PutProposal(t.Context(), Proposal{Project: 1, Form: "decision", Title: again, Body: again,
		Sentence: again, Tags: []privacy.Clean{again}, Session: clean("claude/s")}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.PutCatalogue(t.Context(), CatalogueEntry{Key: clean("key"), Agent: clean("claude"),
		Native: clean("other"), Title: again, Hash: clean("h")}); err != nil {
		t.Fatal(err)
	}
	if n := bytesOnDisk(t, db, "quokkapassage"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
	rows, err := db.Proposals(t.Context(), ProposalFilter{})
	if err != nil || len(rows) != 1 || rows[0].Title != "where is the "+forgottenMark {
		t.Errorf("got %+v, %v", rows, err)
	}
}
