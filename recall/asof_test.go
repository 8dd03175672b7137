package recall_test

import (
	"path/filepath"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// A mark that was set later hides nothing from an earlier moment.
func TestNotesAreThoseOfTheMoment(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ref := store.SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("s"), Project: keepmum()}
	day := func(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }
	var made []int64
	for i, kind := range []string{store.NoteTask, store.NoteDone, store.NoteNext} {
		r, err := db.PutNote(t.Context(), store.Note{Session: ref, Type: kind, Text: privacy.Const("the letters"),
			Progress: -1, At: day(1 + 2*i)})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, r.ID)
	}
	row, err := db.FindSession(t.Context(), ref.Agent, ref.Native)
	if err != nil {
		t.Fatal(err)
	}
	for on, want := range map[int]struct{ first, done int64 }{2: {made[0], 0}, 4: {0, made[1]}, 6: {made[2], made[1]}} {
		notes, done, err := recall.AsOf(db, day(on)).Notes(t.Context(), row.ID)
		first := int64(0)
		if len(notes) > 0 {
			first = notes[0].ID
		}
		if err != nil || first != want.first || done != want.done {
			t.Errorf("on day %d: %+v, %d, %v", on, notes, done, err)
		}
	}
}
