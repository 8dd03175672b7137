package main

import (
	"testing"
	"time"
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
