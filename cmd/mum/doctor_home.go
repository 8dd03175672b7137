package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/home"
	"keepmum/safefile"
	"keepmum/spool"
	"keepmum/store"
)

// checkHome checks whether this user can use the data directory at all.
func checkHome(dir home.Dir) finding {
	f := finding{Check: "home", State: stateOK, Detail: string(dir)}
	info, err := os.Stat(string(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return checkRoom(dir)
	case err != nil:
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "look at "+filepath.Dir(string(dir))
		return f
	case !info.IsDir():
		f.State, f.Detail, f.Fix = stateProblem, string(dir)+" is not a directory", "move it away, or set MUM_HOME"
		return f
	}
	if owner, ours := ownedByUs(info); !ours {
		f.State, f.Detail = stateProblem, fmt.Sprintf("%s belongs to user %d, you are %d", dir, owner, os.Geteuid())
		f.Fix = "unset MUM_HOME, or set it to a directory of your own: this one may contain another user's files"
		return f
	}
	switch err := safefile.Writable(string(dir)); {
	case errors.Is(err, syscall.EROFS):
		f.State, f.Detail = stateProblem, string(dir)+": the file system is read-only; "+api.NotWritable
		f.Fix = "remount it for writing (after an error of the disk, the system log says why), or set MUM_HOME"
	case err != nil:
		f.State, f.Detail, f.Fix = stateProblem, fmt.Sprintf("%s cannot be written to: %v", dir, err),
			"mum doctor --fix, or MUM_HOME on a disk that can be written to"
	}
	return f
}

// checkRoom checks whether a missing data directory can be created.
func checkRoom(dir home.Dir) finding {
	parent := existing(string(dir))
	info, err := os.Stat(parent)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	if err == nil {
		err = safefile.Writable(parent)
	}
	if err != nil {
		return finding{Check: "home", State: stateProblem,
			Detail: fmt.Sprintf("%s cannot be made in %s: %v; nothing can be kept", dir, parent, err),
			Fix:    "MUM_HOME=/a/directory/of/yours mum up, for the agents too"}
	}
	return finding{Check: "home", State: stateOK, Detail: string(dir) + " does not exist yet"}
}

// existing returns the innermost part of a path that exists.
func existing(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// configFix returns the fix for a settings file that cannot be read: an editor opens only a file.
func configFix(path string) string {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Sprintf("check it, then: mv '%s' '%s.old'", path, path)
	}
	return "$EDITOR " + path
}

// checkParents looks for a directory above the data directory in which another user may move it away.
func checkParents(dir home.Dir) (finding, bool) {
	real, err := filepath.EvalSymlinks(string(dir))
	if err != nil {
		return finding{}, false // there is nothing to move yet
	}
	for at := filepath.Dir(real); at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			continue
		}
		why := safefile.Owned(info)
		if info.Mode()&fs.ModeSticky != 0 { // there, each moves only what is his own
			why = safefile.Ours(info)
		}
		if why != nil {
			return finding{Check: "files", State: stateWarning,
				Detail: fmt.Sprintf("another user may move %s away: %s: %v", dir, at, why),
				Fix:    "move it to a directory of yours, and set MUM_HOME, for the agents too"}, true
		}
	}
	return finding{}, false
}

func narrow(paths []string) error {
	for _, p := range paths {
		info, err := os.Lstat(p)
		if err == nil {
			err = os.Chmod(p, info.Mode().Perm()&0o700)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) { // nobody can read a file that no longer exists
			return err
		}
	}
	return nil
}

// maxSocket is the length of the longest socket path that every system accepts.
const maxSocket = 103

// checkSocket checks whether the daemon has a socket. Without one, everything goes over the port, which is a little
// slower, and the hook script does not use curl.
func checkSocket(dir home.Dir, c config.Loaded) finding {
	path := c.Daemon.Socket
	if path == "" {
		path = dir.Socket()
	}
	info, err := os.Lstat(path)
	if runtime.GOOS == "windows" && err != nil {
		return finding{Check: "socket", State: stateOK, Detail: "none, the port is used"}
	}
	if err == nil && runtime.GOOS != "windows" && info.Mode()&(fs.ModeSocket|fs.ModeSymlink) == 0 { // a link: see files
		return finding{Check: "socket", State: stateWarning,
			Detail: path + " is not a socket: it is left alone, and the port is used instead, which is slower",
			Fix:    fmt.Sprintf("look at it; if nobody needs it: rm -r '%s', then: mum restart", path)}
	}
	if len(path) <= maxSocket {
		return finding{Check: "socket", State: stateOK, Detail: path}
	}
	return finding{
		Check: "socket", State: stateWarning,
		Detail: fmt.Sprintf("the path has %d bytes, and a unix socket can have %d: the port is used instead, which is slower",
			len(path), maxSocket),
		Fix: `put socket = "/a/shorter/path/mum.sock" into [daemon] of ` + config.File(string(dir)) + ", then mum restart",
	}
}

