package memdir

import (
	"os"
	"syscall"
)

const (
	tmpfs  = 0x01021994 // statfs(2)
	noexec = 0x8        // ST_NOEXEC of statvfs(3): tests start programs from their directories
)

// usable reports whether a directory is in memory, has room, and may contain programs.
func usable(path string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil || s.Type != tmpfs || s.Flags&noexec != 0 {
		return false
	}
	if s.Bavail*uint64(s.Bsize) < atLeast {
		return false
	}
	made, err := os.MkdirTemp(path, "")
	return err == nil && os.Remove(made) == nil
}
