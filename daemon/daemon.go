package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/capture"
	"keepmum/compress"
	"keepmum/config"
	"keepmum/home"
	"keepmum/page"
	"keepmum/review"
	"keepmum/spool"
	"keepmum/store"
	"keepmum/team"
	"keepmum/transcript"
)

// ErrRunning means that another process owns the data directory.
var ErrRunning = errors.New("a daemon is already running for this data directory")

const (
	// stopTime limits how long a stopping daemon waits for requests in flight.
	stopTime = 3 * time.Second
	// silentTime limits how long it waits for the request of a client that has connected. A hook sends it at once; a
	// browser with the page open connects in advance.
	silentTime = 200 * time.Millisecond
)

// Options configure a [Daemon]. Home is required; the rest has sensible zero values.
type Options struct {
	Home     home.Dir
	Config   config.Loaded
	UserHome string           // expands ~ in the denylist, and locates the vault; "" = unknown
	Env      []string         // NAME=value of this process; the vault redacts its secrets
	Version  string           // "" = "dev"
	Program  string           // file of the running program, watched for an upgrade; "" = not watched
	Logger   *slog.Logger     // nil = discard
	Now      func() time.Time // nil = time.Now

	// called once the data directory is owned; false ends a start that came too late; nil = always true
	Wanted func() bool
	// called when the first who waited have their answers; nil = nobody wants to know
	Settled   func()
	Examine   func(context.Context) []api.Check                // what the doctor finds from inside; nil = nothing
	Mend      func(context.Context, string) (api.Check, error) // does what is safe about one check; nil = nothing
	OpenAIKey string                                           // for compress.provider = "openai"
	// where the agents keep their sessions; zero = none is looked for
	Transcripts transcript.Roots
	readOnly    bool // see [Look]
	keepMemory  bool // a rest releases none: for tests, in which hundreds of daemons are one process
}

// Daemon is the process that owns one data directory.
type Daemon struct {
	o        Options
	log      *slog.Logger
	logged   *logGate
	instance string
	started  time.Time
	stopping <-chan struct{} // closed when the daemon is about to stop
	page     *page.Page
	stop     context.CancelFunc
	again    atomic.Bool // it stops in order to restart

	token     string
	db        *store.DB
	intake    *capture.Intake
	count     *counters
	metrics   *metrics
	worker    *compress.Worker // nil = summaries are off
	clusters  clusters
	team      *team.Syncer
	teamwork  teamwork
	reports   chan []byte // records of runs, to be sent (runs.otlp)
	runs      *runs       // when sync and maintain are due
	reviews   *review.File
	spool     spool.Dir
	drain     drain
	shown     shown
	tenure    *tenure
	endpoints endpoints
	heard     *relearned

	worked     chan struct{} // a tool was used since failures were last learned
	learning   sync.Mutex    // held while failures are learned
	adding     sync.Mutex    // held while an addition to the memories is decided and written
	forgetting sync.Mutex    // held while something is being forgotten
	copying    sync.Mutex    // held while a backup is made, or backups are removed
	skipped    sync.Map      // tree → its files with memories that cannot be read now ([]memory.Broken)
	closed     sync.Map      // tree → why its directory could not be read at the last pass (error)
	passes     passes        // held while a tree of memories is read
	files      filesSeen     // files that agents have just read or changed
	histories  *histories    // directories whose repositories are waiting to be read
	slots      chan struct{} // requests in flight, except hooks
	large      chan struct{} // large bodies in memory

	unsaved   atomic.Pointer[error]  // why the last daily backup failed; nil = it did not fail
	uncarried atomic.Pointer[error]  // why a database that a restore set aside could not be taken in; nil = it was
	integrity atomic.Pointer[string] // result of the last check of the whole database; nil = not checked yet
}

