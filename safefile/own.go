package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Foreign says that a path of ours may be somebody else's.
type Foreign struct {
	Path string
	Why  error
}

func (f *Foreign) Error() string {
	if f.Useless() {
		return fmt.Sprintf("%s is %v, and mum cannot use it; look at it, then: rm -r '%s'", f.Path, f.Why, f.Path)
	}
	return fmt.Sprintf("%s may be somebody else's: %v; look at it, and if it is not yours: rm -r '%s'", f.Path, f.Why,
		f.Path)
}

// Useless reports whether it is of no use, whosever it is.
func (f *Foreign) Useless() bool {
	return errors.Is(f.Why, ErrNotRegular) || errors.Is(f.Why, errNotDirectory)
}

// Unwrap returns why.
func (f *Foreign) Unwrap() error { return f.Why }

var (
	errLink         = errors.New("it is a link")
	errNotDirectory = errors.New("not a directory")
)

// Own is a *[Foreign] for a path at which another user may have put something: a link, or
// what that user owns or may write. What is not there is nobody's.
func Own(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return &Foreign{path, errLink}
	}
	if err := Owned(info); err != nil {
		return &Foreign{path, err}
	}
	return nil
}

// OwnFile is [Own], and a *[Foreign] for what is there and no regular file either: to open
// a pipe may take for ever.
func OwnFile(path string) error {
	return ownSort(path, fs.FileMode.IsRegular, ErrNotRegular)
}

// OwnDir is [Own], and a *[Foreign] for what is there and no directory.
func OwnDir(path string) error {
	return ownSort(path, fs.FileMode.IsDir, errNotDirectory)
}

func ownSort(path string, right func(fs.FileMode) bool, wrong error) error {
	if err := Own(path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !right(info.Mode()):
		return &Foreign{path, wrong}
	default:
		return nil
	}
}

// OpenOwn opens a file of this user's for writing, with further flags such as
// [os.O_APPEND], and makes it where there is none.
func OpenOwn(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|nonblock|nofollow|flags&^os.O_TRUNC, 0o600)
	if errors.Is(err, errTooManyLinks) {
		err = &Foreign{path, errLink}
	}
	if f, err = regular(f, err); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && links(info) > 1 {
		err = errors.New("it has another name")
	}
	if err == nil {
		err = Owned(info)
	}
	if err != nil {
		return nil, errors.Join(&Foreign{path, err}, f.Close())
	}
	if flags&os.O_TRUNC != 0 { // not before it is known to be ours
		if err := f.Truncate(0); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// WriteOwn replaces the content of such a file in place: a lock holds for a file, not for its name.
func WriteOwn(path string, data []byte, flags int) error {
	f, err := OpenOwn(path, flags)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ReadOwn is [Read] for a file that only this user may have written.
func ReadOwn(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock|nofollow, 0)
	if errors.Is(err, errTooManyLinks) {
		err = &Foreign{path, errLink}
	}
	if f, err = regular(f, err); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if err = Owned(info); err != nil {
			err = &Foreign{path, err}
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return all(f, nil, limit)
}
