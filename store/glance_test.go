package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/privacy"
)

func TestALookChangesNothingAndNeedsNoOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if _, err := Look(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a look made the file")
	}
	at := time.UnixMilli(1_700_000_000_000).UTC()
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	ref := SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("s"),
		Project: Project{Name: privacy.Const("shop")}}
	if _, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref, Role: RoleUser, Text: privacy.Const("hello"), At: at}); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		g, err := Look(t.Context(), path)
		if err != nil || !g.Newest.Equal(at) || !g.Agents["claude"].Equal(at) || g.Schema != g.Known {
			t.Errorf("%s: %+v %v", when, g, err)
		}
	}
	check("beside its owner")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	check("without an owner")
}

func TestALookLeavesAnOlderSchemaAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	raw, err := sqlx.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	raw.MustExec(
		`CREATE TABLE sessions (agent TEXT, last INTEGER); PRAGMA application_id = 1836412275; PRAGMA user_version = 1`)
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	g, err := Look(t.Context(), path)
	after, _ := os.ReadFile(path)
	if err != nil || g.Schema != 1 || g.Known <= 1 || !bytes.Equal(before, after) {
		t.Errorf("%+v, %v, changed: %v", g, err, !bytes.Equal(before, after))
	}
}

func TestALookRefusesWhatOpenRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, bytes.Repeat([]byte("no database "), 20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a text: %v", err)
	}
	_ = os.Remove(path)
	raw, err := sqlx.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	raw.MustExec(`CREATE TABLE other (a)`)
	_ = raw.Close()
	if _, err := Look(t.Context(), path); !errors.Is(err, ErrForeign) {
		t.Errorf("somebody else's: %v", err)
	}
}

func TestAnEntryOfTheFutureIsOneOfNow(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	const hour = time.Hour
	for at, want := range map[time.Duration]time.Duration{-hour: -hour, hour: hour, 8000 * hour: 0} {
		ref := SessionRef{Agent: privacy.Const("claude"), Native: clean("s" + at.String()),
			Project: Project{Name: privacy.Const("shop")}}
		r, err := db.PutPrompt(t.Context(), Prompt{Session: ref, Text: privacy.Const("hello"), At: now.Add(at)})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := db.Observations(t.Context(), []int64{r.ID})
		if err != nil || len(rows) != 1 || !rows[0].Date.Equal(now.Add(want)) {
			t.Errorf("%v from now: %+v %v", at, rows, err)
		}
	}
}
