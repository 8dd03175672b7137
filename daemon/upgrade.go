package daemon

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrReplaced says that the program on disk is another one now, and that the
// daemon stopped, idle, to make room for it: run it again.
var ErrReplaced = errors.New("the program was replaced by another version")

const (
	upgradeCheck = 15 * time.Second
	upgradeIdle  = 10 * time.Second // without an event
)

// watchProgram stops the daemon when its program was replaced and nobody is at
// work. Events that arrive in between are spooled by their hooks.
func (d *Daemon) watchProgram(ctx context.Context) error {
	mine, err := os.Stat(d.o.Program)
	if d.o.Program == "" || err != nil {
		return nil
	}
	tick := time.NewTicker(upgradeCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now, err := os.Stat(d.o.Program)
		gone := err != nil // removed: that is not an upgrade
		if gone || os.SameFile(mine, now) && now.ModTime().Equal(mine.ModTime()) {
			continue
		}
		if d.o.Now().Sub(d.count.last()) >= upgradeIdle {
			return ErrReplaced
		}
	}
}
