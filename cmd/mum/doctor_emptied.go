package main

import (
	"context"

	"keepmum/api"
	"keepmum/home"
	"keepmum/store"
)

// checkEmptied tells of a database that was made in place of one that got lost.
func checkEmptied(ctx context.Context, dir home.Dir) (finding, bool) {
	lost, err := store.Emptied(ctx, dir.Database(), dir.Backups())
	if err != nil || lost == "" {
		return finding{}, false // what is wrong with the file, another check says
	}
	return finding{Check: "emptied", State: stateProblem, Detail: api.DatabaseEmptied,
		Fix:  "mum down && mum restore '" + lost + "' --yes   (to continue with the new one: mum doctor --fix)",
		mend: func() error { return store.AcceptEmptied(ctx, dir.Database()) }}, true
}

// checkLog tells of acknowledged events that a damaged write-ahead log took.
func checkLog(ctx context.Context, dir home.Dir) (finding, bool) {
	n, err := store.LostLog(ctx, dir.Database())
	if err != nil || n == 0 {
		return finding{}, false // what is wrong with the file, another check says
	}
	return finding{
		Check:  "log",
		State:  stateProblem,
		Detail: api.LogDamaged + ": " + plural(n, "entry", "entries") + " at least",
		Fix: "look at the disk; mum sync reads again what the agents' own files have; " +
			"then: mum doctor --fix   (settles it)",
		mend: func() error { return store.AcceptLostLog(ctx, dir.Database()) },
	}, true
}
