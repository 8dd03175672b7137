package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
	"keepmum/safefile"
)

// startPause is how long after one start no other is tried: twenty hooks that find no daemon must not start twenty
// processes.
const startPause = 2 * time.Second

// spawn starts a daemon that outlives this process, and does not wait for it. If several callers try at once, only one
// starts it, and gets mine = true.
func spawn(dir home.Dir) (mine bool, err error) {
	if foreign := dir.Foreign(); len(foreign) > 0 {
		return false, foreign[0]
	}
	start, err := home.FileLock(dir.StartLock())
	if err != nil {
		return false, err
	}
	if ok, err := start.TryLock(); err != nil || !ok {
		return false, err // someone else starts it
	}
	defer func() { _ = start.Unlock() }()
	if recentlyStarted(dir) || owned(dir) {
		return false, nil
	}
	mark := rand.Text()
	// its modification time is the time of the start
	switch err := safefile.WriteOwn(dir.StartLock(), []byte(mark), os.O_TRUNC); {
	case errors.Is(err, syscall.ENOSPC):
		mark = "" // if the disk is full, what is stored can still be searched
	case err != nil:
		return false, fmt.Errorf("mark the start: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return false, fmt.Errorf("find the mum program: %w", err)
	}
	return true, detach(self, mark, dir)
}

// startFlag passes the mark of its start to a daemon.
const startFlag = "--start="

// stillWanted reports whether the start with a mark is the last one, and nobody has stopped the daemon since: on a busy
// machine a process may begin long after its start.
func stillWanted(dir home.Dir, mark string) bool {
	if mark == "" {
		return true // by hand, or by a service manager
	}
	last, err := safefile.Read(dir.StartLock(), maxWords)
	if errors.Is(err, fs.ErrNotExist) { // the data directory was removed meanwhile
		return false
	}
	return err != nil || string(last) == mark
}

// detach runs `mum serve` in its own session. Its standard error goes to a file, in which a daemon that cannot start
// says why before it has a log.
func detach(self, mark string, dir home.Dir) error {
	if err := os.MkdirAll(dir.Logs(), 0o700); err != nil {
		return fmt.Errorf("make the log directory: %w", err)
	}
	errs, err := safefile.OpenOwn(dir.StartLog(), os.O_TRUNC|os.O_APPEND)
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

// owned reports whether a daemon owns the data directory.
func owned(dir home.Dir) bool {
	lock, ok, err := dir.TryLock()
	if ok {
		_ = lock.Unlock()
	}
	return err == nil && !ok
}

// alone locks the data directory for this process, which changes files that a daemon would otherwise have open.
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

// start spawns a daemon and waits until it answers. A daemon that was just killed may still own the lock at the first
// attempt, so start tries until it has started one. If that daemon is gone again, it has said why.
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

// waitUp waits until a daemon that someone else starts answers.
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

// notUp explains in the daemon's own last words why it did not start.
func notUp(dir home.Dir) error {
	words := lastWords(dir)
	if f := checkDisk(dir); words == "" && f.State == stateProblem { // and none for its words
		return hinted(fmt.Errorf("the daemon did not start: %s", f.Detail), f.Fix)
	}
	if words == "" && owned(dir) {
		return hinted(errors.New("the daemon does not answer: it is busy, stopped, or hangs"), "mum logs; "+endByHand(dir))
	}
	if words == "" {
		return hinted(errors.New("the daemon did not answer in time"), "mum logs")
	}
	if why, hint := said(words); why != "" {
		return hinted(errors.New("the daemon did not start: "+why), cmp.Or(hint, "mum doctor"))
	}
	return hinted(fmt.Errorf("the daemon did not start; it said:\n%s", words), "mum doctor")
}

// said returns the error and the hint in the words of a daemon that could not start, as [app.report] prints them; "" =
// they are something else, such as a trace.
func said(words string) (why, hint string) {
	to := &why
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		switch text, isHint := strings.CutPrefix(line, "mum: hint: "); {
		case isHint:
			to, line = &hint, text
		default:
			line = strings.TrimPrefix(line, "mum: error: ")
		}
		*to = strings.TrimSpace(*to + " " + line)
	}
	if !strings.HasPrefix(words, "mum: error: ") {
		return "", ""
	}
	return why, hint
}

// maxWords is the maximum size of what is read of a daemon's words before it has a log; a trace of all its goroutines
// fits.
const maxWords = 8 << 20

// lastWords returns what a daemon said that could not start; "" = nothing.
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
