package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/home"
	"keepmum/safefile"
)

// DrySync says what sync would do where no daemon runs, and writes nothing: it works
// on a copy of the data directory, which it removes. None is made where there is none.
func DrySync(ctx context.Context, o Options, in api.SyncRequest, progress func(api.RunEvent)) (out *api.Synced, err error) {
	dir, err := os.MkdirTemp("", "mum-dry-run-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyHome(o.Home, dir); err != nil {
		return nil, fmt.Errorf("copy %s: %w", o.Home, err)
	}
	o.Home = home.Dir(dir)
	d := New(o)
	keys, err := home.Prepare(o.Home)
	if err != nil {
		return nil, err
	}
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
		err = failure(api.NotFound, err.Error(), "mum queue lists those that are known")
	}
	return synced(rep), err
}

// copyHome copies what a run looks at.
func copyHome(from home.Dir, to string) error {
	skip := []string{from.Backups(), from.Spool(), from.Logs(), from.Runs()}
	err := filepath.WalkDir(string(from), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains(skip, path):
			return fs.SkipDir
		}
		rel, err := filepath.Rel(string(from), path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(target, 0o700)
		case !e.Type().IsRegular(): // the socket
			return nil
		}
		return copyFile(path, target)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is no data directory yet, or a file of it went meanwhile
	}
	return err
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