// checkDatabase checks the file, whoever owns it, and does not change it.
func checkDatabase(ctx context.Context, dir home.Dir) (finding, store.Glance) {
	f := finding{Check: "database", State: stateOK, Detail: dir.Database()}
	if err := safefile.OwnFile(dir.Database()); errors.Is(err, safefile.ErrNotRegular) { // opening a pipe would block
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), fmt.Sprintf("rm -r '%s'", dir.Database())
		return f, store.Glance{}
	}
	past, err := store.Look(ctx, dir.Database())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Detail = "not made yet"
	case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrForeign):
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), api.DamagedNext
		if !owned(dir) {
			f.done = new(string)
			f.Fix, f.repair = "mum doctor --fix   (puts the file aside; nothing is deleted)",
				func() (err error) { *f.done, err = replaceDamaged(ctx, dir); return err }
			if all, err := store.Backups(dir.Backups()); err == nil && len(all) > 0 {
				f.Fix = "mum doctor --fix   (puts the newest good backup in its place; the damaged file is kept next to it)"
			}
		}
	case errors.Is(err, store.ErrNewer):
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "install the newer mum again"
	case err != nil:
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "mum logs"
	case past.Schema < past.Known:
		f.Detail += fmt.Sprintf("; it is of an older version (%d of %d) and is brought up to date at the next start",
			past.Schema, past.Known)
	}
	return f, past
}

// replaceDamaged replaces an unusable database with the newest good backup, or with nothing if there is none. It never
// touches a usable database, which contains what came after the backup. It returns what was done.
func replaceDamaged(ctx context.Context, dir home.Dir) (done string, err error) {
	release, err := alone(dir)
	if err != nil {
		return "", err
	}
	defer release()
	if _, err := store.Look(ctx, dir.Database()); !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrForeign) {
		return "", errors.New("the database can be used now")
	}
	all, err := store.Backups(dir.Backups())
	if err != nil {
		return "", err
	}
	for _, b := range all {
		if back, err := store.ReplaceDamaged(ctx, b, dir.Database()); err == nil {
			return saySetBack(dir, back), nil
		}
	}
	suffix := ".damaged-" + time.Now().UTC().Format("20060102-150405")
	if err := setAside(dir, suffix); err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "the damaged file is kept as " + dir.Database() + suffix + ", there is no backup, and the next start " +
			"begins with an empty database", nil
	}
	return "", hinted(fmt.Errorf("no backup (of %d) can be restored; the damaged file is now %s, and the next start "+
		"begins with an empty database", len(all), dir.Database()+suffix), "mum up")
}

// setAside renames an unusable database and the files that belong to it.
func setAside(dir home.Dir, suffix string) error {
	for _, part := range []string{"", "-wal", "-shm"} {
		err := os.Rename(dir.Database()+part, dir.Database()+suffix+part)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ahead is how far in the future an entry may be. Agents use the clock of this machine, so more than that means that
// the clock was set back.
const ahead = 5 * time.Minute

func checkClock(past store.Glance, now time.Time) finding {
	f := finding{Check: "clock", State: stateOK, Detail: now.UTC().Format(time.DateTime) + " UTC"}
	if early := past.Newest.Sub(now); early > ahead {
		f.State = stateWarning
		f.Detail = fmt.Sprintf("the newest entry is dated %s, %s from now: the clock was set back. Nothing is lost, but "+
			"entries made until then count as older", past.Newest.Format(time.DateTime), early.Round(time.Minute))
		f.Fix = "set the clock, e.g. timedatectl set-ntp true"
	}
	return f
}

// lossShown is how long doctor warns about lost events.
const lossShown = 7 * 24 * time.Hour

func checkSpool(dir home.Dir) finding {
	n, bad := spool.Dir(dir.Spool()).Len(), spool.Dir(dir.Spool()).Bad()
	if err := spool.Dir(dir.Spool()).Usable(); err != nil {
		fix := fmt.Sprintf("mv '%s' '%s.old'", dir.Spool(), dir.Spool())
		if errors.Is(err, fs.ErrPermission) {
			fix = fmt.Sprintf("chmod u+rwx '%s'", dir.Spool())
		}
		return finding{Check: "spool", State: stateProblem,
			Detail: fmt.Sprintf("%v; events that come while no daemon answers are lost", err), Fix: fix}
	}
	if lost, last := spool.Dir(dir.Spool()).Drops(); lost > 0 && time.Since(last) < lossShown {
		return finding{Check: "spool", State: stateWarning,
			Detail: fmt.Sprintf("%s lost, the last one %s: incomplete, too late or too large, or no daemon answered "+
				"and they were malformed, or there was no time or space to keep them",
				plural(lost, "event was", "events were"), ago(last)),
			Fix: "mum up; mum logs"}
	}
	if bad > 0 {
		return finding{Check: "spool", State: stateWarning,
			Detail: count(bad, "event") + " could not be stored; the reason is next to each",
			Fix:    "cat " + filepath.Join(dir.Spool(), "*.why")}
	}
	if n == 0 {
		return finding{Check: "spool", State: stateOK, Detail: "empty"}
	}
	return finding{Check: "spool", State: stateWarning,
		Detail: count(n, "cleaned event") + " waiting for the daemon", Fix: "mum up"}
}

// heard returns the time of the last event of each agent: from the running daemon, which also knows about events that
// it did not store, or from the store.
func heard(past store.Glance, s *api.Status) map[string]time.Time {
	out := map[string]time.Time{}
	for agent, at := range past.Agents {
		out[agent] = at
	}
	if s != nil {
		for agent, at := range s.Capture.LastEvent {
			if at.After(out[agent]) {
				out[agent] = at
			}
		}
	}
	return out
}
