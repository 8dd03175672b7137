package daemon

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// fileLimit is a number that is no limit: there is none there.
func fileLimit() uint64 { return 1 << 16 }

// errPortTaken is what a port says that somebody else listens on.
const errPortTaken = syscall.Errno(windows.WSAEADDRINUSE)
