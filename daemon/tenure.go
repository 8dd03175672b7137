package daemon

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"keepmum/home"
)

// errGone means that another directory, or nothing, is in the place of the data directory.
var errGone = errors.New("the data directory was moved, removed or replaced")

// tenure is what makes a data directory this daemon's: the directory itself, and the lock in it.
type tenure struct {
	dir  home.Dir
	info fs.FileInfo // of the directory; nil = unknown
	lock *flock.Flock
}

// occupy takes the lock of the data directory.
func occupy(ctx context.Context, dir home.Dir) (*tenure, error) {
	lock, err := own(ctx, dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(string(dir))
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &tenure{dir: dir, info: info, lock: lock}, nil
}

// end gives the lock back.
func (t *tenure) end() { _ = t.lock.Unlock() }

// check returns [errGone] or [ErrRunning] if the directory is no longer this daemon's. A lock file that was removed or
// replaced is taken again unless another process holds the new one.
func (t *tenure) check(ctx context.Context) error {
	if t.gone() {
		return errGone
	}
	held, err1 := t.lock.Stat()
	there, err2 := os.Stat(t.dir.Lock())
	if errors.Join(err1, err2) == nil && os.SameFile(held, there) {
		return nil
	}
	lock, err := own(ctx, t.dir)
	if err != nil {
		return err
	}
	if t.gone() { // the lock may be in another directory
		return errors.Join(errGone, lock.Unlock())
	}
	t.end()
	t.lock = lock
	return t.dir.SignLock()
}

func (t *tenure) gone() bool {
	now, err := os.Stat(string(t.dir))
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(t.info, now)
}

// stayEvery is how often the daemon checks that its directory is still its own and clients still find it.
const stayEvery = 2 * time.Second

// stay keeps the daemon reachable until ctx ends: it listens again if someone removed its socket or port file, and
// stops if the data directory is no longer its own, because a daemon there may be someone else's.
func (d *Daemon) stay(ctx context.Context, group *errgroup.Group, serve func(net.Listener) error) error {
	tick := time.NewTicker(stayEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		err := d.tenure.check(ctx)
		// a starting daemon holds the new lock until it sees that this one still answers
		if errors.Is(err, errGone) || errors.Is(err, ErrRunning) && !d.endpoints.found(d.o.Home) {
			d.log.Error("stopping: another daemon may own the directory now", "reason", d.loggable(err))
			d.stop()
			return nil
		}
		if err != nil {
			continue
		}
		if l := d.endpoints.heal(d.o.Home, d.log); l != nil {
			group.Go(func() error { return ignoreClosed(serve(l)) })
		}
	}
}
