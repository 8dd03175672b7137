package distill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"

	"keepmum/safefile"
)

// Owner describes the run that holds the lock.
type Owner struct {
	PID   int       `json:"pid"`
	Run   string    `json:"run"`  // "sync-20260301-142305-1a2b3c"
	Does  string    `json:"does"` // "sync", "maintain"
	Since time.Time `json:"since"`
}

// BusyError means that another run holds the lock.
type BusyError struct{ Owner Owner }

func (e *BusyError) Error() string {
	if e.Owner.PID == 0 {
		return "another run holds the lock"
	}
	return fmt.Sprintf("another run holds the lock: %s (process %d), since %s", e.Owner.Run, e.Owner.PID,
		e.Owner.Since.UTC().Format(time.DateTime)+" UTC")
}

// lock is held for the lifetime of a run. The operating system releases it when the process ends, however it ends. The
// file is never removed: otherwise two runs could lock two files with the same name.
type lock struct{ file *flock.Flock }

// take takes the lock at path for owner, or returns who has it.
func take(path string, owner Owner) (*lock, error) {
	if err := safefile.OwnFile(path); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		return nil, &BusyError{holder(path)}
	}
	if err := sign(path, owner); err != nil {
		return nil, errors.Join(fmt.Errorf("sign the lock %s: %w", path, err), l.Unlock())
	}
	return &lock{l}, nil
}

// sign writes the owner into the locked file. It must not replace the file, because a lock belongs to a file, not to
// its name.
func sign(path string, owner Owner) error {
	data, err := json.Marshal(owner)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	return errors.Join(err, f.Close())
}

// holder reads who has the lock; the zero Owner if that cannot be read.
func holder(path string) Owner {
	f, err := safefile.Open(path)
	if err != nil {
		return Owner{}
	}
	defer f.Close()
	var o Owner
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil || json.Unmarshal(data, &o) != nil {
		return Owner{} // it is being written right now
	}
	return o
}

// held returns who holds the lock at path, or false if nobody does. It changes nothing.
func held(path string) (Owner, bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return Owner{}, false
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return Owner{}, false
	}
	if ok {
		_ = l.Unlock() // nothing was done under it
		return Owner{}, false
	}
	return holder(path), true
}

func (l *lock) release() error { return l.file.Unlock() }
