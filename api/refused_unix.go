//go:build !windows

package api

import (
	"errors"
	"syscall"
)

// nobodyListens distinguishes a daemon that is not running from one that cannot be reached.
func nobodyListens(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
