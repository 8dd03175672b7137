package home

import (
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
