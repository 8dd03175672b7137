package api

import (
	"errors"

	"golang.org/x/sys/windows"
)

// nobodyListens tells a daemon that is not there from one that cannot be reached. A Windows
// without unix sockets has one that is not there.
func nobodyListens(err error) bool {
	return errors.Is(err, windows.WSAECONNREFUSED) || errors.Is(err, windows.WSAEAFNOSUPPORT)
}
