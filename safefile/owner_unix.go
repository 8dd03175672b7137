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

// Ours returns an error if a file belongs to neither this user nor root.
func Ours(info fs.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int64(s.Uid) != int64(os.Geteuid()) {
		return fmt.Errorf("it belongs to user %d", s.Uid)
	}
	return nil
}

// Owned returns an error if another user may have written a file: it belongs to neither
// this user nor root, or another user may write it. A group may write only if it is the
// user's private group, which has the user's number and nobody else in it.
func Owned(info fs.FileInfo) error {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	me, mode := os.Geteuid(), info.Mode().Perm()
	if err := Ours(info); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 { // a link has no permissions of its own
		return nil
	}
	own := int64(s.Gid) == int64(me) && os.Getegid() == me
	if mode&0o002 != 0 || mode&0o020 != 0 && !own {
		return errors.New("other users may write it")
	}
	return nil
}

// Writable returns an error if this process cannot read and write a file, or cannot create
// files in a directory. It asks the system and changes nothing.
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
