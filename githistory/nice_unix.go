//go:build unix

package githistory

import (
	"os"
	"syscall"
)

const background = 10 // how nice git is to what somebody waits for

func yieldTo(pid int) { _ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, background) } // it works without, too

// owned reports whether a file is this user's.
func owned(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
