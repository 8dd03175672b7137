//go:build !linux && !darwin && !freebsd && !windows

package cputime

import "time"

// Spent returns wall-clock time, on systems without a better source.
func Spent() time.Duration { return time.Since(started) }
