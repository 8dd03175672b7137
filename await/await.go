// Package await waits in tests for something that happens in another process or in the background, where there is no
// channel to wait on.
package await

import (
	"testing"
	"time"
)

// patience is long enough that no test fails on a slow machine. It ends a wait that would never succeed with a message,
// before the test run times out without one.
const patience = 5 * time.Minute

// Poll soon at first, and less often the longer it takes.
const firstPause, longestPause = 2 * time.Millisecond, 100 * time.Millisecond

// True waits until ok returns true, and fails the test if it never does.
func True(t testing.TB, what string, ok func() bool) {
	t.Helper()
	pause := firstPause
	for end := time.Now().Add(patience); !ok(); pause = min(pause*5/4, longestPause) {
		if time.Now().After(end) {
			t.Fatalf("waited %v in vain: %s", patience, what)
		}
		time.Sleep(pause)
	}
}