// New returns a daemon without touching anything outside.
func New(o Options) *Daemon {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	log, gate := newCleanLog(o.Logger)
	return &Daemon{
		o: o, log: log, logged: gate, instance: rand.Text(), count: newCounters(o.Now), metrics: newMetrics(),
		runs: newRuns(), reports: make(chan []byte, maxReports), reviews: review.Open(o.Home.Review()),
		heard: newRelearned(), files: filesSeen{wake: make(chan struct{}, 1)}, histories: newHistories(),
		worked: make(chan struct{}, 1),
		spool:  spool.Dir(o.Home.Spool()), drain: drain{wanted: make(chan struct{}, 1)},
		slots:    make(chan struct{}, maxInFlight),
		large:    make(chan struct{}, maxLargeBodies),
		teamwork: newTeamwork(),
	}
}

// Run owns the data directory until ctx ends or a client asks it to stop. It returns nil after a clean stop,
// [ErrRunning] if another process owns the directory, and [ErrReplaced] if a new version is waiting to take over.
func (d *Daemon) Run(ctx context.Context) error {
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	d.started, d.stopping = d.o.Now(), ctx.Done()
	keys, err := home.Prepare(d.o.Home)
	if err != nil {
		return err
	}
	d.token = keys.Token
	if d.tenure, err = occupy(ctx, d.o.Home); err != nil {
		return err
	}
	defer func() { d.tenure.end() }()
	if answers(socketPath(d.o.Home, d.o.Config.Daemon)) {
		return ErrRunning
	}
	if d.o.Wanted != nil && !d.o.Wanted() {
		return nil
	}
	d.moveIn()
	if err := removeCopies(); err != nil {
		d.log.Warn("leftovers of a killed dry run could not be removed", "reason", d.loggable(err))
	}
	if finished, err := atomicfile.Finish(store.RestoreJournal(d.o.Home.Database())); err != nil {
		return fmt.Errorf("finish the restore: %w; type: mum restore --yes", err)
	} else if finished { // the restore may have brought another key
		d.log.Info("finished an interrupted restore")
		if keys, err = home.Prepare(d.o.Home); err != nil {
			return err
		}
	}
	if err := d.open(ctx, keys); err != nil {
		return err
	}
	d.logged.use(d.intake.Gate())
	d.worker = d.newWorker()
	d.team = d.newTeam()
	if err := errors.Join(d.serve(ctx), d.db.Close()); err != nil || !d.again.Load() {
		return err
	}
	return ErrReplaced
}

// moveIn names this process in the lock, and removes the port file that a daemon which crashed left.
func (d *Daemon) moveIn() {
	if err := d.o.Home.SignLock(); err != nil {
		d.log.Debug("the lock does not name this process", "reason", d.loggable(err))
	}
	if err := os.Remove(d.o.Home.Port()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.log.Warn("the port file of a daemon that crashed could not be removed", "reason", d.loggable(err))
	}
}

// open creates the gate and opens the database in parallel: both take milliseconds, and a hook is waiting.
func (d *Daemon) open(ctx context.Context, keys home.Keys) error {
	var both errgroup.Group
	both.Go(func() (err error) {
		d.intake, err = capture.NewIntake(capture.Options{
			Home: string(d.o.Home), Config: d.o.Config.Config, Key: keys.HMAC, UserHome: d.o.UserHome, Env: d.o.Env,
			Logger: d.log, Now: d.o.Now,
		})
		if err == nil && !d.o.readOnly {
			if err := capture.Reserve(string(d.o.Home)); err != nil {
				d.log.Warn("no room is reserved for private sessions", "reason", d.loggable(err))
			}
		}
		return err
	})
	both.Go(func() (err error) {
		d.db, err = store.Open(ctx,
			store.Options{Path: d.o.Home.Database(), Backups: d.o.Home.Backups(), Now: d.o.Now, Logger: d.log, Key: keys.HMAC,
				Committed: d.metrics.committed, ReadOnly: d.o.readOnly})
		return err
	})
	err := both.Wait()
	if err != nil && d.db != nil {
		return errors.Join(err, d.db.Close())
	}
	return err
}

