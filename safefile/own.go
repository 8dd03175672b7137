package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Foreign is the error for a path of keepmum's own that another user may control.
type Foreign struct {
	Path string
	Why  error
}

func (f *Foreign) Error() string {
	if f.Useless() {
		return fmt.Sprintf("%s is %v, and mum cannot use it; check it, then: rm -r '%s'", f.Path, f.Why, f.Path)
	}
	return fmt.Sprintf("%s may belong to another user: %v; check it, and if it is not yours: rm -r '%s'", f.Path, f.Why,
		f.Path)
}

// Useless reports whether mum cannot use what is there, whoever owns it: it is not a
// regular file, or not a directory.
func (f *Foreign) Useless() bool {
	return errors.Is(f.Why, ErrNotRegular) || errors.Is(f.Why, errNotDirectory)
}

// Unwrap returns why.
func (f *Foreign) Unwrap() error { return f.Why }

var (
	errLink         = errors.New("it is a link")
	errNotDirectory = errors.New("not a directory")
)

// Own returns a *[Foreign] if another user may have put something at path: if it is a
// link, or another user owns it or may write it. A path that does not exist is fine.
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

// OwnFile is like [Own], and also returns a *[Foreign] if path exists and is not a regular file: opening a pipe may
// block forever.
func OwnFile(path string) error {
	return ownSort(path, fs.FileMode.IsRegular, ErrNotRegular)
}

// OwnDir is like [Own], and also returns a *[Foreign] if path exists and is not a directory.
func OwnDir(path string) error {
	return ownSort(path, fs.FileMode.IsDir, errNotDirectory)
}

// OwnLinkedDir is like [OwnDir], but accepts a link that this user made to a directory of theirs: some keep their notes
// elsewhere.
func OwnLinkedDir(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return OwnDir(path)
	}
	if err = Ours(info); err == nil {
		info, err = os.Stat(path)
	}
	if err == nil {
		err = Owned(info)
	}
	if err == nil && !info.IsDir() {
		err = errNotDirectory
	}
	if err != nil {
		return &Foreign{path, err}
	}
	return nil
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

// OpenOwn opens a file of this user for writing, with more flags such as [os.O_APPEND],
// and creates it if it does not exist. It refuses links, files with a second name (hard
// link) and files that another user owns or may write, with a *[Foreign].
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
	if flags&os.O_TRUNC != 0 { // truncate only a file that is known to be this user's
		if err := f.Truncate(0); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// WriteOwn writes to a file of this user in place, not through a rename, because a lock
// belongs to the file and not to its name.
func WriteOwn(path string, data []byte, flags int) error {
	f, err := OpenOwn(path, flags)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ReadOwn is [Read] for a file that nobody but this user or root may have written; for
// any other it returns a *[Foreign].
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
