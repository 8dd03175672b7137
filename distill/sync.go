package distill

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/store"
	"keepmum/trace"
)

// run is one run of sync.
type run struct {
	w       World
	o       SyncOptions
	id      privacy.Clean
	now     time.Time // when it began
	report  Report
	survey  *survey
	books   map[string]*book
	meter   *meter
	repeats repeats
	tried   int         // sessions processed, or attempted
	named   bool        // a project with the requested name exists
	steps   []extracted // for the artifacts
	trace   *trace.Run
	log     []privacy.Clean

	heuristic *extract.Heuristic            // finds rules; nil = not made yet
	rules     map[saidRule][]store.RuleMark // of this run, because a dry run stores none

	bar    *review.Bar // how this user's reviews shift the threshold; nil = not read yet
	nevers []memory.Memory

	adjourned int // sessions left unread for the next run
}

// ErrNoSession means that the requested session does not exist.
var ErrNoSession = errors.New("there is no session with that id")

// NewRunID names a run: what it does, when, and six hex digits.
func NewRunID(kind store.RunKind, now time.Time) string {
	var bits [3]byte
	_, _ = rand.Read(bits[:]) // never fails, according to its documentation
	return fmt.Sprintf("%s-%s-%s", kind, now.UTC().Format("20060102-150405"), hex.EncodeToString(bits[:]))
}

