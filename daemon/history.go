package daemon

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"keepmum/capture"
	"keepmum/githistory"
	"keepmum/hooks"
	"keepmum/project"
	"keepmum/store"
)

const (
	maxCommits    = 20_000 // commits of a repository, the latest
	commitBatch   = 200    // commits read in one batch; between batches the daemon checks whether the user is active
	maxSubject    = 200    // bytes of a commit message's first line that become the title
	maxMessage    = 16 << 10
	maxWaiting    = 64        // directories that can wait to be read
	maxRecentDirs = 20        // directories that a new daemon reads: those of the latest sessions
	afterFailure  = time.Hour // until a repository that could not be read is tried again
	recentWork    = 30 * 24 * time.Hour
)

// errBusy means that reading stopped because the user is active.
var errBusy = errors.New("you are working")

// histories holds the directories in which something happened since they were last read. They are kept only in memory,
// as the agent named them.
type histories struct {
	look   sync.Mutex // held while a repository is read: an older look must not write after a newer one
	mu     sync.Mutex
	off    bool // no history is ever read
	dirs   []string
	now    []string             // directories that are being read
	begun  []string             // directories in which a session started: their branches are checked immediately
	branch map[string]string    // common directory → state of its branches when they were last checked
	failed map[string]time.Time // common directory → when to try again
	wake   chan struct{}
}

func newHistories() *histories {
	return &histories{failed: map[string]time.Time{}, branch: map[string]string{}, wake: make(chan struct{}, 1)}
}

// note records that something happened in a directory; begun means that a session started there.
func (h *histories) note(dir string, begun bool) {
	if dir == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.off {
		return
	}
	if begun && !slices.Contains(h.begun, dir) && len(h.begun) < maxWaiting {
		h.begun = append(h.begun, dir)
	}
	if !slices.Contains(h.dirs, dir) && len(h.dirs) < maxWaiting {
		h.dirs = append(h.dirs, dir)
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

func (h *histories) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirs, h.now = nil, h.dirs
	return h.now
}

// taken records that the directories were read, or noted again.
func (h *histories) taken() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = nil
}

// unread returns the directories in which something happened since they were last read.
func (h *histories) unread() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Concat(h.now, h.dirs)
}

// turnOff forgets what waits to be read.
func (h *histories) turnOff() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.off, h.dirs, h.begun = true, nil, nil
}

func (h *histories) takeBegun() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	dirs := h.begun
	h.begun = nil
	return dirs
}

// unchanged reports whether the branches of a repository are as they were last time.
func (h *histories) unchanged(commonDir, state string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.branch[commonDir] == state
}

func (h *histories) looked(commonDir, state string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.branch) >= maxWaiting {
		clear(h.branch)
	}
	h.branch[commonDir] = state
}

func (h *histories) waiting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.dirs) > 0
}

// followHistories reads the history of the repositories in use whenever the user is idle, until ctx ends. It never runs
// as part of a hook.
func (d *Daemon) followHistories(ctx context.Context) error {
	if c := d.o.Config.Capture; !bool(c.Git) || !c.Enabled {
		d.histories.turnOff()
		return nil
	}
	git, err := githistory.Find(d.o.Home.Git())
	if err != nil {
		d.histories.turnOff()
		d.log.Info("commits are not read", "reason", err.Error())
		return nil
	}
	defer func() { _ = git.Clear() }()
	d.noteRecent(ctx)
	idle := time.Duration(d.o.Config.Compress.Idle)
	for ctx.Err() == nil {
		d.lookBegun(ctx, git)
		if d.histories.waiting() && !d.runs.busy(d.o.Now(), idle) {
			d.lookAll(ctx, git)
		}
		d.histories.wait(ctx, idle)
	}
	return nil
}

// lookBegun checks the branches of directories in which sessions started, without waiting until the user is idle: what
// agents are told depends on the branches.
func (d *Daemon) lookBegun(ctx context.Context, git *githistory.Git) {
	for _, dir := range d.histories.takeBegun() {
		err := d.looking(ctx, git, dir, func(r reading) error { return r.branches(ctx) })
		if err != nil && ctx.Err() == nil {
			d.log.Info("the branches of a repository cannot be read", "error", err)
		}
	}
}

