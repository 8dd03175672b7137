// Package atomicfile answers one question: how does a file get new contents durably, or keep the old ones?
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Write replaces the file at path with data. A reader sees either the old bytes or the new ones, also after a power
// cut. The file gets the permission bits perm regardless of the umask.
func Write(path string, data []byte, perm os.FileMode) error {
	if err := replace(path, data, perm, (*os.File).Sync); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// Swap is Write without waiting for the disk, for a file that does not matter after a power cut.
func Swap(path string, data []byte, perm os.FileMode) error {
	return replace(path, data, perm, func(*os.File) error { return nil })
}

// Put moves a complete file into its place durably: after a power cut, either all of it is there or what was there
// before.
func Put(from, to string) error {
	settle, err := Place(from, to)
	if err != nil {
		return err
	}
	return settle()
}

// Place is Put without the last sync: the file is complete, but until settle returns, a power cut may undo the move.
func Place(from, to string) (settle func() error, err error) {
	f, err := os.OpenFile(from, os.O_RDWR, 0) // some systems cannot sync a file that is open only for reading
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("write %s: %w", from, err)
	}
	if err := move(from, to); err != nil {
		return nil, err
	}
	return func() error { return syncDir(filepath.Dir(to)) }, nil
}

func replace(path string, data []byte, perm os.FileMode, settle func(*os.File) error) (err error) {
	tmp, err := temporary(path)
	if err != nil {
		return fmt.Errorf("create a temporary file next to %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close() // a second close is harmless
			_ = os.Remove(tmp.Name())
		}
	}()
	if err := fill(tmp, data, perm, settle); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return move(tmp.Name(), path)
}

// temporary creates a file next to another one, with a name that begins like its name.
func temporary(path string) (*os.File, error) {
	const most = 200 // bytes; a file system takes 255, and a number is added
	name := filepath.Base(path)
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "")
	}
	return os.CreateTemp(filepath.Dir(path), "."+name+".*")
}

// move puts a file into its place. It replaces files and links, but no device or pipe: as root, a rename onto
// /dev/null would take the device away from every program.
func move(from, to string) error {
	if info, err := os.Lstat(to); err == nil && info.Mode()&(os.ModeDevice|os.ModeNamedPipe|os.ModeSocket) != 0 {
		return fmt.Errorf("replace %s: it is a device, a pipe or a socket, not a file", to)
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("replace %s: %w", to, err)
	}
	return nil
}

func fill(f *os.File, data []byte, perm os.FileMode, settle func(*os.File) error) error {
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := settle(f); err != nil {
		return err
	}
	return f.Close()
}

// Create creates a file with data and reports whether this call created it. If several processes try, one wins and the
// others find its bytes. It uses a link, which is atomic; with O_EXCL, another process could read a half-written file.
func Create(path string, data []byte, perm os.FileMode) (made bool, err error) {
	tmp, err := temporary(path)
	if err != nil {
		return false, fmt.Errorf("create a temporary file next to %s: %w", path, err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	if err := fill(tmp, data, perm, (*os.File).Sync); err != nil {
		_ = tmp.Close()
		return false, fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Link(tmp.Name(), path); os.IsExist(err) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("create %s: %w", path, err)
	}
	return true, syncDir(filepath.Dir(path))
}
