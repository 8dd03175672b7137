package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	// ErrNotRegular means that a path leads to a pipe, a device, a socket or a directory.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge means that a file is larger than the caller's limit.
	ErrTooLarge = errors.New("too large")
)

// Open opens a regular file for reading, and refuses everything else without waiting for it.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	return regular(f, err)
}

// OpenIn is [Open] below a root: a link that leads out of the root is an error.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	return regular(f, err)
}

// Regular returns an error for a path that is not a regular file, for callers that open the file without this package.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return err
}

// OpenRoot is [os.OpenRoot], and refuses a pipe instead of waiting for somebody who writes to it.
func OpenRoot(dir string) (*os.Root, error) {
	return os.OpenRoot(dir + string(os.PathSeparator) + ".")
}

// Glob returns the paths below a directory that match a pattern such as "*/memory.*", sorted. Unlike in
// [filepath.Glob], brackets and stars in the name of the directory mean themselves.
func Glob(dir, pattern string) ([]string, error) {
	found, err := fs.Glob(os.DirFS(dir), pattern)
	for i, name := range found {
		found[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return found, err
}

func regular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "read", Path: f.Name(), Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Read returns the contents of a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	return all(f, err, limit)
}

// ReadIn is [Read] below a root: a link that leads out of the root is an error.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	return all(f, err, limit)
}

// ReadBelow is [ReadIn] for one file below a directory.
func ReadBelow(dir, name string, limit int64) ([]byte, error) {
	root, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return ReadIn(root, name, limit)
}

func all(f *os.File, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	large := &os.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: more than %d KiB", ErrTooLarge, limit>>10)}
	if info, err := f.Stat(); err == nil && info.Size() > limit {
		return nil, large
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1)) // the size that a file system reports may be wrong
	if err == nil && int64(len(data)) > limit {
		return nil, large
	}
	return data, err
}
