//go:build linux || darwin || freebsd

package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Spent returns the processor time of this thread; to compare two results, lock the goroutine to its thread.
func Spent() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}
