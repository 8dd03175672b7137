package daemon

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// teamwork is the state of the last sync, and when to start the next one.
type teamwork struct {
	mu      *sync.Mutex
	failed  error
	wake    chan struct{}
	listens *atomic.Bool
	calm    *atomic.Bool // delays a sync until changes have calmed down
}

func newTeamwork() teamwork {
	return teamwork{mu: &sync.Mutex{}, wake: make(chan struct{}, 1), listens: &atomic.Bool{},
		calm: &atomic.Bool{}}
}

func (w *teamwork) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = err
}

// last returns why the last sync failed.
func (w *teamwork) last() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

func (w *teamwork) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// soon starts a sync in a moment, so that further changes are included.
func (w *teamwork) soon() {
	if w.calm.CompareAndSwap(false, true) {
		time.AfterFunc(teamDelay, func() { w.calm.Store(false); w.nudge() })
	}
}

// Intervals of polling the shared database. A poll has only a few short statements, so a colleague's changes may be a
// minute old. A database that does not answer is polled less and less often.
const (
	teamEvery     = time.Minute
	teamSlowEvery = 15 * time.Minute
	teamDelay     = 2 * time.Second // between a change, here or elsewhere, and its sync
)

// newTeam returns the syncer, for a user who is in a team.
func (d *Daemon) newTeam() *team.Syncer {
	return team.New(team.Options{DB: d.db, Place: newTeamPlace(d), Gate: d.intake.Gate(), Now: d.o.Now, Logger: d.log})
}

