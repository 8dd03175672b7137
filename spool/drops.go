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

// withheld is such a file for events that arrived without their text.
func (d Dir) withheld() string { return string(d) + ".withheld" }

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
func (d Dir) Drop() error { return count(d.dropped()) }

// Drops returns how many events were lost, and when the last one was.
func (d Dir) Drops() (n int64, last time.Time) { return counted(d.dropped()) }

// Withhold counts an event that arrived without its text, because the settings cannot be used.
func (d Dir) Withhold() error { return count(d.withheld()) }

// Withheld returns how many events arrived without their text, and when the last one was.
func (d Dir) Withheld() (n int64, last time.Time) { return counted(d.withheld()) }

// count adds a byte to a file.
func count(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	f, err := safefile.OpenOwn(path, os.O_APPEND)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	wait, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	lock := flock.New(path)
	if ok, err := lock.TryLockContext(wait, time.Millisecond); ok && err == nil {
		defer func() { _ = lock.Unlock() }()
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return f.Truncate(info.Size() + 1)
}

// counted returns the number of bytes in such a file, and when the last one was added.
func counted(path string) (n int64, last time.Time) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, last
	}
	return info.Size(), info.ModTime()
}
