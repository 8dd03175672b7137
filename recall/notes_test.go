package recall

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

// noter is a session with too much of everything.
type noter struct{}

func (noter) Notes(context.Context, int64) ([]store.NoteRow, int64, error) {
	var out []store.NoteRow
	long, progress := strings.Repeat("much is said of it here ", 40), 40
	for i := range 40 {
		kind := []string{store.NoteTask, store.NoteDecision, store.NoteFinding, store.NoteNext, store.NoteCheckpoint}[i%5]
		out = append(out, store.NoteRow{ID: int64(i + 1), Type: kind, Text: fmt.Sprintf("note %d %s", i, long),
			Progress: &progress,
			File:     strings.Repeat("deep/", 40) + "file.go"})
	}
	return out, 0, nil
}

func (noter) SessionLines(context.Context, int64, int) ([]store.Line, error) {
	var out []store.Line
	for i := range 60 {
		out = append(out, store.Line{ID: int64(100 + i), Type: store.KindObservation, Tool: "Edit",
			Title: fmt.Sprintf("Edit %sfile%d.go", strings.Repeat("deep/", 40), i)})
	}
	return append(out, store.Line{ID: 900, Type: store.KindObservation, Tool: "Bash", Failed: true,
		Title: "Bash " + strings.Repeat("make it so ", 60)}), nil
}

func (noter) SessionPrompts(context.Context, int64, int) ([]store.Line, error) { return nil, nil }

func TestADigestIsSmallAndTheSameBytes(t *testing.T) {
	s := store.SessionRow{ID: 1, Agent: "claude", Last: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMilli()}
	var first string
	for range 20 {
		d, err := DigestOf(t.Context(), noter{}, s)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(d.Lines(), "\n")
		if first == "" {
			first = text
		}
		if text != first {
			t.Fatalf("two digests of one session:\n%s\n%s", first, text)
		}
	}
	if n := Tokens(first); n > 400 || n < 150 {
		t.Errorf("%d tokens", n)
	}
	w := newWriter(Ask{Tokens: 400, MaxEntries: 5, Name: "shop", Now: time.UnixMilli(s.Last).Add(time.Hour)}, nil)
	notes, _, _ := noter{}.Notes(t.Context(), 1)
	lines, _ := noter{}.SessionLines(t.Context(), 1, 60)
	w.noted(s, notedOf(notes), digestOf(lines))
	if b := w.block(ReasonRecency); b.Text == "" || Tokens(b.Text) > 400 {
		t.Errorf("%d tokens: %s", Tokens(b.Text), b.Text)
	}
}

func TestATaskIsToldWithItsOwnAnswer(t *testing.T) {
	said := func(texts ...string) (lines []store.Line) {
		for i, text := range texts {
			role := store.RoleUser
			if i%2 == 1 {
				role = store.RoleAssistant
			}
			lines = append(lines, store.Line{ID: int64(i + 1), Type: store.KindPrompt, Role: string(role), Text: text})
		}
		return lines
	}
	for want, lines := range map[int64][]store.Line{
		2: said("Delete the unused table of coupons", "I did not delete it: the nightly report reads it.", "thanks",
			"You are welcome.", "what is in a.txt?", "a.txt holds the letter a, nothing else at all."),
		4: said("Delete the unused table of coupons", "Shall I really delete the table of coupons?", "yes",
			"The coupons table is deleted, and the report adapted."),
	} {
		if d := digestOf(lines); d.task.ID != 1 || d.answer.ID != want {
			t.Errorf("task %d, answer %d, want %d", d.task.ID, d.answer.ID, want)
		}
	}
}
