//go:build !windows

package store

import (
	"os"
	"syscall"
)

// fileNumber returns a number that changes when another file takes a file's place; 0 = the system has none.
func fileNumber(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino) //nolint:unconvert // narrower on some systems
	}
	return 0
}
