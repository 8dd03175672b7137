//go:build !windows

package api

import (
	"errors"
	"syscall"
)

// nobodyListens tells a daemon that is not there from one that cannot be reached.
func nobodyListens(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