// teamHeard listens for changes of other machines, until ctx ends. Where that is not possible, only polling finds them.
func (d *Daemon) teamHeard(ctx context.Context) {
	for ctx.Err() == nil {
		err := d.team.Listen(ctx, func() {
			d.teamwork.listens.Store(true)
			d.teamwork.soon()
		})
		d.teamwork.listens.Store(false)
		wait := time.Second
		if err != nil {
			wait = teamEvery
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// teamOn syncs in the background until ctx ends. No hook and no search waits for it.
func (d *Daemon) teamOn(ctx context.Context) {
	wait := 10 * time.Second // a daemon that was just started answers requests first
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.teamwork.wake:
		case <-time.After(wait):
		}
		_, err := d.syncTeam(ctx)
		switch {
		case errors.Is(err, error(team.ErrNoTeam)):
			wait = teamSlowEvery
		case err != nil:
			wait = min(max(2*wait, teamEvery), teamSlowEvery)
		default:
			wait = teamEvery
		}
	}
}

func (d *Daemon) syncTeam(ctx context.Context) (team.Report, error) {
	rep, err := d.team.Round(ctx)
	if ctx.Err() != nil || errors.Is(err, error(team.ErrNoTeam)) {
		return rep, err
	}
	if err == nil {
		err = d.db.TeamSynced(ctx)
	}
	if before := d.teamwork.last(); err != nil && before == nil {
		d.log.Warn("the team cannot be synced", "reason", d.loggable(err))
	}
	d.teamwork.note(err)
	if rep.Pushed+rep.Pulled+rep.Forgotten > 0 {
		d.log.Info("team sync", "pushed", rep.Pushed, "pulled", rep.Pulled, "forgotten", rep.Forgotten, "held", rep.Held)
	}
	return rep, err
}

func (d *Daemon) teamRoutes(own *echo.Group) {
	own.GET("/team", d.getTeam)
	own.GET("/team/log", d.getTeamLog)
	own.GET("/team/receipts", d.getTeamReceipts)
	own.GET("/team/search", d.getTeamSearch)
	own.POST("/team/join", d.postTeamJoin)
	own.POST("/team/leave", d.postTeamLeave)
	own.POST("/team/share", d.postTeamShare)
	own.POST("/team/unshare", d.postTeamUnshare)
	own.POST("/team/mute", d.postTeamMute)
	own.POST("/team/sync", d.postTeamSync)
}

func (d *Daemon) postTeamJoin(c echo.Context) error {
	var in api.TeamJoin
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	j, err := d.team.Join(c.Request().Context(), in.DSN, in.Machine)
	if err != nil {
		return err
	}
	d.teamwork.nudge()
	return c.JSON(http.StatusOK, api.TeamJoined(j))
}

func (d *Daemon) postTeamLeave(c echo.Context) error {
	var in api.TeamLeave
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	t, _, err := d.db.Team(ctx)
	if err != nil {
		return err
	}
	ended, untold, err := d.team.Leave(ctx, in.Purge)
	if err != nil {
		return err
	}
	d.teamwork.note(nil)
	return c.JSON(http.StatusOK,
		api.TeamLeft{Team: t.Name, Machine: t.Member + "/" + t.Machine, Ended: ended, Untold: untold})
}

func (d *Daemon) postTeamShare(c echo.Context) error {
	var in api.TeamShare
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	id, key, err := d.teamProject(ctx, in)
	if err != nil {
		return err
	}
	since, err := parseMoment(in.Since)
	if err != nil && in.Since != "" {
		return failure(api.Invalid, "since must be a day like 2026-03-01", "mum team share --help")
	}
	if err := d.team.Share(ctx, id, key, since); err != nil {
		return err
	}
	d.teamwork.nudge()
	return c.JSON(http.StatusOK, api.TeamShared{Project: key.String()})
}

// teamProject returns the given project, and its key, which is the same on every machine.
func (d *Daemon) teamProject(ctx context.Context, in api.TeamShare) (int64, privacy.Clean, error) {
	var id int64
	var err error
	if in.Project != "" {
		id, err = d.db.ProjectNamed(ctx, in.Project)
	} else {
		id, err = d.projectToWrite(ctx, in.Directory)
	}
	if err != nil {
		return 0, privacy.Clean{}, err
	}
	if id == store.NoProjectRow {
		return 0, privacy.Clean{}, failure(api.Invalid, "that directory is not in a project", "mum team share PROJECT")
	}
	key := in.Key
	if key == "" {
		if key, err = d.remoteOf(ctx, id); err != nil {
			return 0, privacy.Clean{}, err
		}
	}
	clean, found := d.intake.Gate().Text(key)
	if len(found) > 0 || clean.String() != key || len(key) > 300 {
		return 0, clean, failure(api.Invalid, "the name of the project looks like it contains a secret, or is too long",
			"mum team share PROJECT --key NAME")
	}
	return id, clean, nil
}

// remoteOf returns the remote of a project, if it has exactly one.
func (d *Daemon) remoteOf(ctx context.Context, id int64) (string, error) {
	rows, err := d.db.Projects(ctx)
	if err != nil {
		return "", err
	}
	var remotes []string
	for _, r := range rows {
		for _, a := range r.Aliases {
			if r.ID == id && a.Kind == store.AliasRemote {
				remotes = append(remotes, a.Value)
			}
		}
	}
	const hint = "mum team share PROJECT --key NAME, with the same name on every machine"
	switch len(remotes) {
	case 0:
		return "", failure(api.Invalid, "the project has no git remote by which other machines can identify it", hint)
	case 1:
		return remotes[0], nil
	}
	return "", failure(api.Invalid, "the project has more than one git remote", hint)
}

func (d *Daemon) postTeamUnshare(c echo.Context) error {
	var in api.TeamShare
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	shared, err := d.db.TeamProjects(ctx)
	if err != nil {
		return err
	}
	var id int64
	if in.Project == "" {
		id, err = d.projectToWrite(ctx, in.Directory)
	} else if id, err = d.db.ProjectNamed(ctx, in.Project); errors.Is(err, store.ErrNoProject) {
		err = nil // it may be a key
	}
	if err != nil {
		return err
	}
	for _, p := range shared {
		if p.Project != id && p.Key != in.Project {
			continue
		}
		ended, err := d.team.Unshare(ctx, p, in.Purge)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, api.TeamShared{Project: p.Key, Ended: ended})
	}
	return failure(api.NotFound, "that project is not shared", "mum team status")
}

func (d *Daemon) postTeamSync(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	unhurried(c)
	rep, err := d.syncTeam(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.TeamSynced(rep))
}

func (d *Daemon) getTeamLog(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "limit"); err != nil {
		return err
	}
	limit, err := intParam(q, "limit", 50, 1, 1_000_000)
	if err != nil {
		return err
	}
	unhurried(c)
	events, broken, err := d.team.Log(c.Request().Context(), q.Get("project"), limit)
	if err != nil {
		return err
	}
	out := api.TeamLog{Events: []api.TeamEvent{}, Broken: broken}
	for _, e := range events {
		out.Events = append(out.Events, api.TeamEvent(e))
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) postTeamMute(c echo.Context) error {
	var in api.TeamMute
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if err := team.CheckName("member", in.Author); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	if _, joined, err := d.db.Team(ctx); err != nil {
		return err
	} else if !joined {
		return team.ErrNoTeam
	}
	if err := d.team.Mute(ctx, in.Author, !in.Unmute); err != nil {
		return err
	}
	d.teamwork.nudge()
	return c.JSON(http.StatusOK, in)
}
