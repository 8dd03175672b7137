package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/llm"
	"keepmum/store"
)

// postSync runs sync and streams its progress, one line at a time. Closing the connection stops the run, so that Ctrl-C
// in the client works.
func (d *Daemon) postSync(c echo.Context) error {
	var in api.SyncRequest
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	o, err := d.syncOptions(in)
	if err != nil {
		return err
	}
	if in.Async {
		return d.syncLater(c, o)
	}
	out := newRunStream(c, o.RunID)
	o.Progress = out.progress
	w := d.world()
	if in.Provider != "" {
		w.Extract = d.extractBy(in.Provider)
	}
	if o.DryRun {
		w.Extract = d.extractAlone
	}
	rep, err := distill.Sync(c.Request().Context(), w, o)
	if err != nil {
		return out.fail(d, err)
	}
	d.runs.wrote(rep.Decisions+rep.Learnings+rep.Updated > 0)
	return out.last(api.RunEvent{Sync: synced(rep)})
}

// syncLater passes a run to the goroutine of the schedule.
func (d *Daemon) syncLater(c echo.Context, o distill.SyncOptions) error {
	if owner, ok := distill.Running(string(d.o.Home)); ok && !o.IgnoreLock {
		return busyRun(owner)
	}
	if !d.runs.ask(o) {
		return failure(api.Conflict, "another run is queued already", "mum status")
	}
	return c.JSON(http.StatusOK, api.RunEvent{RunID: o.RunID})
}

func (d *Daemon) syncOptions(in api.SyncRequest) (distill.SyncOptions, error) {
	cfg, now := d.o.Config.Sync, d.o.Now()
	o := distill.SyncOptions{Session: in.Session, Agents: in.Agents, Project: in.Project, MaxSessions: in.MaxSessions,
		Force: in.Force, NoExtract: in.NoExtract, DryRun: in.DryRun, IgnoreLock: in.IgnoreLock,
		RunID: distill.NewRunID(store.RunSync, now)}
	if len(o.Agents) == 0 {
		o.Agents = cfg.Agents
	}
	for _, a := range o.Agents {
		if !distill.KnownAgent(a) {
			return o, failure(api.Invalid, "there is no such agent", "claude, codex, cursor, opencode")
		}
	}
	if err := checkProvider(in); err != nil {
		return o, err
	}
	switch {
	case in.MaxSessions < 0:
		return o, failure(api.Invalid, "max_sessions must not be negative", "docs/api.md")
	case in.MaxSessions == 0:
		o.MaxSessions = cfg.MaxSessions
	}
	var err error
	o.Window, err = syncWindow(in, cfg.Window, now)
	return o, err
}

// checkProvider rejects a request that names who is to write memories, but no agent that can.
func checkProvider(in api.SyncRequest) error {
	a, ok := strings.CutPrefix(in.Provider, "agent:")
	switch {
	case in.Provider == "":
		return nil
	case !ok || !slices.Contains(llm.Agents(), a):
		return failure(api.Invalid, "provider must be agent:claude, agent:codex or agent:opencode", "docs/sync.md")
	case in.Async:
		return failure(api.Invalid, "provider cannot be combined with async", "docs/sync.md")
	}
	return nil
}

// syncWindow returns the time window of a run; usual is the configured one.
func syncWindow(in api.SyncRequest, usual string, now time.Time) (distill.Window, error) {
	given := in.Since != nil || in.Until != nil
	since, until := deref(in.Since), deref(in.Until)
	switch {
	case in.All && given:
		return distill.Window{}, failure(api.Invalid, "all cannot be combined with since or until", "docs/api.md")
	case in.Until != nil && since.After(until):
		return distill.Window{}, failure(api.Invalid, "since is after until", "docs/api.md")
	case given:
		return distill.Window{Since: since, Until: until}, nil
	case in.All:
		return distill.Window{}, nil
	}
	return distill.ParseWindow("", "", "", usual, now)
}

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func (d *Daemon) postMaintain(c echo.Context) error {
	var in api.MaintainRequest
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	ctx := c.Request().Context()
	projects, err := d.memoryProjects(ctx, in.Project)
	if err != nil {
		return err
	}
	o := distill.MaintainOptions{Projects: projects, DryRun: in.DryRun, IgnoreLock: in.IgnoreLock,
		RunID: distill.NewRunID(store.RunMaintain, d.o.Now())}
	out := newRunStream(c, o.RunID)
	o.Progress = out.progress
	m, err := distill.Maintain(ctx, d.world(), o)
	if err != nil {
		return out.fail(d, err)
	}
	return out.last(api.RunEvent{Maintain: maintained(m)})
}

// memoryProjects returns the projects whose memories are maintained.
func (d *Daemon) memoryProjects(ctx context.Context, name string) ([]int64, error) {
	if name == "" {
		return d.projectsWithMemories(ctx)
	}
	id, err := d.db.ProjectNamed(ctx, name)
	return []int64{id}, err
}

func (d *Daemon) projectsWithMemories(ctx context.Context) ([]int64, error) {
	roots, err := d.db.MemoryRoots(ctx)
	var ids []int64
	for _, r := range roots {
		if !slices.Contains(ids, r.Project) {
			ids = append(ids, r.Project)
		}
	}
	return ids, err
}

