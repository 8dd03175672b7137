package main

import (
	"slices"
	"testing"
	"time"

	"keepmum/api"
)

func TestRunsThatDidNothingDoNotHideOneThatDid(t *testing.T) {
	now := time.Now()
	run := func(id, kind, outcome string, sessions int) api.Run {
		return api.Run{RunID: id, Kind: kind, Outcome: outcome, Sessions: sessions, Finished: &now}
	}
	all := []api.Run{run("m3", "maintain", "done", 0), run("m2", "maintain", "done", 0), run("s2", "sync", "done", 0),
		run("m1", "maintain", "failed", 0), run("s1", "sync", "done", 4)}
	var got []string
	for _, r := range lastRuns(all, 4) {
		got = append(got, r.RunID)
	}
	if want := []string{"m3", "s2", "m1", "s1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTheStatusLineSaysSinceWhenItCounts(t *testing.T) {
	s := api.Status{Started: time.Now().Add(-72 * time.Hour),
		Capture: api.Capture{Enabled: true, Events: map[string]int64{"prompt": 2}}}
	if got, want := lineOf(s), "mum: 2 events since "+s.Started.Local().Format("2 Jan"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATimeOfAnotherDayHasItsDay(t *testing.T) {
	now := time.Date(2026, 5, 3, 22, 30, 0, 0, time.Local)
	for add, want := range map[time.Duration]string{time.Hour: "23:30:00", 2 * time.Hour: "2026-05-04 00:30:00",
		24 * time.Hour: "2026-05-04 22:30:00", 366 * 24 * time.Hour: "2027-05-04 22:30:00"} {
		if got := clock(now.Add(add), now); got != want {
			t.Errorf("%v: got %q, want %q", add, got, want)
		}
	}
}

func TestANounAgreesWithItsNumber(t *testing.T) {
	for want, got := range map[string]string{
		"0 memories": plural(0, "memory", "memories"), "1 memory": plural(int64(1), "memory", "memories"),
		"2 memories": plural(2, "memory", "memories"), "1 item": count(1, "item"), "3 items": count(int64(3), "item"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
