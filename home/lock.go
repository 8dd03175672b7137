package home

import (
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"keepmum/safefile"
)

// FileLock returns a lock on the file at path, not yet taken. It is an error if anything but a file of this user is
// there.
func FileLock(path string) (*flock.Flock, error) {
	if err := safefile.OwnFile(path); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetPermissions(0o600)), nil
}

// TryLock takes the lock of the data directory; false = the daemon, or a repair command, holds it.
func (d Dir) TryLock() (lock *flock.Flock, taken bool, err error) {
	if lock, err = FileLock(d.Lock()); err != nil {
		return nil, false, err
	}
	taken, err = lock.TryLock()
	return lock, taken, err
}

// SignLock writes the number of this process into the lock file, which it holds, so that others can name it.
func (d Dir) SignLock() error {
	return safefile.WriteOwn(d.Lock(), []byte(strconv.Itoa(os.Getpid())+"\n"), os.O_TRUNC)
}

// LockHolder returns the number of the process that holds the lock, if the lock is held at all; 0 = it is not known.
func (d Dir) LockHolder() int {
	line, err := safefile.ReadOwn(d.Lock(), maxSecret)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(line))) // 0 from a version that did not sign
	return pid
}
