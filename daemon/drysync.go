package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/home"
	"keepmum/safefile"
)

// DrySync reports what sync would do while no daemon runs. It changes nothing: it works on a copy of the data directory
// and removes the copy at the end. If there is no data directory, none is created. The keys are not copied. If a run is
// killed, the next one removes its copy.
func DrySync(ctx context.Context, o Options, in api.SyncRequest,
	progress func(api.RunEvent)) (out *api.Synced, err error) {
	keys, err := dryKeys(o.Home)
	if err != nil {
		return nil, err
	}
	dir, lock, err := dryDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir), lock.Close(), os.Remove(lock.Path())) }()
	if err := copyHome(o.Home, dir); err != nil {
		return nil, fmt.Errorf("copy %s: %w", o.Home, err)
	}
	o.Home = home.Dir(dir)
	d := New(o)
	if err := d.open(ctx, keys); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.db.Close()) }()
	in.DryRun = true
	options, err := d.syncOptions(in)
	if err != nil {
		return nil, err
	}
	options.Progress = func(p distill.Progress) {
		progress(api.RunEvent{Phase: p.Phase, Done: p.Done, Total: p.Total, Bytes: p.Bytes, Size: p.Size})
	}
	w := d.world()
	w.Extract = d.extractAlone
	rep, err := distill.Sync(ctx, w, options)
	if errors.Is(err, distill.ErrNoSession) {
		err = failure(api.NotFound, err.Error(), "mum queue lists the known ones")
	}
	return synced(rep), err
}

// dryKeys returns the keys of a data directory; if there is none, it returns random keys that are not stored.
func dryKeys(dir home.Dir) (home.Keys, error) {
	key, err := home.TagKey(dir)
	if err == nil && key == nil {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // documented never to fail
	}
	return home.Keys{HMAC: key}, err
}

// dryPrefix is the prefix of the names of the copies and their locks.
const dryPrefix = "mum-dry-run-"

// dryDir creates a directory for a copy, with a lock next to it that the system releases when the process ends. It also
// removes the copies of dead processes.
func dryDir() (string, *flock.Flock, error) {
	if err := removeCopies(); err != nil {
		return "", nil, err
	}
	file, err := os.CreateTemp("", dryPrefix+"*.lock")
	if err != nil {
		return "", nil, err
	}
	lock := flock.New(file.Name())
	if err := errors.Join(file.Close(), lock.Lock()); err != nil {
		return "", nil, err
	}
	dir := strings.TrimSuffix(file.Name(), ".lock")
	return dir, lock, os.Mkdir(dir, 0o700)
}

// removeCopies removes the copies of runs that were killed.
func removeCopies() error {
	left, err := safefile.Glob(os.TempDir(), dryPrefix+"*.lock")
	for _, path := range left {
		err = errors.Join(err, removeDead(path))
	}
	return err
}

// removeDead removes a copy whose lock nobody holds. It leaves copies of other users.
func removeDead(path string) error {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || !free {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(strings.TrimSuffix(path, ".lock")), lock.Close(), os.Remove(path))
}

// copyHome copies what a run reads, without the keys.
func copyHome(from home.Dir, to string) error {
	skip := []string{from.Backups(), from.Spool(), from.Logs(), from.Runs()}
	err := filepath.WalkDir(string(from), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains(skip, path):
			return fs.SkipDir
		case isKey(from, path):
			return nil
		}
		rel, err := filepath.Rel(string(from), path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(target, 0o700)
		case !e.Type().IsRegular(): // such as the socket
			return nil
		}
		return copyFile(path, target)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is no data directory yet, or one of its files was removed meanwhile
	}
	return err
}

// isKey reports whether a file in a data directory is a current or older key.
func isKey(dir home.Dir, path string) bool {
	return path == dir.Token() || path == dir.CurlHeader() || strings.HasPrefix(path, dir.HMACKey())
}

func copyFile(from, to string) error {
	in, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
