//go:build !windows

package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Ours is an error for what belongs to neither this user nor root.
func Ours(info fs.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int64(s.Uid) != int64(os.Geteuid()) {
		return fmt.Errorf("it belongs to user %d", s.Uid)
	}
	return nil
}

// Owned is an error for what may say something in somebody else's name: it belongs
// to neither this user nor root, or another user may write it. Of groups only the one
// that a system makes for each user, of the same number, has nobody else in it.
func Owned(info fs.FileInfo) error {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	me, mode := os.Geteuid(), info.Mode().Perm()
	if err := Ours(info); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 { // it has no mode of its own
		return nil
	}
	own := int64(s.Gid) == int64(me) && os.Getegid() == me
	if mode&0o002 != 0 || mode&0o020 != 0 && !own {
		return errors.New("other users may write it")
	}
	return nil
}

// Writable asks the system whether a file can be read and written, or files can be made in a
// directory, and changes nothing.
func Writable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return unix.Access(path, unix.R_OK|unix.W_OK|unix.X_OK)
	}
	return unix.Access(path, unix.R_OK|unix.W_OK)
}

func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // narrower on some systems
	}
	return 1
}
