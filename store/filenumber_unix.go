//go:build !windows

package store

import (
	"os"
	"syscall"
)

// fileNumber tells a file from one that is put in its place; 0 = no system tells.
func fileNumber(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino) //nolint:unconvert // narrower on some systems
	}
	return 0
}
