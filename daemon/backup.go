package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/hooks/connect"
	"keepmum/memory"
	"keepmum/store"
)

const (
	tidyEvery   = time.Hour
	mergeEvery  = 5 * time.Minute // between two checks whether the daemon is idle enough to merge the index
	firstBackup = 5 * time.Minute // between two checks whether there is data to back up, until the first backup
	backupEvery = 24 * time.Hour
	clockSlack  = 5 * time.Minute // allowed difference between two clock readings
)

func wrongSelection(err error) error {
	if errors.Is(err, store.ErrInvalid) {
		return failure(api.Invalid, strings.TrimPrefix(err.Error(), store.ErrInvalid.Error()+": "), "mum forget --help")
	}
	return err
}

func (d *Daemon) postBackup(c echo.Context) error {
	unhurried(c)
	b, err := d.backup(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, b)
}

// backup copies the database and the memory files. A second one waits: each removes what an interrupted one left.
func (d *Daemon) backup(ctx context.Context) (api.Backup, error) {
	d.copying.Lock()
	defer d.copying.Unlock()
	return d.backupAlone(ctx)
}

// backupAlone is [Daemon.backup] for a caller that holds d.copying.
func (d *Daemon) backupAlone(ctx context.Context) (api.Backup, error) {
	b, err := d.db.Backup(ctx, d.o.Home.Backups(), d.o.Config.Store.Backups)
	if err != nil {
		return api.Backup{}, err
	}
	out := api.Backup{Path: b.Path, Bytes: b.Bytes, Documents: b.Docs}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return out, err
	}
	var trees []memory.Backup
	for _, r := range roots {
		t, err := d.openTree(r)
		if errors.Is(err, errNoTree) {
			continue
		}
		if err != nil {
			return out, err
		}
		trees = append(trees,
			memory.Backup{Tree: t.Tree, Name: fmt.Sprintf("%s-%d", r.Kind, r.ID), Dir: filepath.ToSlash(r.Path)})
	}
	copied, err := memory.WriteBackup(store.Beside(b.Path), trees, d.o.Now())
	out.MemoryFiles, out.Left = copied.Files, copied.Left
	if err == nil && out.MemoryFiles > 0 {
		out.Files = store.Beside(b.Path)
	}
	return out, err
}

// tidy maintains the database as long as the daemon runs. It completes what a stop interrupted and scrubs after an
// upgrade. Then it makes daily backups, as long as the database passes its check, and removes old ones.
func (d *Daemon) tidy(ctx context.Context) error {
	if _, err := d.finishForget(ctx); err != nil {
		d.log.Warn("a pending forget is not finished", "error", err)
	}
	if err := connect.DropCopies(string(d.o.Home)); err != nil {
		d.log.Warn("copies of the agents' files from an older version could not be removed", "error", err)
	}
	d.scrubAfterUpgrade(ctx)
	d.free() // a start leaves some megabytes of garbage, and it may be long until the next collection
	merge := time.NewTicker(mergeEvery)
	defer merge.Stop()
	tidy := time.NewTimer(d.tidyPause())
	defer tidy.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-merge.C:
			d.mergeIndex(ctx)
		case <-tidy.C:
			d.tidyOnce(ctx)
			tidy.Reset(d.tidyPause())
		}
	}
}

func (d *Daemon) tidyPause() time.Duration {
	if all, err := store.Backups(d.o.Home.Backups()); err == nil && len(all) == 0 {
		return firstBackup
	}
	return tidyEvery
}

// inspectFirst checks the database after a start. For a large database it waits until the user is idle, because the
// check uses a processor for as long as it takes to read the file; but it waits only a few minutes.
func (d *Daemon) inspectFirst(ctx context.Context) {
	if ctx.Err() == nil && d.db.Rebuilding() { // at once, because results are missing
		found := indexRebuilding
		d.integrity.Store(&found)
		err := d.db.Rebuild(ctx, nil)
		d.log.Info("rebuilt the index", "error", err)
	}
	const large = 256 << 20 // bytes
	if st, err := os.Stat(d.o.Home.Database()); err == nil && st.Size() > large {
		d.awaitQuiet(ctx, 10*time.Minute)
	}
	if ctx.Err() == nil {
		d.inspect(ctx)
		d.mergeIndex(ctx)
	}
	if err := d.db.VerifyPages(ctx); err != nil && ctx.Err() == nil {
		d.log.Warn("searches are slower than they could be", "error", err)
	}
	d.rest(ctx)
}

