package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"keepmum/config"
	"keepmum/home"
	"keepmum/safefile"
)

// checkForeign names what another user may have put into the data directory: no daemon starts with it.
func checkForeign(dir home.Dir) (all []finding) {
	for _, f := range dir.Foreign() {
		if info, err := os.Lstat(f.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			all = append(all, finding{Check: "files", State: stateProblem,
				Detail: fmt.Sprintf("%s is not used: %v; no daemon starts with it", f.Path, f.Why), Fix: linkFix(f.Path)})
			continue
		}
		if f.Useless() {
			all = append(all, finding{Check: "files", State: stateProblem,
				Detail: fmt.Sprintf("%s is not used: %v; no daemon starts with it", f.Path, f.Why),
				Fix:    fmt.Sprintf("check it, then: rm -r '%s'", f.Path)})
			continue
		}
		all = append(all, finding{Check: "files", State: stateProblem,
			Detail: fmt.Sprintf("%s is not used: %v; no daemon starts with it", f.Path, f.Why),
			Fix: fmt.Sprintf("check it; if it is not yours: rm -r '%s', else: sudo chown %d '%s' && chmod go-rwx '%s'",
				f.Path, os.Geteuid(), f.Path, f.Path)})
	}
	for _, path := range dir.Closed() {
		if path != dir.Spool() { // checkSpool says more about it
			all = append(all, finding{Check: "files", State: stateProblem,
				Detail: path + " cannot be read or written: permission denied", Fix: closedFix(path)})
		}
	}
	return append(all, checkMisplaced(dir)...)
}

// checkMisplaced names what is in the place of the backups, or of the file that shows whether the log is whole.
func checkMisplaced(dir home.Dir) (all []finding) {
	lacks := map[string]string{dir.Backups(): "no backup can be made",
		dir.Latest(): "nobody would notice that the log of the database is damaged"}
	for _, f := range dir.Misplaced() {
		all = append(all, finding{Check: "files", State: stateProblem,
			Detail: fmt.Sprintf("%s is not used: %v; %s", f.Path, f.Why, lacks[f.Path]),
			Fix:    fmt.Sprintf("check it, then: rm -r '%s'", f.Path)})
	}
	return all
}

// closedFix returns the fix for what its owner cannot use. A repair leaves alone what a link leads to.
func closedFix(path string) string {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Sprintf("chmod u+rwx '%s'", path)
	}
	return "mum doctor --fix"
}

// linkFix returns the fix for a link: mum follows none, whoever made it.
func linkFix(path string) string {
	if _, err := os.Stat(path); err != nil { // it leads to nothing
		return fmt.Sprintf("rm '%s'", path)
	}
	return fmt.Sprintf("check it; if its target is yours: to=$(readlink -f '%s') && rm '%s' && mv \"$to\" '%s', "+
		"else: rm '%s'", path, path, path, path)
}

// checkModes searches for files that other users of the machine could read.
func checkModes(dir home.Dir) finding {
	f := finding{Check: "files", State: stateOK, Detail: "only you can read " + string(dir)}
	info, err := os.Stat(string(dir))
	if err != nil {
		f.Detail = "there are none yet"
		return f
	}
	if runtime.GOOS == "windows" { // modes mean nothing there
		f.Detail = string(dir) + " has the access rights of its folder; not checked on Windows"
		return f
	}
	closed := info.Mode().Perm()&0o077 == 0
	var open []string
	_ = filepath.WalkDir(string(dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // it vanished, or it belongs to another user: another check reports it
		}
		if closed && (path == config.File(string(dir)) || filepath.Ext(path) == ".md") {
			return nil // an editor creates these files, and no other user can reach them
		}
		if info, err := e.Info(); err == nil && e.Type()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o077 != 0 &&
			filepath.Base(filepath.Dir(path)) != "hooks" && e.Name() != "hooks" {
			open = append(open, path)
		}
		return nil
	})
	if len(open) > 0 {
		f.State, f.Detail, f.Fix = stateProblem,
			fmt.Sprintf("%s can be read by other users, e.g. %s", count(len(open), "file"), open[0]), "mum doctor --fix"
		f.repair = func() error { return narrow(open) }
	}
	return f
}

// unlock gives the owner of the data directory back the access that a change of modes took away, before the other
// checks need it.
func unlock(dir home.Dir) (done []finding) {
	open := func(path string) {
		if openToOwner(path) == nil && safefile.Writable(path) == nil {
			done = append(done, finding{Check: "files", State: stateOK, Detail: "fixed: you could not read or write " + path})
		}
	}
	if errors.Is(safefile.Writable(string(dir)), fs.ErrPermission) {
		open(string(dir))
	}
	tried := map[string]bool{}
	for again := true; again; { // a directory that was opened shows what is closed in it
		again = false
		for _, path := range dir.Closed() {
			if !tried[path] {
				open(path)
				tried[path], again = true, true
			}
		}
	}
	return done
}

// openToOwner lets this user read and write a file of theirs, and enter a directory.
func openToOwner(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if _, ours := ownedByUs(info); !ours || info.Mode()&fs.ModeSymlink != 0 {
		return fs.ErrPermission
	}
	mode := info.Mode().Perm() | 0o600
	if info.IsDir() {
		mode |= 0o700
	}
	return os.Chmod(path, mode)
}