// wait returns when something happens or, if directories are waiting, after some time.
func (h *histories) wait(ctx context.Context, idle time.Duration) {
	var after <-chan time.Time
	if h.waiting() {
		timer := time.NewTimer(idle)
		defer timer.Stop()
		after = timer.C
	}
	select {
	case <-ctx.Done():
	case <-h.wake:
	case <-after:
	}
}

// noteRecent adds the directories of the latest sessions after a start.
func (d *Daemon) noteRecent(ctx context.Context) {
	dirs, err := d.db.RecentDirs(ctx, d.o.Now().Add(-recentWork), maxRecentDirs)
	if err != nil && ctx.Err() == nil {
		d.log.Warn("the directories of the latest sessions cannot be read", "error", err)
	}
	for _, dir := range dirs {
		d.histories.note(dir, true)
	}
}

// lookAll reads the waiting directories. Those that were interrupted are read again later.
func (d *Daemon) lookAll(ctx context.Context, git *githistory.Git) {
	defer d.histories.taken()
	for _, dir := range d.histories.take() {
		err := d.lookAt(ctx, git, dir)
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.Is(err, errBusy):
			d.histories.note(dir, false)
		default:
			d.log.Info("a history was not read completely", "error", err)
		}
	}
	_ = git.Clear()
}

// reading reads one repository.
type reading struct {
	d       *Daemon
	of      *capture.Reading
	repo    *githistory.Repo
	root    string
	project int64

	postponed bool // some commits can be attributed only after the next event of a private session
}

// lookAt reads new commits of a directory's repository, and which files are changed in its working tree.
func (d *Daemon) lookAt(ctx context.Context, git *githistory.Git, dir string) error {
	return d.looking(ctx, git, dir, func(r reading) error {
		return errors.Join(r.branches(ctx), r.history(ctx), r.touched(ctx))
	})
}

// looking opens the repository of a directory, if it should be read.
func (d *Daemon) looking(ctx context.Context, git *githistory.Git, dir string, look func(reading) error) error {
	d.histories.look.Lock()
	defer d.histories.look.Unlock()
	id, of := d.toRead(dir)
	if of == nil {
		return nil
	}
	known, ok, err := d.db.FindProject(ctx, projectRef(of.Project))
	if err != nil || !ok {
		return err
	}
	repo, err := git.Open(id)
	if err == nil {
		err = look(reading{d: d, of: of, repo: repo, root: id.Root, project: known})
	}
	if err != nil && !errors.Is(err, errBusy) && ctx.Err() == nil {
		d.histories.fail(id.CommonDir, d.o.Now().Add(afterFailure))
	}
	return err
}

// toRead returns the repository of a directory and how to read it, or nil if it should not be read.
func (d *Daemon) toRead(dir string) (project.Identity, *capture.Reading) {
	id := project.Of(project.Path(dir))
	of, why := d.intake.Read(hooks.Event{Agent: store.GitAgent, Dir: dir})
	if why != "" || id.CommonDir == "" || d.intake.Repo(id.Root).NoGit || d.histories.failing(id.CommonDir, d.o.Now()) {
		return id, nil
	}
	return id, of
}

// commitsUnread reports whether a search in a project, or in all (0), may miss commits, because the history of a
// repository in use was never read completely. It runs no git.
func (d *Daemon) commitsUnread(ctx context.Context, in int64) (bool, error) {
	for _, dir := range d.histories.unread() {
		_, of := d.toRead(dir)
		if of == nil {
			continue
		}
		known, ok, err := d.db.FindProject(ctx, projectRef(of.Project))
		if err != nil {
			return false, err
		}
		if !ok || in != 0 && in != known {
			continue
		}
		if read, err := d.db.RepositoryRead(ctx, of.Project.CommonDir, known); err != nil || !read {
			return err == nil, err
		}
	}
	return false, nil
}

func (h *histories) failing(commonDir string, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Before(h.failed[commonDir])
}

func (h *histories) fail(commonDir string, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.failed) >= maxWaiting {
		clear(h.failed)
	}
	h.failed[commonDir] = until
}
