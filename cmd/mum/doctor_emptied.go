package main

import (
	"context"

	"keepmum/api"
	"keepmum/home"
	"keepmum/store"
)

// checkEmptied tells of a database that was made in the place of one that got lost.
func checkEmptied(ctx context.Context, dir home.Dir) (finding, bool) {
	lost, err := store.Emptied(ctx, dir.Database(), dir.Backups())
	if err != nil || lost == "" {
		return finding{}, false // what is wrong with the file, another check says
	}
	return finding{Check: "emptied", State: stateProblem, Detail: api.DatabaseEmptied,
		Fix:  "mum down && mum restore '" + lost + "' --yes   (to go on with the new one: mum doctor --fix)",
		mend: func() error { return store.AcceptEmptied(ctx, dir.Database()) }}, true
}
