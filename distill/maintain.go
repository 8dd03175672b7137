package distill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// MaintainOptions select what a maintain run does.
type MaintainOptions struct {
	Projects   []int64 // projects to maintain (0 = memories without a project)
	DryRun     bool    // compute what would be done, write nothing
	IgnoreLock bool
	RunID      string         // "" = a new one; see [NewRunID]
	Progress   func(Progress) // nil = not reported
	Yield      func() bool    // if true, stop asking a model; nil = never
}

// Maintained is the result of a maintain run.
type Maintained struct {
	RunID    string        `json:"run_id"`
	DryRun   bool          `json:"dry_run,omitempty"`
	Counts   memory.Counts `json:"counts"`
	Projects []Kept        `json:"projects"`
	Failed   int           `json:"projects_failed"`
	Took     time.Duration `json:"-"`
	Seconds  float64       `json:"duration_seconds"`
}

// Kept is the plan for the memories of one project, and its result.
type Kept struct {
	Project     int64           `json:"project"`
	Name        privacy.Clean   `json:"name"`
	Memories    int             `json:"memories"`
	Plan        memory.Plan     `json:"plan"`
	Skipped     []memory.Step   `json:"skipped,omitempty"`  // edited at the same moment: the next run handles them
	Broken      []memory.Broken `json:"broken,omitempty"`   // malformed files, which are left unchanged
	NotAsked    privacy.Clean   `json:"not_asked,omitzero"` // why no model was asked to consolidate memories
	Error       privacy.Clean   `json:"error,omitzero"`
	regenerated bool            // an overview file changed
}

// Maintain tidies memories: it merges near-duplicates, archives faded ones, and rebuilds the overview files. A second
// run right after it changes nothing. If a project fails, the others continue.
func Maintain(ctx context.Context, w World, o MaintainOptions) (Maintained, error) {
	w = w.withDefaults()
	now := w.Now()
	if o.RunID == "" {
		o.RunID = NewRunID(store.RunMaintain, now)
	}
	out := Maintained{RunID: o.RunID, DryRun: o.DryRun, Projects: []Kept{}}
	if o.DryRun {
		return out, maintain(ctx, w, o, now, &out)
	}
	if !o.IgnoreLock {
		l, err := take(LockPath(w.Home), Owner{PID: os.Getpid(), Run: o.RunID, Does: "maintain", Since: now})
		if err != nil {
			return out, err
		}
		defer func() { _ = l.release() }() // the end of the process releases it anyway
	}
	id, _ := w.Gate.Text(o.RunID)
	if err := w.DB.BeginRun(ctx, id, store.RunMaintain, now); err != nil {
		return out, err
	}
	t := w.Trace(o.RunID, "maintain")
	err := maintain(trace.Watch(ctx, t), w, o, now, &out)
	for i := range out.Projects {
		traceKept(t, &out.Projects[i])
	}
	live := context.WithoutCancel(ctx)
	if out.changed() {
		err = errors.Join(err, record(w, &out, now))
	}
	result := out.result(w, err)
	err = errors.Join(err, t.End(string(result.Outcome), result.Error.String()))
	return out, errors.Join(err, w.DB.EndRun(live, id, w.Now(), result))
}

// maintain maintains one project after another.
func maintain(ctx context.Context, w World, o MaintainOptions, now time.Time, out *Maintained) error {
	for i, project := range o.Projects {
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(Progress{Phase: "maintain", Done: i, Total: len(o.Projects)})
		}
		k, err := keep(ctx, w, o, project, now)
		if err != nil {
			k.Error = w.reason(err)
			out.Failed++
		}
		out.add(k)
	}
	out.Took = w.Now().Sub(now)
	out.Seconds = out.Took.Seconds()
	return nil
}

// keep makes a plan for the memories of one project and, unless it is a dry run, applies it.
func keep(ctx context.Context, w World, o MaintainOptions, project int64, now time.Time) (Kept, error) {
	k := Kept{Project: project}
	if name, err := w.DB.ProjectName(ctx, project); err == nil {
		k.Name, _ = w.Gate.Text(name)
	}
	place, err := w.Place(ctx, project)
	if err != nil {
		return k, fmt.Errorf("find the memories: %w", err)
	}
	if _, err := os.Stat(place.Root); errors.Is(err, os.ErrNotExist) {
		return k, nil // nothing was learned yet
	}
	tree, err := place.open(w)
	if err != nil {
		return k, err
	}
	l, err := tree.Load()
	if err != nil {
		return k, fmt.Errorf("read the memories: %w", err)
	}
	k.Memories, k.Broken = len(l.Active), l.Broken
	k.Plan = plan(ctx, l, place, now)
	if o.DryRun {
		return k, nil
	}
	return k, k.apply(ctx, w, o, tree, l, place, now)
}

// A word is common if it occurs in at least one of commonShare documents, provided there are enough documents.
const (
	enoughDocs  = 20
	commonShare = 5 // one in this many
)