// indexRebuilding is the status until a rebuild of the index, which an upgrade or a repair began, has finished.
const indexRebuilding = "the index is being rebuilt; until then some results are missing"

// damagedIndex is the start of the status if only the index is damaged; the index can be rebuilt from the documents.
const damagedIndex = "damaged: the index cannot be used as it is"

// awaitQuiet waits until the user has been idle for a while, or until patience ends.
func (d *Daemon) awaitQuiet(ctx context.Context, patience time.Duration) {
	idle := time.Duration(d.o.Config.Compress.Idle)
	began := d.o.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := d.o.Now()
			if since := now.Sub(began); since > patience || since > idle && !d.runs.busy(now, idle) {
				return
			}
		}
	}
}

// inspect checks the whole database, remembers the result, and reports whether nothing is damaged. The time grows with
// the size of the file, so nothing waits for it.
func (d *Daemon) inspect(ctx context.Context) bool {
	report, err := d.db.Check(ctx, false)
	if ctx.Err() != nil {
		return false
	}
	found := "ok"
	if d.db.Rebuilding() {
		found = indexRebuilding
	}
	sound := false
	switch {
	case err != nil:
		found = "could not be checked: " + d.wireError(err).Message
	case report.Integrity != "ok":
		found = "damaged: " + report.Integrity
	case report.Index():
		found = fmt.Sprintf("%s; it lacks %d documents and has %d that no longer exist", damagedIndex, report.Missing,
			report.Orphans)
	case !report.OK():
		found = fmt.Sprintf("damaged: the index lacks %d documents and has %d that no longer exist; row %d of the ledger "+
			"does not match", report.Missing, report.Orphans, report.Ledger)
	default:
		sound = true
	}
	d.integrity.Store(&found)
	if !sound {
		d.log.Error("the database did not pass its check", "found", found, "error", err)
	}
	return sound
}

// inspected returns the result of the last check, "" before the first one.
func (d *Daemon) inspected() string {
	if found := d.integrity.Load(); found != nil {
		return *found
	}
	return ""
}

// mergeIndex merges the index while the user is idle. It skips an index that was not checked or is damaged: a merge
// would drop what it cannot read, and the result would pass the next check.
func (d *Daemon) mergeIndex(ctx context.Context) {
	if d.inspected() != "ok" {
		return
	}
	idle := time.Duration(d.o.Config.Compress.Idle)
	steps, err := d.db.MergeWhile(ctx, func() bool { return !d.runs.busy(d.o.Now(), idle) })
	if err != nil && ctx.Err() == nil {
		d.log.Warn("the index could not be merged", "error", err)
	}
	d.log.Debug("merged the index", "steps", steps)
}

func (d *Daemon) tidyOnce(ctx context.Context) {
	if err := d.db.NoteSize(ctx); err != nil && ctx.Err() == nil {
		d.log.Warn("the size of the database was not recorded", "error", err)
	}
	if d.backupDue(ctx) {
		if !d.inspect(ctx) { // a backup of a damaged database would displace a good one
			return
		}
		b, err := d.backup(ctx)
		d.unsaved.Store(nil)
		if err != nil && ctx.Err() == nil {
			d.unsaved.Store(&err)
		}
		d.log.Info("backup", "path", b.Path, "documents", b.Documents, "memory_files", b.MemoryFiles, "left", b.Left, "error",
			err)
	}
	if days := d.o.Config.Store.RawDays; days > 0 {
		n, err := d.db.DropRaw(ctx, d.o.Now().AddDate(0, 0, -days))
		if n > 0 || err != nil {
			d.log.Info("dropped old inputs and outputs", "observations", n, "error", err)
		}
	}
}

// backupDue reports whether the newest backup is a day old, or whether there is data but no backup.
func (d *Daemon) backupDue(ctx context.Context) bool {
	all, err := store.Backups(d.o.Home.Backups())
	if err != nil {
		return false
	}
	if len(all) == 0 {
		s, err := d.db.Stats(ctx)
		return err == nil && s.Prompts+s.Answers+s.Observations+s.Memories > 0
	}
	st, err := os.Stat(all[0])
	if err != nil {
		return false
	}
	age := d.o.Now().Sub(st.ModTime())
	return age >= backupEvery || age < -clockSlack // a backup from the future was made while the clock was wrong
}
