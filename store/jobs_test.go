package store

import (
	"testing"
	"time"
)

func TestAClockSetBackHoldsUpNoJob(t *testing.T) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	db := openAt(t, &clock)
	put(t, db, "p", "s", "why is the deploy slow")
	job, ok, err := db.ClaimJob(t.Context(), clean("me"), time.Hour)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := db.ClaimJob(t.Context(), clean("another"), time.Minute); err != nil || ok {
		t.Fatalf("it was claimed twice: %v", err)
	}
	if err := db.FailJob(t.Context(), job, clean("no reason")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		clock = clock.AddDate(-1, 0, 0)
		if _, ok, err := db.ClaimJob(t.Context(), clean("me"), time.Minute); err != nil || !ok {
			t.Errorf("it waits until %s: %v", clock.AddDate(1, 0, 0), err)
		}
	}
}

func TestATimelineOfLessThanNothing(t *testing.T) {
	db := openTest(t)
	var middle int64
	for i := range 5 {
		id := put(t, db, "p", "s", "why is the deploy slow")
		if i == 2 {
			middle = id
		}
	}
	if got, err := db.Timeline(t.Context(), middle, -1, -1); err != nil || len(got.Moments) != 1 {
		t.Errorf("got %d, %v", len(got.Moments), err)
	}
}
