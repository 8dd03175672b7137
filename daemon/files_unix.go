//go:build unix

package daemon

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// fileLimit returns how many files this process may have open.
func fileLimit() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return l.Cur
}

// errPortTaken is the error for a port that another process listens on.
const errPortTaken = syscall.EADDRINUSE
