package api

import (
	"errors"

	"golang.org/x/sys/windows"
)

// nobodyListens distinguishes a daemon that is not running from one that cannot be reached. On a Windows without unix
// sockets, the daemon counts as not running.
func nobodyListens(err error) bool {
	return errors.Is(err, windows.WSAECONNREFUSED) || errors.Is(err, windows.WSAEAFNOSUPPORT)
}
