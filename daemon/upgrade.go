package daemon

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
)

// ErrReplaced means that the daemon stopped in order to be started again, because the program on disk was replaced or
// the disk has room again.
var ErrReplaced = errors.New("the daemon has to be started again")

const (
	upgradeCheck = 15 * time.Second
	upgradeIdle  = 10 * time.Second // time without an event before the daemon stops
)

// watchProgram stops the daemon when its program was replaced and the user is idle. Hooks spool the events that arrive
// in between.
func (d *Daemon) watchProgram(ctx context.Context) error {
	mine, err := os.Stat(d.o.Program)
	if d.o.Program == "" || err != nil {
		return nil
	}
	told := false
	tick := time.NewTicker(upgradeCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now, err := os.Stat(d.o.Program)
		gone := err != nil // the program was removed, which is no upgrade
		if gone || os.SameFile(mine, now) && now.ModTime().Equal(mine.ModTime()) {
			continue
		}
		if d.o.Now().Sub(d.count.last()) >= upgradeIdle && d.mayRestart(&told) {
			return ErrReplaced
		}
	}
}

// restartable returns the error with which the next start would refuse the settings on the disk.
func (d *Daemon) restartable() error {
	next, err := config.Load(config.Options{Home: string(d.o.Home), Environ: d.o.Env})
	if err != nil {
		return err
	}
	return capture.CheckStart(next.Config, d.o.UserHome)
}

// mayRestart reports whether the next start would accept the settings, and logs once that it would not.
func (d *Daemon) mayRestart(told *bool) bool {
	err := d.restartable()
	if err != nil && !*told {
		d.log.Error("the daemon should restart, and does not: the next start would fail", "error", d.loggable(err))
	}
	*told = err != nil
	return err == nil
}

// postRestart restarts the daemon with the same arguments: in the same process, so that a service manager does not see
// an end; on Windows in a new process.
func (d *Daemon) postRestart(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	if d.o.Program == "" {
		return failure(api.Unavailable, "the daemon cannot restart itself here", "mum restart")
	}
	if err := d.restartable(); err != nil {
		return failure(api.Invalid, "the next start would fail: "+d.loggable(err), "mum config check")
	}
	d.again.Store(true)
	return d.postStop(c)
}

// roomEvery is how often a daemon on a full disk checks for free space, and roomWanted how much is enough to continue.
const (
	roomEvery  = 5 * time.Second
	roomWanted = 1 << 20
)

// awaitRoom stops a read-only daemon once its disk has room: after the restart it opens the database for writing.
func (d *Daemon) awaitRoom(ctx context.Context) error {
	if d.db.Full() == nil {
		return nil
	}
	d.log.Error("the disk is full: search works, but nothing can be stored", "error", d.db.Full())
	tick := time.NewTicker(roomEvery)
	defer tick.Stop()
	probe, told := d.o.Home.Database()+".room", false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		err := os.WriteFile(probe, make([]byte, roomWanted), 0o600)
		_ = os.Remove(probe) // if this fails, the next check removes it
		if err == nil && d.mayRestart(&told) {
			return ErrReplaced
		}
	}
}
