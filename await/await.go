// Package await waits in tests for what happens in another process or beside the requests,
// where there is no channel to wait on.
package await

import (
	"testing"
	"time"
)

// patience is so long that a test never fails by it on a slow machine: it ends a wait for
// what will not come before the whole run is ended without a word.
const patience = 5 * time.Minute

// The first look comes soon, and what takes long is not looked at all the time.
const firstPause, longestPause = 2 * time.Millisecond, 100 * time.Millisecond

// True waits until ok, and fails the test when it is waited for in vain.
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
