package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// here returns the current directory. If it was removed, the shell still knows what it was called, and so which project
// it belonged to.
func (a *app) here() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		return dir, nil
	}
	if was := a.getenv("PWD"); errors.Is(err, fs.ErrNotExist) && filepath.IsAbs(was) {
		if _, err := os.Lstat(was); errors.Is(err, fs.ErrNotExist) { // otherwise it is another one
			return was, nil
		}
	}
	return "", hinted(fmt.Errorf("the current directory is not known: %w", err), "cd to a directory that exists")
}

// nameable returns an error for a directory whose name is no text: a request is text, and would name another one.
func nameable(dir, next string) error {
	if utf8.ValidString(dir) {
		return nil
	}
	return hinted(fmt.Errorf("the name of the directory %q is not UTF-8, so it cannot be a project", dir), next)
}

// hereOrNowhere is for what must work in every directory: one that nothing is known about belongs to no project.
func (a *app) hereOrNowhere() string {
	dir, err := a.here()
	if err != nil {
		return filepath.VolumeName(a.userHome) + string(filepath.Separator)
	}
	return dir
}