// plan makes a plan for the memories of a place. Words that are common in the project are not topics.
func plan(ctx context.Context, l memory.Listing, place Place, now time.Time) memory.Plan {
	p := memory.PlanMaintenance(l, place.Access, now, place.Decay)
	if place.Words == nil {
		return p
	}
	p.WithoutCommon(func(words []string) map[string]bool {
		in, docs, err := place.Words.DocumentFrequencies(ctx, words)
		common := map[string]bool{}
		for word, n := range in {
			common[word] = err == nil && docs >= enoughDocs && n*commonShare > docs
		}
		return common
	})
	return p
}

// maxRounds limits how often a tree is planned: a consolidated memory may belong to others in turn.
const maxRounds = 5

// apply carries out the plan, consolidates, and plans again until nothing is left to do.
func (k *Kept) apply(ctx context.Context, w World, o MaintainOptions, tree *memory.Tree, l memory.Listing, place Place,
	now time.Time) error {
	id, _ := w.Gate.Text(o.RunID)
	by := memory.Stamp{Now: now, By: id}
	changed, next := 0, k.Plan
	for round := range maxRounds {
		done, err := memory.Apply(tree, l, next, by)
		k.Skipped, changed = append(k.Skipped, done.Skipped...), changed+len(done.Done)
		if err != nil {
			return fmt.Errorf("apply the plan: %w", err)
		}
		if round == maxRounds-1 {
			break
		}
		n, err := k.consolidate(ctx, w, o, tree, by)
		if err != nil {
			return fmt.Errorf("consolidate memories: %w", err)
		}
		if n == 0 {
			break
		}
		if l, err = tree.Load(); err != nil {
			return fmt.Errorf("read the memories: %w", err)
		}
		next, changed = plan(ctx, l, place, now), changed+n
		k.Plan.Then(next)
	}
	return k.finish(ctx, tree, place, now, changed)
}

// finish rebuilds what is derived from the memories.
func (k *Kept) finish(ctx context.Context, tree *memory.Tree, place Place, now time.Time, changed int) (err error) {
	if k.regenerated, err = tree.Regenerate(place.Access, now, place.Decay); err != nil {
		return fmt.Errorf("write the list of memories: %w", err)
	}
	if (changed > 0 || k.regenerated) && place.Wrote != nil {
		if err := place.Wrote(ctx); err != nil {
			return fmt.Errorf("index the memories: %w", err)
		}
	}
	return nil
}

// consolidate replaces each cluster by one memory, if a model can word it. Clusters for which it gives no acceptable
// text stay proposals.
func (k *Kept) consolidate(ctx context.Context, w World, o MaintainOptions, tree *memory.Tree,
	by memory.Stamp) (n int, err error) {
	if w.Consolidate == nil || len(k.Plan.Consolidate) == 0 {
		return 0, nil
	}
	l, err := tree.Load()
	if err != nil {
		return 0, err
	}
	for _, c := range memory.Clusters(l, k.Plan) {
		if o.Yield != nil && o.Yield() {
			return n, nil
		}
		title, body, ok, err := w.Consolidate(ctx, c)
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err != nil { // the others would fail in the same way
			k.NotAsked, _ = w.Gate.Text(err.Error())
			return n, nil
		}
		if !ok {
			continue
		}
		m, err := tree.Consolidate(c, title, body, by)
		if errors.Is(err, memory.ErrInvalid) || errors.Is(err, memory.ErrChanged) {
			continue
		}
		if err != nil {
			return n, err
		}
		k.Plan.Consolidated(c, m)
		n += len(c.Members)
	}
	return n, nil
}

func (m *Maintained) add(k Kept) {
	m.Projects = append(m.Projects, k)
	c := k.Plan.Counts
	m.Counts.Merged += c.Merged
	m.Counts.Archived += c.Archived
	m.Counts.Consolidated += c.Consolidated
	m.Counts.Decayed += c.Decayed
	m.Counts.Unchanged += c.Unchanged
}

// changed reports whether the run did anything worth recording.
func (m *Maintained) changed() bool {
	n := m.Failed
	for _, k := range m.Projects {
		n += len(k.Plan.Steps)
	}
	return n > 0
}

// result summarises the run for the list of runs.
func (m *Maintained) result(w World, err error) store.RunResult {
	out := store.RunResult{Outcome: store.OutcomeDone,
		Archived: m.Counts.Archived + m.Counts.Merged + m.Counts.Consolidated, Failed: m.Failed}
	switch {
	case errors.Is(err, context.Canceled):
		out.Outcome = store.OutcomeStopped
	case err != nil:
		out.Outcome, out.Error = store.OutcomeFailed, w.reason(err)
	case m.Failed > 0:
		out.Outcome = store.OutcomePartial
	}
	return out
}

// record writes what a run did to the files of the run and to the activity log.
func record(w World, m *Maintained, now time.Time) error {
	names, steps := map[string]bool{}, 0
	for _, k := range m.Projects {
		names[k.Name.String()] = true
		steps += len(k.Plan.Steps)
	}
	return errors.Join(
		writeRun(w.Home, m.RunID, map[string]any{"maintain_actions.json": m}),
		logActivity(w.Home, now, "maintain", names, steps, "action", m.Took))
}
