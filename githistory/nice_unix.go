//go:build unix

package githistory

import (
	"os"
	"syscall"
)

const background = 10 // the nice value of git

func yieldTo(pid int) { _ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, background) } // an error does no harm

// owned reports whether a file belongs to this user.
func owned(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
