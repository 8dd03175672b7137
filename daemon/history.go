package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"keepmum/capture"
	"keepmum/githistory"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
	"keepmum/recall"
	"keepmum/store"
)

const (
	maxCommits   = 20_000 // of a repository, the newest
	commitBatch  = 200    // are read at a time, between two looks whether somebody is at work
	maxSubject   = 200    // bytes of the first line of a message that are its title
	maxMessage   = 16 << 10
	maxWaiting   = 64        // directories that wait to be looked at
	firstLooks   = 20        // directories that a new daemon looks at: where the latest sessions were
	afterFailure = time.Hour // until a repository that could not be read is tried again
	recentWork   = 30 * 24 * time.Hour
)

// errBusy says that reading made way for somebody at work.
var errBusy = errors.New("somebody is at work")

// histories is in which directories somebody was at work since they were
// looked at. They are in memory only, as the agent named them.
type histories struct {
	mu     sync.Mutex
	dirs   []string
	failed map[string]time.Time // common directory → when it may be tried again
	wake   chan struct{}
}

func newHistories() *histories {
	return &histories{failed: map[string]time.Time{}, wake: make(chan struct{}, 1)}
}

// note says that something happened in a directory.
func (h *histories) note(dir string) {
	if dir == "" {
		return
	}
	h.mu.Lock()
	if !slices.Contains(h.dirs, dir) && len(h.dirs) < maxWaiting {
		h.dirs = append(h.dirs, dir)
	}
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

func (h *histories) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	dirs := h.dirs
	h.dirs = nil
	return dirs
}

func (h *histories) waiting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.dirs) > 0
}

// followHistories reads the history of the repositories that somebody works
// in, whenever nobody does, until ctx ends. It never runs on the path of a hook.
func (d *Daemon) followHistories(ctx context.Context) error {
	if c := d.o.Config.Capture; !bool(c.Git) || !c.Enabled {
		return nil
	}
	git, err := githistory.Find(d.o.Home.Git())
	if err != nil {
		d.log.Info("commits are not read", "reason", err.Error())
		return nil
	}
	defer func() { _ = git.Clear() }()
	d.noteRecent(ctx)
	idle := time.Duration(d.o.Config.Compress.Idle)
	for ctx.Err() == nil {
		if d.histories.waiting() && !d.runs.busy(d.o.Now(), idle) {
			d.lookAll(ctx, git)
		}
		d.histories.wait(ctx, idle)
	}
	return nil
}

// wait returns when something happens, or, where something waits to be looked
// at, after some time.
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

// noteRecent has a new daemon look where the latest sessions were.
func (d *Daemon) noteRecent(ctx context.Context) {
	dirs, err := d.db.RecentDirs(ctx, d.o.Now().Add(-recentWork), firstLooks)
	if err != nil && ctx.Err() == nil {
		d.log.Warn("where the latest sessions were cannot be read", "error", err)
	}
	for _, dir := range dirs {
		d.histories.note(dir)
	}
}

// lookAll looks at the directories that wait. What made way is looked at again.
func (d *Daemon) lookAll(ctx context.Context, git *githistory.Git) {
	for _, dir := range d.histories.take() {
		err := d.lookAt(ctx, git, dir)
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.Is(err, errBusy):
			d.histories.note(dir)
		default:
			d.log.Info("a history is not read to its end", "error", err)
		}
	}
	_ = git.Clear()
}

// reading is one repository that is being read.
type reading struct {
	d       *Daemon
	of      *capture.Reading
	repo    *githistory.Repo
	root    string
	project int64
}