// A hook that checks whether someone owns the data directory holds the lock for a moment. A starting daemon must not
// mistake it for another daemon, so it tries again.
const (
	ownPatience = 200 * time.Millisecond
	ownRetry    = 5 * time.Millisecond
)

// own takes the lock of the data directory. The operating system releases it when the process ends, however it ends.
func own(ctx context.Context, dir home.Dir) (*flock.Flock, error) {
	lock, err := home.FileLock(dir.Lock())
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, ownPatience)
	defer cancel()
	ok, err := lock.TryLockContext(wait, ownRetry)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock %s: %w", dir.Lock(), err)
	}
	if !ok {
		return nil, ErrRunning
	}
	return lock, nil
}

func (d *Daemon) serve(ctx context.Context) error {
	var err error
	if d.endpoints, err = listen(d.o.Home, d.o.Config.Daemon, d.log); err != nil {
		return err
	}
	defer d.endpoints.remove(d.o.Home)
	handler := d.routes()
	d.page = d.newPage(handler)
	open := newConns(maxConns(fileLimit()))
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnState:         open.state,
		ErrorLog:          slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, l := range d.endpoints.listeners() {
		group.Go(func() error { return ignoreClosed(server.Serve(l)) })
	}
	group.Go(func() error { return shutdown(ctx, server, open) })
	group.Go(func() error { d.begin(ctx, group); return nil })
	group.Go(func() error { return d.stay(ctx, group, server.Serve) })
	err = group.Wait()
	d.log.Info("stopped", "error", err)
	return err
}

// afterStart is left to those who wait for the daemon: all that a start does besides
// takes a processor for ten to twenty times as long as an answer.
const afterStart = 50 * time.Millisecond

// begin lets the first callers have their answers, then begins the daemon's own work.
func (d *Daemon) begin(ctx context.Context, group *errgroup.Group) {
	select {
	case <-ctx.Done():
	case <-time.After(afterStart):
	}
	if d.o.Settled != nil {
		d.o.Settled()
	}
	d.log.Info("started", "version", d.o.Version, "pid", os.Getpid(), "address", d.endpoints.address, "privacy_mode",
		d.o.Config.Privacy.Mode)
	if d.o.Config.Privacy.Mode == "none" {
		d.log.Warn("privacy.mode is none: only <private> text is removed, secrets are stored unchanged")
	}
	d.work(ctx, group)
}

// work starts the background tasks, which run until ctx ends.
func (d *Daemon) work(ctx context.Context, group *errgroup.Group) {
	group.Go(func() error { d.drainSpool(ctx); return nil })
	group.Go(func() error { d.carryOver(ctx); return nil })
	group.Go(func() error { d.learnOwners(ctx); return nil })
	group.Go(func() error { return d.compressOn(ctx) })
	group.Go(func() error { return d.runOn(ctx) })
	group.Go(func() error { return d.tidy(ctx) })
	group.Go(func() error { d.inspectFirst(ctx); return nil })
	group.Go(func() error { return d.watchMemories(ctx) })
	group.Go(func() error { return d.followHistories(ctx) })
	group.Go(func() error { return d.learnOn(ctx) })
	group.Go(func() error { d.markFilesOn(ctx); return nil })
	group.Go(func() error { return d.watchProgram(ctx) })
	group.Go(func() error { return d.awaitRoom(ctx) })
	group.Go(func() error { return d.restOn(ctx) })
	group.Go(func() error { return d.reportOn(ctx) })
	group.Go(func() error { d.teamOn(ctx); return nil })
	group.Go(func() error { d.teamHeard(ctx); return nil })
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) { // only the daemon closes a listener
		return nil
	}
	return err
}

// shutdown waits for the end of ctx, then lets requests in flight finish.
func shutdown(ctx context.Context, server *http.Server, open *conns) error {
	<-ctx.Done()
	defer time.AfterFunc(silentTime, open.closeWaiting).Stop()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return server.Close()
	}
	return nil
}