// runStream writes the response of a run. It writes nothing until the run has started, so that a run that cannot start
// returns a plain error. Then it writes one line of JSON at a time.
type runStream struct {
	c     echo.Context
	enc   *json.Encoder
	id    string
	last_ time.Time
}

func newRunStream(c echo.Context, id string) *runStream {
	unhurried(c)
	return &runStream{c: c, id: id, enc: json.NewEncoder(c.Response())}
}

// often is the interval between progress reports.
const often = 100 * time.Millisecond

func (s *runStream) progress(p distill.Progress) {
	if now := time.Now(); now.Sub(s.last_) >= often || p.Done == p.Total {
		s.last_ = now
		s.write(api.RunEvent{RunID: s.id, Phase: p.Phase, Done: p.Done, Total: p.Total, Bytes: p.Bytes, Size: p.Size})
	}
}

func (s *runStream) begun() bool { return s.c.Response().Committed }

func (s *runStream) write(e api.RunEvent) {
	if !s.begun() {
		s.c.Response().Header().Set(echo.HeaderContentType, "application/x-ndjson")
	}
	if s.enc.Encode(e) == nil { // if the client is gone, its context ends the run
		s.c.Response().Flush()
	}
}

func (s *runStream) last(e api.RunEvent) error {
	e.RunID = s.id
	s.write(e)
	return nil
}

func (s *runStream) fail(d *Daemon, err error) error {
	var busy *distill.BusyError
	if errors.As(err, &busy) {
		err = busyRun(busy.Owner)
	}
	if errors.Is(err, distill.ErrNoSession) {
		err = failure(api.NotFound, err.Error(), "mum queue lists the known ones")
	}
	if !s.begun() {
		return err
	}
	return s.last(api.RunEvent{Error: d.wireError(err)})
}

func busyRun(o distill.Owner) error {
	return failure(api.Conflict, (&distill.BusyError{Owner: o}).Error(), "wait (see mum status), or use --ignore-lock")
}

// synced converts a report to its API type.
func synced(r distill.Report) *api.Synced {
	out := &api.Synced{SyncTotals: api.SyncTotals(r.Summary()), Why: r.Why, Waiting: r.Waiting, Stopped: r.Stopped}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, p.String())
	}
	for _, a := range r.Actions {
		out.Actions = append(out.Actions,
			api.MemoryAction{Session: a.Session.String(), Project: a.Project.String(), Primitive: string(a.Primitive),
				Title: a.Title.String(), Action: string(a.Action), Reason: string(a.Reason), Target: a.Target, Score: a.Score,
				Path: a.Path})
	}
	return out
}

func maintained(m distill.Maintained) *api.Maintained {
	out := &api.Maintained{RunID: m.RunID, DryRun: m.DryRun, Counts: api.MaintainCounts(m.Counts), Seconds: m.Seconds,
		Failed: m.Failed, Projects: []api.MaintainProject{}}
	for _, k := range m.Projects {
		p := api.MaintainProject{Name: k.Name.String(), Memories: k.Memories, Actions: []api.MaintainAction{},
			Contradictions: k.Plan.Contradictions, Skipped: len(k.Skipped), Error: k.Error.String(),
			NotAsked:    k.NotAsked.String(),
			Consolidate: []api.MaintainProposal{}, CrossSession: []api.MaintainProposal{}}
		for _, s := range k.Plan.Steps {
			p.Actions = append(p.Actions,
				api.MaintainAction{Action: string(s.Action), Source: s.Source, Target: s.Target, Reason: string(s.Reason),
					Score: s.Score})
		}
		for _, x := range k.Plan.Consolidate {
			p.Consolidate = append(p.Consolidate, api.MaintainProposal(x))
		}
		for _, x := range k.Plan.CrossSession {
			p.CrossSession = append(p.CrossSession, api.MaintainProposal(x))
		}
		for _, b := range k.Broken {
			p.Broken = append(p.Broken, b.Path+": "+b.Why)
		}
		out.Projects = append(out.Projects, p)
	}
	return out
}

func (d *Daemon) getSync(c echo.Context) error {
	if err := onlyParams(c.QueryParams()); err != nil {
		return err
	}
	s, err := d.syncStatus(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, s)
}

// shownRuns is how many runs a status lists.
const shownRuns = 5

func (d *Daemon) syncStatus(ctx context.Context) (api.SyncStatus, error) {
	out := api.SyncStatus{Enabled: d.o.Config.Sync.Enabled, Runs: []api.Run{}}
	if o, ok := distill.Running(string(d.o.Home)); ok {
		out.Running = &api.RunOwner{PID: o.PID, RunID: o.Run, Does: o.Does, Since: o.Since}
	}
	var err error
	out.Asked = d.agentStatus(ctx)
	if out.Queue, err = d.db.SyncCounts(ctx); err != nil {
		return out, err
	}
	rows, err := d.db.Runs(ctx, "", shownRuns)
	for _, r := range rows {
		run := api.Run{RunID: r.ID, Kind: string(r.Kind), Started: time.UnixMilli(r.Started).UTC(),
			Outcome: string(r.Outcome), Sessions: r.Sessions, Added: r.Added, Updated: r.Updated, Archived: r.Archived,
			Failed: r.Failed, Error: r.Error}
		if r.Finished != nil {
			at := time.UnixMilli(*r.Finished).UTC()
			run.Finished = &at
		}
		out.Runs = append(out.Runs, run)
	}
	return out, err
}
