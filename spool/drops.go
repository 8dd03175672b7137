package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"keepmum/safefile"
)

// dropped is a file that has one byte for each lost event. It is next to the spool, because the spool itself may be
// unusable, and it is sparse, so that it grows even on a full disk.
func (d Dir) dropped() string { return string(d) + ".dropped" }

// Prepare creates the spool and the file that counts lost events, while there is room.
func (d Dir) Prepare() error {
	f, err := safefile.OpenOwn(d.dropped(), os.O_APPEND)
	if err == nil {
		err = f.Close()
	}
	return errors.Join(err, d.make())
}

// Usable returns an error if the spool cannot accept events. It changes nothing.
func (d Dir) Usable() error {
	if err := safefile.Own(string(d)); err != nil {
		return err
	}
	info, err := os.Stat(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a directory", d)
	case err == nil:
		err = safefile.Writable(string(d))
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written to: %w", d, err)
	}
	return nil
}

// countTime is how long to wait for others that are counting at the same moment.
const countTime = 100 * time.Millisecond

// Drop counts an event that could be neither delivered nor stored.
func (d Dir) Drop() (err error) {
	if err := os.MkdirAll(filepath.Dir(string(d)), 0o700); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	f, err := safefile.OpenOwn(d.dropped(), os.O_APPEND)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	wait, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	lock := flock.New(d.dropped())
	if ok, err := lock.TryLockContext(wait, time.Millisecond); ok && err == nil {
		defer func() { _ = lock.Unlock() }()
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return f.Truncate(info.Size() + 1)
}

// Drops returns how many events were lost, and when the last one was.
func (d Dir) Drops() (n int64, last time.Time) {
	info, err := os.Lstat(d.dropped())
	if err != nil || !info.Mode().IsRegular() {
		return 0, last
	}
	return info.Size(), info.ModTime()
}
