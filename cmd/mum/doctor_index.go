package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"keepmum/api"
	"keepmum/config"
	"keepmum/home"
	"keepmum/store"
)

// checkIndex reports what a running daemon found out about the index.
func (a *app) checkIndex(ctx context.Context, dir home.Dir, c config.Loaded, s *api.Status) (finding, bool) {
	if s != nil && s.Integrity == "" {
		return finding{Check: "index", State: stateOK,
			Detail: "not checked yet: the daemon reads a large database while you are idle"}, true
	}
	if s == nil || !strings.HasPrefix(s.Integrity, "damaged: the index") {
		return finding{}, false
	}
	f := finding{Check: "index", State: stateProblem, Detail: s.Integrity,
		Fix: "mum doctor --fix   (rebuilds it from the documents; you can stop it and continue later)"}
	f.repair = func() error { return a.rebuildIndex(ctx, dir, c) }
	return f, true
}

// rebuildIndex stops the daemon, rebuilds the index, and starts the daemon again.
func (a *app) rebuildIndex(ctx context.Context, dir home.Dir, c config.Loaded) error {
	if err := a.startable(c); err != nil {
		return err
	}
	if _, err := bringDown(ctx, dir, c); err != nil {
		return err
	}
	if err := a.rebuildAlone(ctx, dir); err != nil {
		return err
	}
	_, err := bringUp(ctx, dir, c)
	return err
}

func (a *app) rebuildAlone(ctx context.Context, dir home.Dir) (err error) {
	release, err := alone(dir)
	if err != nil {
		return err
	}
	defer release()
	key, err := home.TagKey(dir)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, store.Options{Path: dir.Database(), Key: key})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	bar := a.newBar(false)
	defer bar.clear()
	if err := db.Rebuild(ctx,
		func(done, all int) { bar.show(api.RunEvent{Phase: "index", Done: done, Total: all}) }); err != nil {
		return fmt.Errorf("%w; mum doctor --fix again, or mum up, continues it", err)
	}
	return nil
}
