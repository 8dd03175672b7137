package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

var errTaken = errors.New("a file with that name already exists")

// write is the only way into the tree. The document passes the gate and is checked against what its path requires. It
// replaces the file whose hash is basis ("" = the file must not exist), readable only by the user.
func (t *Tree) write(rel string, doc *document, basis string, check func([]byte) error) ([]byte, error) {
	before, err := doc.render()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Shown(rel), err)
	}
	data, _, err := t.clean(doc)
	switch {
	case err == nil && basis != "":
		err = gaveUp(before, data)
	case err == nil && doc.idReveals():
		err = errUnnamed
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Shown(rel), err)
	}
	if err := check(data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, t.brokenAt(rel, err))
	}
	file, err := t.place(rel)
	if err != nil {
		return nil, err
	}
	if basis == "" {
		made, err := atomicfile.Create(file, data, 0o600)
		if err == nil && !made {
			err = fmt.Errorf("%s: %w", t.Shown(rel), errTaken)
		}
		return data, err
	}
	return data, t.replace(rel, file, data, basis)
}

// replace writes over the file with a hash.
func (t *Tree) replace(rel, file string, data []byte, basis string) error {
	old, err := safefile.Read(file, maxText)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil || hashOf(old) != basis:
		return fmt.Errorf("%s: %w", t.Shown(rel), ErrChanged)
	case bytes.Equal(old, data):
		return nil
	}
	return atomicfile.Write(file, data, 0o600)
}

// errCut means that the gate would remove a whole text or the rest of one, not just a part. A person's text is not
// sacrificed for that.
var errCut = fmt.Errorf("%w: the gate would cut it, or cannot judge it", ErrInvalid)

// gaveUp returns an error if the gate withheld a text, or cut it.
func gaveUp(before, after []byte) error {
	for _, mark := range []string{"[WITHHELD:", "[CUT:"} {
		if bytes.Count(after, []byte(mark)) > bytes.Count(before, []byte(mark)) {
			return errCut
		}
	}
	return nil
}

// place returns the absolute path for a path relative to the root, and creates its directory. No part below the root
// may be a link, because what is written must end up in the tree.
func (t *Tree) place(rel string) (string, error) {
	outside := func() error { return fmt.Errorf("%s: %w", t.Shown(rel), ErrOutside) }
	name := filepath.FromSlash(rel)
	if !filepath.IsLocal(name) {
		return "", outside()
	}
	root, err := safefile.OpenRoot(t.root)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	if err := noLinks(root, name); err != nil {
		return "", outside()
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return "", err
	}
	return filepath.Join(t.root, name), nil
}

// noLinks refuses a path with a part that is a link.
func noLinks(root *os.Root, name string) error {
	for ; name != "."; name = filepath.Dir(name) {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return ErrOutside
		}
	}
	return nil
}

// locked runs f while nobody else writes to the tree. The lock is on the directory itself, so that there is no lock
// file among the user's files.
func (t *Tree) locked(f func() error) error {
	if err := os.MkdirAll(t.root, 0o700); err != nil {
		return err
	}
	lock := flock.New(t.root, flock.SetFlag(os.O_RDONLY))
	if runtime.GOOS == "windows" { // directories cannot be locked on Windows
		lock = flock.New(t.root + ".lock")
	}
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", t.root, err)
	}
	defer func() { _ = lock.Close() }()
	return f()
}

// readLocked waits until nobody writes to the tree. If a directory cannot be locked (another system, a network drive),
// it reads all the same.
func (t *Tree) readLocked() (unlock func()) {
	if _, err := os.Stat(t.root); err != nil || runtime.GOOS == "windows" {
		return func() {}
	}
	lock := flock.New(t.root, flock.SetFlag(os.O_RDONLY))
	if err := lock.RLock(); err != nil {
		return func() {}
	}
	return func() { _ = lock.Close() }
}
