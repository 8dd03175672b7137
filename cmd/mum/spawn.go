package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
	"keepmum/safefile"
)

// startPause is how long one start keeps others from being tried: twenty hooks
// that find no daemon must not make twenty processes.
const startPause = 2 * time.Second

// spawn starts a daemon that outlives this process, and does not wait for it.
// Of several callers at once, one does it and is told so.
func spawn(dir home.Dir) (mine bool, err error) {
	if foreign := dir.Foreign(); len(foreign) > 0 {
		return false, foreign[0]
	}
	start, err := home.FileLock(dir.StartLock())
	if err != nil {
		return false, err
	}
	if ok, err := start.TryLock(); err != nil || !ok {
		return false, err // somebody else is at it
	}
	defer func() { _ = start.Unlock() }()
	if recentlyStarted(dir) || owned(dir) {
		return false, nil
	}
	mark := rand.Text()
	switch err := safefile.WriteOwn(dir.StartLock(), []byte(mark), os.O_TRUNC); { // its time is the time of the start
	case errors.Is(err, syscall.ENOSPC):
		mark = "" // on a full disk what is there can still be searched
	case err != nil:
		return false, fmt.Errorf("mark the start: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return false, fmt.Errorf("find the mum program: %w", err)
	}
	return true, detach(self, mark, dir)
}

// startFlag hands a daemon the mark of its start.
const startFlag = "--start="

// stillWanted reports whether the start with a mark is the last one, and nobody
// stopped the daemon since: on a busy machine a process may begin long after.
func stillWanted(dir home.Dir, mark string) bool {
	if mark == "" {
		return true // by hand, or by a service manager
	}
	last, err := safefile.Read(dir.StartLock(), maxWords)
	return err != nil || string(last) == mark
}

// detach runs `mum serve` in a session of its own. Its standard error goes to
// a file: a daemon that cannot start says why before it has a log.
func detach(self, mark string, dir home.Dir) error {
	if err := os.MkdirAll(dir.Logs(), 0o700); err != nil {
		return fmt.Errorf("make the log directory: %w", err)
	}
	errs, err := safefile.OpenOwn(dir.StartLog(), os.O_TRUNC)
	if err != nil {
		return fmt.Errorf("open the start log: %w", err)
	}
	defer func() { _ = errs.Close() }()
	cmd := exec.Command(self, "serve", startFlag+mark)
	cmd.Dir = string(dir) // not the agent's directory, which may be removed
	cmd.Stderr = errs
	cmd.Env = append(os.Environ(), "MUM_HOME="+string(dir))
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	return cmd.Process.Release()
}

// owned reports whether a daemon holds the data directory.
func owned(dir home.Dir) bool {
	lock, ok, err := dir.TryLock()
	if ok {
		_ = lock.Unlock()
	}
	return err == nil && !ok
}

// alone takes the data directory for this process, which changes files that a daemon has
// open otherwise.
func alone(dir home.Dir) (release func(), err error) {
	lock, ok, err := dir.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", dir.Lock(), err)
	case !ok:
		return nil, &exitError{exitBusy, errors.New("the daemon has the database open"), "mum down"}
	}
	_ = dir.SignLock() // it only helps to name this process
	return func() { _ = lock.Unlock() }, nil
}

func recentlyStarted(dir home.Dir) bool {
	info, err := os.Stat(dir.StartLock())
	return err == nil && info.Size() > 0 && time.Since(info.ModTime()) < startPause
}

// start spawns a daemon and waits until it answers. One that was just killed may
// still hold the lock, so that the first attempt finds it owned: it is tried
// until a daemon was started. That one has said why when it is gone.
func start(ctx context.Context, dir home.Dir, c config.Loaded) (api.Health, error) {
	mine := false
	return poll(ctx, dir, c, func() (err error) {
		if mine && lastWords(dir) != "" && !owned(dir) {
			return notUp(dir)
		}
		if !mine {
			mine, err = spawn(dir)
		}
		return err
	})
}

// waitUp waits until a daemon that somebody else starts answers.
func waitUp(ctx context.Context, dir home.Dir, c config.Loaded) (api.Health, error) {
	return poll(ctx, dir, c, func() error { return nil })
}

func poll(ctx context.Context, dir home.Dir, c config.Loaded, begin func() error) (api.Health, error) {
	ctx, cancel := context.WithTimeout(ctx, budget.Of(patience))
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var h api.Health
		if err := begin(); err != nil {
			return h, err
		}
		err := api.NewClient(string(dir), c.Daemon.Socket).Get(ctx, "/health", nil, &h)
		if err == nil {
			return h, nil
		}
		select {
		case <-ctx.Done():
			return h, notUp(dir)
		case <-tick.C:
		}
	}
}

// notUp explains a daemon that did not come up, in its own last words.
func notUp(dir home.Dir) error {
	words := lastWords(dir)
	if f := checkDisk(dir); words == "" && f.State == stateProblem { // nor for its words
		return hinted(fmt.Errorf("the daemon did not start: %s", f.Detail), f.Fix)
	}
	if words == "" {
		return hinted(errors.New("the daemon did not answer in time"), "mum logs")
	}
	return hinted(fmt.Errorf("the daemon did not start; it said:\n%s", words), "mum doctor")
}

// maxWords bounds what a daemon says before it has a log; a trace of all its goroutines fits.
const maxWords = 8 << 20

// lastWords is what a daemon said that could not start, or "".
func lastWords(dir home.Dir) string {
	words, _ := safefile.Read(dir.StartLog(), maxWords) // without a file nothing was said
	return string(words)
}

// forgetStart lets the next spawn start a daemon at once.
func forgetStart(dir home.Dir) error {
	if _, err := os.Lstat(dir.StartLock()); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := safefile.WriteOwn(dir.StartLock(), nil, os.O_TRUNC); err != nil {
		return fmt.Errorf("forget the last start: %w", err)
	}
	return nil
}
