package main

import (
	"testing"
	"time"

	"keepmum/api"
)

func TestNoDurationIsZero(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Minute: "just now", 100 * time.Millisecond: "just now",
		2500 * time.Millisecond: "2 s ago", 90 * time.Second: "1 min ago", 3 * time.Hour: "3 h ago"} {
		if got := before(d); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
	for n, want := range map[float64]string{0: "under 0.1 s", 0.049: "under 0.1 s", 0.06: "0.1 s", 2: "2.0 s"} {
		if got := inSeconds(n); got != want {
			t.Errorf("%v: %s", n, got)
		}
	}
}

func TestWhatGoesNamesNothingThatStays(t *testing.T) {
	for want, f := range map[string]api.Forgotten{
		"0 entries":                           {},
		"1 memory":                            {Memories: []int64{1}},
		"1 entry, 1 summary made of it":       {Documents: []int64{1}, Derived: []int64{2}},
		"2 entries, 1 memory, 3 sessions":     {Documents: []int64{1, 2}, Memories: []int64{3}, Sessions: 3},
		"2 entries, 2 summaries made of them": {Documents: []int64{1, 2}, Derived: []int64{3, 4}},
	} {
		if got := whatGoes(f); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
