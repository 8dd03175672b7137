package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"keepmum/store"
)

// carryOver takes in what came between the loss of a database and its restore: the restore moved the database of that
// time aside. The mark in it is removed after the last entry is stored, so the next start repeats what was interrupted;
// nothing is added twice.
func (d *Daemon) carryOver(ctx context.Context) {
	paths, err := d.setAside()
	if err != nil {
		d.notCarried(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if !strings.HasPrefix(name, "memory.db.replaced") || strings.Contains(name, "-") { // its log is not a database
			continue
		}
		if err := d.carry(ctx, path); err != nil && ctx.Err() == nil {
			d.notCarried(fmt.Errorf("%s: %w", path, err))
		}
	}
}

func (d *Daemon) notCarried(err error) {
	d.log.Warn("entries of a database that a restore set aside could not be taken in", "error", err)
	d.uncarried.Store(&err)
}

// carry takes in the entries of one database, if it was the one in place of a lost one.
func (d *Daemon) carry(ctx context.Context, path string) error {
	_, interim, err := store.Interim(ctx, path)
	if errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) {
		d.log.Warn("the database that a restore set aside is damaged; it stays where it is", "file", path, "error", err)
		return nil // it was restored because of that: there is nothing to wait for
	}
	if err != nil || !interim {
		return err
	}
	in := d.newImporter()
	if err := store.ReadOwn(ctx, path, func(r store.Record) error { return in.take(ctx, r) }); err != nil {
		return err
	}
	d.log.Info("took in what came before the restore", "documents", in.out.Documents, "already there", in.out.Duplicates,
		"forgotten", in.out.Forgotten, "not taken", in.out.Skipped)
	return store.AcceptEmptied(ctx, path)
}