// Sync looks for sessions with something new and writes what they taught. If a session or a database fails, the others
// continue, and the report counts the failure. It returns an error only for what ends a run: a lock that is held
// ([BusyError]), a store that cannot be written, a cancelled ctx.
func Sync(ctx context.Context, w World, o SyncOptions) (Report, error) {
	r := newRun(w.withDefaults(), o)
	if o.DryRun {
		return r.finish(ctx, r.sync(ctx))
	}
	if !o.IgnoreLock {
		l, err := take(LockPath(r.w.Home), Owner{PID: os.Getpid(), Run: r.report.RunID, Does: "sync", Since: r.now})
		if err != nil {
			return r.report, err
		}
		defer func() { _ = l.release() }() // the end of the process releases it anyway
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	if err := errors.Join(r.w.DB.BeginRun(ctx, r.id, store.RunSync, r.now), r.w.DB.ReclaimSync(ctx)); err != nil {
		return r.report, err
	}
	r.trace = r.w.Trace(r.report.RunID, "sync")
	return r.finish(ctx, r.sync(trace.Watch(ctx, r.trace)))
}

// gcPercent applies during a run, of which there is only one at a time: it makes much garbage with a small heap.
// Collecting half as often saves a seventh of its time.
const gcPercent = 200

func newRun(w World, o SyncOptions) *run {
	now := w.Now()
	if o.RunID == "" {
		o.RunID = NewRunID(store.RunSync, now)
	}
	if o.Session != "" {
		o.Window = Window{}
	}
	r := &run{w: w, o: o, now: now, books: map[string]*book{}, repeats: repeats{},
		rules: map[saidRule][]store.RuleMark{}}
	r.id, _ = w.Gate.Text(o.RunID)
	r.report = Report{RunID: o.RunID, DryRun: o.DryRun, Window: o.Window, projects: map[string]bool{},
		indexed: map[string]bool{}}
	return r
}

// sync does the work of the run, between its beginning and finish.
func (r *run) sync(ctx context.Context) error {
	if r.o.Force && !r.o.DryRun && !r.o.NoExtract {
		if err := r.requeue(ctx); err != nil {
			return err
		}
	}
	known, err := r.w.DB.Catalogue(ctx)
	if err != nil {
		return err
	}
	if r.survey, err = r.look(ctx); err != nil {
		return err
	}
	for _, err := range r.survey.failed {
		r.problem(err)
	}
	r.report.Scanned = r.scanned(known)
	if r.o.Session != "" && !r.meets(known) {
		return ErrNoSession
	}
	if err := r.each(ctx, known); err != nil || r.o.NoExtract {
		return err
	}
	if err := r.noted(ctx); err != nil {
		return err
	}
	return r.isNamed(ctx)
}

// meets reports whether the requested session exists.
func (r *run) meets(known map[string]store.CatalogueRow) bool {
	for key, row := range known {
		if r.o.Session == key || r.o.Session == row.Native {
			return true
		}
	}
	for key, f := range r.survey.sessions {
		if r.o.Session == key || r.o.Session == f.src.ID {
			return true
		}
	}
	return false
}

// scanned counts the existing sessions, including those in databases that were not opened.
func (r *run) scanned(known map[string]store.CatalogueRow) int {
	n := len(r.survey.sessions)
	for key, row := range known {
		b := r.survey.bases[row.Source]
		if b != nil && b.same && r.survey.sessions[key] == nil {
			n++
			r.survey.countUnchanged(r.o.Window.holds(time.UnixMilli(row.Ended)))
		}
	}
	return n
}

// problem records a failure that does not end the run.
func (r *run) problem(err error) {
	r.report.Failed++
	why := r.w.reason(err)
	r.report.Problems = append(r.report.Problems, why)
	r.note(why)
}

// note adds a line to the run's own log.
func (r *run) note(parts ...privacy.Clean) {
	r.log = append(r.log, privacy.Join(" ", parts...))
}

// yields reports whether the run should end early.
func (r *run) yields() bool {
	if r.o.Yield != nil && r.o.Yield() {
		r.report.Stopped = true
	}
	return r.report.Stopped
}

// finish closes the books, even if the run was stopped: what was written must be in the index.
func (r *run) finish(ctx context.Context, err error) (Report, error) {
	live := context.WithoutCancel(ctx)
	if cerr := r.closeBooks(live); cerr != nil { // the next run writes the overview files
		r.problem(cerr)
	}
	r.report.Took = r.w.Now().Sub(r.now)
	if r.o.DryRun {
		return r.report, err
	}
	if counts, cerr := r.w.DB.SyncCounts(live); cerr == nil {
		r.report.Waiting = int(counts[string(store.SyncPending)]+counts[string(store.SyncFailed)]) + r.adjourned
	}
	err = errors.Join(err, r.artifacts())
	if r.worked() {
		err = errors.Join(err,
			logActivity(r.w.Home, r.now, "sync", r.report.projects, r.report.Extracted, "session", r.report.Took))
	}
	result := r.outcome(err)
	err = errors.Join(err, r.trace.End(string(result.Outcome), result.Error.String()))
	return r.report, errors.Join(err, r.w.DB.EndRun(live, r.id, r.w.Now(), result))
}

// worked reports whether the run has anything worth recording. Runs every ten minutes that found nothing would fill the
// disk.
func (r *run) worked() bool {
	p := &r.report
	return p.Indexed+p.Extracted+p.Failed+len(p.Actions) > 0
}

// outcome summarises the run for the list of runs.
func (r *run) outcome(err error) store.RunResult {
	p := &r.report
	out := store.RunResult{Outcome: store.OutcomeDone, Sessions: p.Extracted, Added: p.Decisions + p.Learnings,
		Updated: p.Updated, Failed: p.Failed}
	switch {
	case errors.Is(err, context.Canceled):
		out.Outcome = store.OutcomeStopped
	case errors.Is(err, ErrNoSession), errors.Is(err, store.ErrNoProject): // what was asked for is wrong, not the run
		out.Error = r.w.reason(err)
	case err != nil:
		out.Outcome, out.Error = store.OutcomeFailed, r.w.reason(err)
	case p.Stopped:
		out.Outcome = store.OutcomeStopped
	case p.Partly():
		out.Outcome = store.OutcomePartial
		if len(p.Problems) > 0 {
			out.Error = p.Problems[0]
		}
	}
	return out
}
