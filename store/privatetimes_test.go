package store

import (
	"path/filepath"
	"testing"
	"time"

	"keepmum/privacy"
)

func TestWhatAPrivateSessionMayHaveDone(t *testing.T) {
	begin := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	clock := begin
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	here := privacy.Const("/src/shop/.git")
	for _, minutes := range []int{0, 10} {
		clock = begin.Add(time.Duration(minutes) * time.Minute)
		if err := db.NotePrivate(t.Context(), here); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name        string
		now, at     time.Duration
		want        PrivateTime
		otherPlaces bool
	}{
		{"before it", 11 * time.Minute, -time.Second, NotPrivate, false},
		{"within it", 11 * time.Minute, 5 * time.Minute, Private, false},
		{"after its last event", 12 * time.Minute, 11 * time.Minute, PrivateUnsure, false},
		{"in another repository", 12 * time.Minute, 5 * time.Minute, NotPrivate, true},
		{"after it, silent for an hour", 71 * time.Minute, 11 * time.Minute, NotPrivate, false},
		{"within it, an hour later", 71 * time.Minute, 5 * time.Minute, Private, false},
	} {
		clock = begin.Add(c.now)
		place := here
		if c.otherPlaces {
			place = privacy.Const("/src/other/.git")
		}
		if got, err := db.PrivateAt(t.Context(), place, begin.Add(c.at)); err != nil || got != c.want {
			t.Errorf("%s: %v %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestAClockSetBackUncoversNoPrivateTime(t *testing.T) {
	begin := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	clock := begin
	db := openAt(t, &clock)
	here := privacy.Const("/src/shop/.git")
	for _, minutes := range []int{0, 30, 10, -20, -10} {
		clock = begin.Add(time.Duration(minutes) * time.Minute)
		if err := db.NotePrivate(t.Context(), here); err != nil {
			t.Fatal(err)
		}
	}
	clock = begin.Add(24 * time.Hour)
	for minutes, want := range map[int]PrivateTime{25: Private, 5: Private, -15: Private, -5: NotPrivate,
		-30: NotPrivate} {
		at := begin.Add(time.Duration(minutes) * time.Minute)
		if got, err := db.PrivateAt(t.Context(), here, at); err != nil || got != want {
			t.Errorf("at %d: %v %v, want %v", minutes, got, err, want)
		}
	}
}
