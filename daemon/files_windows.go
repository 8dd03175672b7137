package daemon

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// fileLimit returns a number that never limits, because Windows has no such limit.
func fileLimit() uint64 { return 1 << 16 }

// errPortTaken is the error for a port that another process listens on.
const errPortTaken = syscall.Errno(windows.WSAEADDRINUSE)