// lookAt reads what is new in the history of the repository of a directory, and
// what is touched in its working tree.
func (d *Daemon) lookAt(ctx context.Context, git *githistory.Git, dir string) error {
	id := project.Of(project.Path(dir))
	of, why := d.intake.Read(hooks.Event{Agent: store.GitAgent, Dir: dir})
	if why != "" || id.CommonDir == "" || d.intake.Repo(id.Root).NoGit || d.histories.failing(id.CommonDir, d.o.Now()) {
		return nil
	}
	known, ok, err := d.db.FindProject(ctx, projectRef(of.Project))
	if err != nil || !ok {
		return err
	}
	repo, err := git.Open(id)
	if err == nil {
		r := reading{d: d, of: of, repo: repo, root: id.Root, project: known}
		err = errors.Join(r.history(ctx), r.touched(ctx))
	}
	if err != nil && !errors.Is(err, errBusy) && ctx.Err() == nil {
		d.histories.fail(id.CommonDir, d.o.Now().Add(afterFailure))
	}
	return err
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

// history brings the commits that are kept up to what the repository has. It
// compares lists, so it does not matter where an earlier reading ended, or
// what became of the history since.
func (r *reading) history(ctx context.Context) error {
	db := r.d.db
	in, err := db.OpenRepository(ctx, r.of.Project.CommonDir, r.project)
	if err != nil {
		return err
	}
	state := tipsState(r.repo.Refs.Tips())
	if state == in.State {
		return nil
	}
	listed, broken := r.repo.List(ctx, maxCommits)
	known, err := db.KnownCommits(ctx, in)
	if err != nil {
		return err
	}
	if err := r.readNew(ctx, in, slices.DeleteFunc(slices.Clone(listed), func(h string) bool { _, ok := known[h]; return ok })); err != nil {
		return err
	}
	if broken != nil { // what is not listed may be there all the same
		return fmt.Errorf("list the history: %w", broken)
	}
	for _, h := range listed {
		delete(known, h)
	}
	var gone []string
	for h, here := range known {
		if here {
			gone = append(gone, h)
		}
	}
	if err := db.DropCommits(ctx, in, gone); err != nil {
		return err
	}
	return db.SetRepositoryState(ctx, in.ID, state)
}

// tipsState is one value for where all branches stand.
func tipsState(tips []string) string {
	sum := sha256.Sum256([]byte(strings.Join(tips, "\n")))
	return hex.EncodeToString(sum[:16])
}

// readNew reads commits, the newest first, and keeps them.
func (r *reading) readNew(ctx context.Context, in store.Repository, hashes []string) error {
	forgotten, err := r.d.db.ForgottenCommits(ctx, hashes)
	if err != nil {
		return err
	}
	hashes = slices.DeleteFunc(hashes, func(h string) bool { return forgotten[h] })
	for len(hashes) > 0 {
		if r.d.runs.busy(r.d.o.Now(), time.Duration(r.d.o.Config.Compress.Idle)) {
			return errBusy
		}
		some := hashes[:min(len(hashes), commitBatch)]
		hashes = hashes[len(some):]
		read, err := r.repo.Commits(ctx, some)
		if err != nil {
			return err
		}
		clean := make([]store.Commit, len(read))
		for i := range read {
			if err := r.hidePrivate(ctx, &read[i]); err != nil {
				return err
			}
			clean[i] = r.clean(&read[i])
		}
		if _, err := r.d.db.PutCommits(ctx, in, clean); err != nil {
			return err
		}
	}
	return nil
}

// hidePrivate takes away what a commit says that was made while a private
// session was at work here.
func (r *reading) hidePrivate(ctx context.Context, c *githistory.Commit) error {
	for _, at := range []time.Time{c.Written, c.Committed} {
		was, err := r.d.db.WasPrivate(ctx, r.of.Project.CommonDir, at)
		if err != nil {
			return err
		}
		if was {
			c.Message = ""
		}
	}
	return nil
}

// notePrivate notes that a private session is at work in a directory. That it
// cannot is no reason to fail a hook.
func (d *Daemon) notePrivate(ctx context.Context, dir string) {
	if dir == "" {
		return
	}
	common := d.intake.Project(dir).CommonDir
	if common.IsZero() {
		return
	}
	if err := d.db.NotePrivate(ctx, common); err != nil {
		d.log.Warn("that a private session is at work could not be noted", "error", err)
	}
}

// clean takes a commit through the gate.
func (r *reading) clean(c *githistory.Commit) store.Commit {
	gate := r.of.Gate
	out := store.Commit{At: c.Written, Skip: true}
	fields := map[string]string{"hash": c.Hash, "text": c.Message}
	if r.d.o.Config.Capture.GitAuthors {
		fields["author"] = c.Author
	}
	for i, f := range c.Files {
		fields[fmt.Sprint("file.", i)] = f
	}
	if !r.wanted(c) {
		fields = map[string]string{"hash": c.Hash}
	}
	got := gate.Event(privacy.Raw{Dir: r.root, Fields: fields})
	out.Hash = got.Fields["hash"]
	text := got.Fields["text"]
	if text.IsZero() {
		return out
	}
	out.Skip = false
	out.Identity = commitIdentity(gate, c.Message, c.Written, c.Files)
	out.Title, out.Body = subject(text)
	out.Author, out.Findings = got.Fields["author"], got.Findings
	for i := range c.Files {
		out.Files = append(out.Files, got.Fields[fmt.Sprint("file.", i)])
	}
	out.Instruction = recall.SpeaksToAModel(text.Cut(maxMessage).String())
	return out
}

// commitIdentity is the same for a commit before and after a rebase.
func commitIdentity(gate *privacy.Gate, message string, written time.Time, files []string) privacy.Clean {
	return gate.ID(append([]string{"commit", message, written.UTC().Format(time.RFC3339)}, files...)...)
}

// wanted leaves out what says nothing, and what was made while capture was paused.
func (r *reading) wanted(c *githistory.Commit) bool {
	if c.Message == "" || c.Merge && !strings.Contains(c.Message, "\n") {
		return false
	}
	return r.of.Second(c.Written) && r.of.Second(c.Committed)
}

// subject divides a message into its first line and the rest. A first line that
// is too long for a title stands in the rest once more.
func subject(text privacy.Clean) (title, body privacy.Clean) {
	s := text.String()
	end := strings.IndexByte(s, '\n')
	if end < 0 {
		end = len(s)
	}
	if end > maxSubject {
		return text.Slice(0, end).Cut(maxSubject), text.Cut(maxMessage)
	}
	rest := strings.TrimLeft(s[end:], "\n")
	return text.Slice(0, end), text.Slice(len(s)-len(rest), len(s)).Cut(maxMessage)
}

// touched keeps which files are changed in the working tree and on its branch.
func (r *reading) touched(ctx context.Context) error {
	t, err := r.repo.Touched(ctx)
	if err != nil {
		return fmt.Errorf("look at the working tree: %w", err)
	}
	fields := map[string]string{"branch": t.Branch}
	all := slices.Concat(t.Uncommitted, t.Committed)
	for i, f := range all {
		fields[fmt.Sprint("file.", i)] = f
	}
	got := r.of.Gate.Event(privacy.Raw{Dir: r.root, Fields: fields}).Fields
	out := store.TouchedTree{Root: r.of.Project.Root, Branch: got["branch"]}
	for i := range all {
		f := got[fmt.Sprint("file.", i)]
		if i < len(t.Uncommitted) {
			out.Uncommitted = append(out.Uncommitted, f)
		} else {
			out.Files = append(out.Files, f)
		}
	}
	return r.d.db.PutTouched(ctx, r.project, out)
}
