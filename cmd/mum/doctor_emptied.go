package main

import (
	"context"
	"path/filepath"
	"time"

	"keepmum/api"
	"keepmum/home"
	"keepmum/spool"
	"keepmum/store"
)

// checkEmptied reports a database that was created in place of a lost one.
func checkEmptied(ctx context.Context, dir home.Dir) (finding, bool) {
	lost, err := store.Emptied(ctx, dir.Database(), dir.Backups())
	if err != nil || lost == (store.Lost{}) {
		return finding{}, false // another check reports what is wrong with the file
	}
	problem, fix := api.WasEmptied(lost.Copy, lost.Entries)
	return finding{Check: "emptied", State: stateProblem, Detail: problem,
		Fix: fix + "   (to continue with the new one: mum doctor --accept-new)"}, true
}

// runAcceptNew continues with a database that was created in place of a lost one.
func (a *app) runAcceptNew(ctx context.Context) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	if _, ok := checkEmptied(ctx, dir); !ok {
		a.printf("the database is not in place of a lost one\n")
		return nil
	}
	if err := store.AcceptEmptied(ctx, dir.Database()); err != nil {
		return err
	}
	a.printf("mum continues with the new database; new backups replace the old ones in time\n")
	return nil
}

// checkLost reports entries that are gone since the user last settled it.
func checkLost(ctx context.Context, dir home.Dir) (all []finding) {
	if f, ok := checkSetBack(ctx, dir); ok {
		all = append(all, f)
	}
	if f, ok := checkLog(ctx, dir); ok {
		all = append(all, f)
	}
	return all
}

// checkCopies reports what has the name of a backup and cannot be restored.
func checkCopies(dir home.Dir) (all []finding) {
	paths, _ := store.NoBackups(dir.Backups())
	for _, path := range paths {
		all = append(all, finding{Check: "backups", State: stateWarning,
			Detail: path + " is not a regular file, so it is not a backup; it is skipped",
			Fix:    "check it, then: rm -r '" + path + "'"})
	}
	return all
}

// checkSetBack reports a backup that took the place of a damaged database.
func checkSetBack(ctx context.Context, dir home.Dir) (finding, bool) {
	b, err := store.ReadSetBack(ctx, dir.Database())
	if err != nil || b == (store.SetBack{}) {
		return finding{}, false // another check reports what is wrong with the file
	}
	return finding{
		Check:  "set back",
		State:  stateProblem,
		Detail: saySetBack(dir, b),
		Fix:    "mum sync reads the agents' own files again; then: mum doctor --fix   (settles it)",
		repair: func() error { return store.AcceptSetBack(ctx, dir.Database()) },
	}, true
}

// checkWithheld reports events that arrived without their text.
func checkWithheld(dir home.Dir) []finding {
	n, last := spool.Dir(dir.Spool()).Withheld()
	if n == 0 || time.Since(last) >= lossShown {
		return nil
	}
	return []finding{{Check: "withheld", State: stateWarning, Detail: withoutText(n, last)}}
}

func saySetBack(dir home.Dir, b store.SetBack) string {
	aside := dir.Database() + ".replaced…" // a process that ended meanwhile did not write which
	if b.Aside != "" {
		aside = filepath.Join(string(dir), b.Aside)
	}
	return api.WasSetBack(b.Backup, b.Made, b.Gone, aside)
}

// checkLog reports acknowledged events that were lost with a damaged write-ahead log.
func checkLog(ctx context.Context, dir home.Dir) (finding, bool) {
	n, err := store.LostLog(ctx, dir.Database())
	if err != nil || n == 0 {
		return finding{}, false // another check reports what is wrong with the file
	}
	fix := "check the disk; "
	if backup, err := store.GoodBackup(ctx, dir.Backups()); err == nil && backup != "" {
		fix += "mum down && mum restore '" + backup + "' --yes && mum up brings back what the backup has; "
	}
	return finding{
		Check:  "log",
		State:  stateProblem,
		Detail: api.LogDamaged + ": " + plural(n, "entry", "entries") + " at least",
		Fix:    fix + "mum sync reads the agents' own files again; then: mum doctor --fix   (settles it)",
		repair: func() error { return store.AcceptLostLog(ctx, dir.Database()) },
	}, true
}
