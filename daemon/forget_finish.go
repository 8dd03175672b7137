package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/store"
)

// beginForget notes that something is being forgotten: if the daemon ends before the lists and the backups are written
// again, the next start does that.
func (d *Daemon) beginForget() {
	if err := atomicfile.Write(d.o.Home.Forgetting(), nil, 0o600); err != nil { // on a full disk: forget all the same
		d.log.Warn("an interruption of this forget would not be noticed", "error", err)
	}
}

func (d *Daemon) endForget() error {
	if err := os.Remove(d.o.Home.Forgetting()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// finishForget completes what was interrupted: entries that are still there, and the lists, logs and backups that still
// contain what was removed. It reports whether there was anything to complete.
func (d *Daemon) finishForget(ctx context.Context) (unfinished bool, err error) {
	d.forgetting.Lock() // what is being forgotten now is not interrupted
	defer d.forgetting.Unlock()
	return d.finishInterrupted(ctx)
}

func (d *Daemon) finishInterrupted(ctx context.Context) (unfinished bool, err error) {
	removed, err := d.db.ResumeForget(ctx)
	if err != nil {
		return true, err
	}
	if _, err := os.Lstat(d.o.Home.Forgetting()); err != nil && removed == 0 {
		return false, nil //nolint:nilerr // nothing was interrupted
	}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return true, err
	}
	for _, r := range roots {
		if err := d.written(ctx, r); err != nil && !errors.Is(err, errNoTree) {
			return true, err
		}
	}
	if _, err := d.replaceBackups(ctx); err != nil {
		return true, err
	}
	if err := d.db.Compact(ctx); err != nil {
		return true, err
	}
	if err := d.db.Checkpoint(ctx); err != nil {
		return true, err
	}
	return true, d.endForget()
}

// replaceBackups replaces the backups that contain what must go with one new backup. It makes that one first: if it
// cannot be made, the others are all there is.
func (d *Daemon) replaceBackups(ctx context.Context) (n int, err error) {
	d.copying.Lock()
	defer d.copying.Unlock()
	dir := d.o.Home.Backups()
	old, err := store.Backups(dir)
	if err != nil {
		return 0, err
	}
	made := api.Backup{}
	if len(old) > 0 {
		if made, err = d.backupAlone(ctx); err != nil {
			d.log.Error("the backups still contain what was removed, and no new one can be made", "error", err)
			e := d.wireError(err)
			return 0, failure(e.Code, "it was removed, but not from the backups in "+dir+", because no new one can be made: "+
				e.Message, e.Hint+"; then: mum backup, and remove the older files")
		}
	}
	_, err = store.RemoveBackups(dir, made.Path)
	return len(old), err
}
