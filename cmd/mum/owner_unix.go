//go:build !windows

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether a file belongs to the user of this process.
func ownedByUs(info fs.FileInfo) (owner uint32, ours bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, true
	}
	return s.Uid, int64(s.Uid) == int64(os.Geteuid())
}
