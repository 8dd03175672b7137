package daemon

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/config"
)

// ErrReplaced says that the program on disk is another one now, or that the disk
// has room again, and that the daemon stopped to be run again.
var ErrReplaced = errors.New("the daemon has to be started again")

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

// postRestart ends the daemon so that it starts again as it was started: in the same process,
// so that a service manager sees no end, on Windows in a new one.
func (d *Daemon) postRestart(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	if d.o.Program == "" {
		return failure(api.Unavailable, "the daemon cannot start itself again here", "mum restart")
	}
	if _, err := config.Load(config.Options{Home: string(d.o.Home), Environ: d.o.Env}); err != nil {
		return failure(api.Invalid, "the next start would fail: "+d.loggable(err), "mum config check")
	}
	d.again.Store(true)
	return d.postStop(c)
}

// roomEvery is how often a daemon that found no room looks for some, and roomWanted
// how much is enough to continue.
const (
	roomEvery  = 5 * time.Second
	roomWanted = 1 << 20
)

// awaitRoom ends a daemon that could only read once its disk has room: it starts
// again, and opens the database for writing.
func (d *Daemon) awaitRoom(ctx context.Context) error {
	if d.db.Full() == nil {
		return nil
	}
	d.log.Error("the disk is full: what is there can be searched, nothing can be stored", "error", d.db.Full())
	tick := time.NewTicker(roomEvery)
	defer tick.Stop()
	probe := d.o.Home.Database() + ".room"
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		err := os.WriteFile(probe, make([]byte, roomWanted), 0o600)
		_ = os.Remove(probe) // the next look finds it, too
		if err == nil {
			return ErrReplaced
		}
	}
}
