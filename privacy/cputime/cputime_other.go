//go:build !linux && !darwin && !freebsd && !windows

package cputime

import "time"

// Spent is the clock's, where no system tells better.
func Spent() time.Duration { return time.Since(started) }
