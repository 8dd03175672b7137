package home

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"keepmum/safefile"
)

// Foreign lists files in the data directory that may belong to someone else. A directory that was open to others for a
// while can contain a token that they know, or a link in place of a file that we write. Such files are not used, and
// neither is a pipe in place of a file.
func (d Dir) Foreign() (found []*safefile.Foreign) {
	add := func(err error) {
		var f *safefile.Foreign
		if errors.As(err, &f) {
			found = append(found, f)
		}
	}
	for _, path := range d.files() {
		add(safefile.OwnFile(path))
	}
	for _, path := range []string{d.Socket(), d.Spool(), d.Backups()} {
		add(safefile.Own(path))
	}
	for _, path := range []string{d.Logs(), d.Runs(), d.Git()} {
		add(safefile.OwnDir(path))
	}
	for _, path := range []string{d.Memory(), d.Projects()} {
		add(safefile.OwnLinkedDir(path))
	}
	return found
}

// Misplaced lists what is in the place of something that a daemon can start without, but that protects what is stored:
// the backups, and the file that shows whether the log of the database is whole.
func (d Dir) Misplaced() (found []*safefile.Foreign) {
	var f *safefile.Foreign
	if errors.As(safefile.OwnDir(d.Backups()), &f) && f.Useless() { // else it is [Dir.Foreign]
		found = append(found, f)
	}
	if errors.As(safefile.OwnFile(d.Latest()), &f) {
		found = append(found, f)
	}
	return found
}

func (d Dir) files() []string {
	return []string{
		d.Token(), d.CurlHeader(), d.HMACKey(), d.Port(), d.Lock(), d.StartLock(), d.Log(), d.StartLog(),
		d.Database(), d.Database() + "-wal", d.Database() + "-shm", d.Verdicts(), d.Review(),
		d.Private(), d.Reserve(), d.Pause(), d.Dropped(), d.Withheld(), d.Forgetting(),
	}
}

// Closed lists files in the data directory that this user may not read or write, outermost first: what is in a closed
// directory is not known.
func (d Dir) Closed() (paths []string) {
	for _, path := range slices.Concat(d.files(), []string{d.Spool(), d.Logs(), d.Backups()}, d.memoryDirs()) {
		if err := safefile.Writable(path); errors.Is(err, fs.ErrPermission) {
			paths = append(paths, path)
		}
	}
	return paths
}

// memoryDirs returns the directories that the memories of this installation are in. A link is not followed: only the
// directory that it leads to is one.
func (d Dir) memoryDirs() (dirs []string) {
	for _, top := range []string{d.Memory(), d.Projects()} {
		_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir // it is missing, or it was listed already
			case e.IsDir() || path == top:
				dirs = append(dirs, path)
			}
			return nil
		})
	}
	return dirs
}
