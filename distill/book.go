package distill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// book holds the memories of one project during a run.
type book struct {
	place   Place
	tree    *memory.Tree
	judges  map[string]*memory.Judge // by branch, with the memories that apply there
	byID    map[string]memory.Memory
	told    map[string]memory.Summary // by agent and session
	changed bool                      // something was written
}

// open returns the memories of a project.
func (r *run) open(ctx context.Context, project int64, name string) (*book, error) {
	if project == store.NoProject {
		return r.empty(name), nil
	}
	place, err := r.w.Place(ctx, project)
	if err != nil {
		return nil, fmt.Errorf("find the memories: %w", err)
	}
	if b := r.books[place.Root]; b != nil { // several projects may share a tree
		return b, nil
	}
	tree, err := place.open(r.w)
	if err != nil {
		return nil, err
	}
	b := &book{place: place, tree: tree}
	if err := b.load(); err != nil {
		return nil, err
	}
	r.books[place.Root] = b
	return b, nil
}

// empty is the book of a project that a dry run would create: it has no memories yet.
func (r *run) empty(name string) *book {
	key := "\x00" + name // no directory has such a name
	b := r.books[key]
	if b == nil {
		b = &book{judges: map[string]*memory.Judge{}, byID: map[string]memory.Memory{}}
		r.books[key] = b
	}
	return b
}

// load reads the memories again, and forgets the judges, which know the earlier ones.
func (b *book) load() error {
	l, err := b.tree.Load()
	if err != nil {
		return fmt.Errorf("read the memories: %w", err)
	}
	all := l.Memories()
	b.judges, b.byID = map[string]*memory.Judge{}, make(map[string]memory.Memory, len(all))
	for _, m := range all {
		b.byID[m.ID] = m
	}
	b.told = make(map[string]memory.Summary, len(l.Summaries))
	for _, s := range l.Summaries {
		b.told[s.Agent+"/"+s.Session] = s
	}
	return nil
}

// write decides about the candidates of a session and writes the result.
func (r *run) write(ctx context.Context, row store.CatalogueRow, ses extract.Session, res extract.Result) error {
	b, err := r.open(ctx, row.Project, row.ProjectName)
	if err != nil {
		return err
	}
	if err := r.dropForgotten(ctx, row, ses, &res); err != nil {
		return err
	}
	if err := r.bindToBranch(ctx, row, ses, &res); err != nil {
		return err
	}
	if row.Project == store.NoProjectRow { // a memory without a project is told in every project
		res.Propose(extract.NoFolder)
	}
	r.steps = append(r.steps, extractedOf(ses, res))
	r.traceSession(ses, res)
	for _, c := range res.Candidates {
		a, err := r.put(ctx, b, c)
		if err != nil {
			return fmt.Errorf("write a memory: %w", err)
		}
		r.acted(a, ses, c)
	}
	if err := r.propose(ctx, b, row, ses, res.Below); err != nil {
		return err
	}
	return r.summarise(b, row, ses, res.Summary)
}

// dropForgotten removes from a result what was forgotten since the session was read.
func (r *run) dropForgotten(ctx context.Context, row store.CatalogueRow, ses extract.Session,
	res *extract.Result) error {
	parent, _ := r.w.Gate.Text(row.Parent)
	until, err := r.forgottenUntil(ctx, ses.Agent, ses.ID, parent)
	if err != nil {
		return err
	}
	texts, err := r.w.DB.ForgottenTexts(ctx)
	if err != nil {
		return err
	}
	clean := func(c *memory.Candidate) {
		if c.At.IsZero() {
			c.At = ses.End
		}
		c.Title, c.Body = texts.Without(c.Title), texts.Without(c.Body)
	}
	for i := range res.Candidates {
		clean(&res.Candidates[i])
	}
	for i := range res.Below {
		clean(&res.Below[i].Candidate)
	}
	gone := func(c memory.Candidate) bool { return !until.IsZero() && !c.At.After(until) }
	res.Candidates = slices.DeleteFunc(res.Candidates, gone)
	res.Below = slices.DeleteFunc(res.Below, func(b extract.Below) bool { return gone(b.Candidate) })
	sum := &res.Summary
	if !until.IsZero() && !ses.End.After(until) {
		*sum = extract.Summary{}
	}
	for _, c := range []*privacy.Clean{&sum.Title, &sum.Description, &sum.Intent, &sum.Happened} {
		*c = texts.Without(*c)
	}
	return nil
}

// put decides about one candidate. If someone edits the file at the same moment, it is read again once; if that fails
// too, their version stays.
func (r *run) put(ctx context.Context, b *book, c memory.Candidate) (Action, error) {
	if b.place.Buried != nil {
		if gone, err := b.place.Buried(ctx, c); gone || err != nil {
			return Action{Action: memory.Noop, Reason: memory.Forgotten}, err
		}
	}
	for range 2 {
		v := b.judge(c).Decide(c)
		if replaces(v) && c.YieldsTo(b.byID[v.Target]) {
			v.Action = memory.Reject
		}
		a := Action{Action: v.Action, Reason: v.Reason, Target: v.Target, Score: v.Score}
		if r.o.DryRun {
			b.pretend(c, v)
			return a, nil
		}
		m, wrote, err := r.carryOut(b, c, v)
		if errors.Is(err, memory.ErrChanged) || errors.Is(err, memory.ErrNotFound) {
			if err := b.load(); err != nil {
				return a, err
			}
			continue
		}
		if errors.Is(err, memory.ErrInvalid) { // only this one cannot be stored
			r.note(privacy.Const("not kept:"), r.w.reason(err))
			return Action{Action: memory.Reject, Reason: notValid}, nil
		}
		if err != nil {
			return a, err
		}
		if wrote {
			a.Path = m.Path
			b.changed = true
		}
		return a, nil
	}
	return Action{}, memory.ErrChanged
}

// notValid is the reason to refuse a candidate that cannot be written to a file.
const notValid memory.Reason = "not_valid"

// carryOut does what a verdict says, and reports whether anything was written.
func (r *run) carryOut(b *book, c memory.Candidate, v memory.Verdict) (m memory.Memory, wrote bool, err error) {
	stamp := memory.Stamp{Now: r.w.Now(), By: r.id}
	switch v.Action {
	case memory.Add:
		m, err = b.tree.Add(c, stamp)
	case memory.Update:
		m, err = b.tree.Update(b.byID[v.Target], c, stamp)
	case memory.Supersede:
		m, err = b.tree.Supersede(c, stamp, b.byID[v.Target])
	case memory.Instead:
		m, err = b.tree.Instead(c, stamp, b.byID[v.Target])
	case memory.History:
		m, err = b.tree.History(c, stamp, b.byID[v.Target])
	default:
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	b.put(m)
	if v.Action != memory.Add && v.Action != memory.Update {
		return m, true, b.load() // the older memory moved, or its text or branch changed
	}
	return m, true, nil
}

// judge returns the judge for the branch of a candidate.
func (b *book) judge(c memory.Candidate) *memory.Judge {
	branch := c.On()
	if b.judges[branch] == nil {
		b.judges[branch] = memory.NewJudge(memory.Visible(slices.Collect(maps.Values(b.byID)), branch), nil)
	}
	return b.judges[branch]
}

func (b *book) put(m memory.Memory) {
	b.byID[m.ID] = m
	for branch, j := range b.judges {
		if on := m.On(); on == "" || on == branch {
			j.Put(m)
		}
	}
}

// bindToBranch records where the candidates of a session apply: on the branch that was checked out when they were said,
// if the agent or a hook recorded it, otherwise on that of the session.
func (r *run) bindToBranch(ctx context.Context, row store.CatalogueRow, ses extract.Session,
	res *extract.Result) error {
	if r.w.Branch == nil || ses.Branch.IsZero() {
		return nil
	}
	var all []*memory.Candidate
	for i := range res.Candidates {
		all = append(all, &res.Candidates[i])
	}
	for i := range res.Below {
		all = append(all, &res.Below[i].Candidate)
	}
	known := map[string]memory.Branch{}
	for _, c := range all {
		name, err := r.saidOn(ctx, ses, *c)
		if err != nil {
			return fmt.Errorf("find where it was said: %w", err)
		}
		at, ok := known[name.String()]
		if !ok {
			if at, err = r.w.Branch(ctx, row.Project, name); err != nil {
				return fmt.Errorf("find the branch: %w", err)
			}
			known[name.String()] = at
		}
		c.Branch = at
	}
	return nil
}

// saidOn returns the branch that was checked out when a candidate was said.
func (r *run) saidOn(ctx context.Context, ses extract.Session, c memory.Candidate) (privacy.Clean, error) {
	for _, from := range c.Sources {
		for _, st := range ses.Steps {
			if st.Ref.String() == from.Ref.String() && !st.Branch.IsZero() {
				return st.Branch, nil
			}
		}
		_, doc := store.Place(from.Ref.String())
		rows, err := r.w.DB.Observations(ctx, []int64{doc})
		if err != nil {
			return ses.Branch, err
		}
		if len(rows) > 0 && rows[0].Branch != "" {
			name, _ := r.w.Gate.Text(rows[0].Branch)
			return name, nil
		}
	}
	return ses.Branch, nil
}

// pretend tells the judge of a dry run what would have been written.
func (b *book) pretend(c memory.Candidate, v memory.Verdict) {
	if v.Action != memory.Add && v.Action != memory.Supersede && v.Action != memory.Instead {
		return
	}
	m := memory.Memory{ID: "dry-run:" + c.Title.String(), Primitive: c.Primitive, Kind: c.Kind, Title: c.Title.String(),
		Body: c.Body.String(), Confidence: c.Confidence, Created: c.At, Updated: c.At, ValidFrom: c.At, Branch: c.On()}
	for _, t := range c.Tags {
		m.Tags = append(m.Tags, t.String())
	}
	b.put(m)
}

// closeBooks writes the overview files of memories that changed and updates their index.
func (r *run) closeBooks(ctx context.Context) error {
	var errs []error
	for _, b := range r.books {
		if !b.changed {
			continue
		}
		if _, err := b.tree.Regenerate(b.place.Access, r.w.Now(), b.place.Decay); err != nil {
			errs = append(errs, fmt.Errorf("write the list of memories: %w", err))
		}
		if b.place.Wrote != nil {
			if err := b.place.Wrote(ctx); err != nil {
				errs = append(errs, fmt.Errorf("index the memories: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// summarise writes what happened in a session. What a subagent did belongs to the session that started it.
func (r *run) summarise(b *book, row store.CatalogueRow, ses extract.Session, sum extract.Summary) error {
	if r.o.DryRun || row.Parent != "" || sum.Title.IsZero() {
		return nil
	}
	d := memory.Draft{Title: sum.Title, Description: sum.Description, Agent: ses.Agent, Session: ses.ID, Repo: ses.Project,
		Branch: ses.Branch, Tags: sum.Tags, Intent: sum.Intent, Happened: sum.Happened, At: ses.End}
	if err := b.summarise(d, memory.Stamp{Now: r.w.Now(), By: r.id}); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	b.changed = true
	return nil
}

// summarise writes a summary over the existing one. If someone edits that at the same moment, it tries once more.
func (b *book) summarise(d memory.Draft, by memory.Stamp) error {
	var old *memory.Summary
	key := d.Agent.String() + "/" + d.Session.String()
	if s, ok := b.told[key]; ok {
		old = &s
	}
	out, err := b.tree.WriteSummaryOver(old, d, by)
	if errors.Is(err, memory.ErrChanged) {
		out, err = b.tree.WriteSummary(d, by)
	}
	if err == nil {
		b.told[key] = out
	}
	return err
}

// extracted is what a session yielded, for the artifacts.
type extracted struct {
	Session    privacy.Clean `json:"session"`
	Agent      privacy.Clean `json:"agent"`
	Project    privacy.Clean `json:"project"`
	Steps      int           `json:"steps"`
	By         string        `json:"by"`                 // the heuristic, or a model
	Fallback   string        `json:"fallback,omitempty"` // why the heuristic answered although a model is configured
	Candidates []candidate   `json:"candidates"`
}

// candidate is a candidate without its body, which is written to the memory and nowhere else.
type candidate struct {
	Primitive  memory.Primitive `json:"primitive"`
	Kind       memory.Kind      `json:"kind,omitempty"`
	Title      privacy.Clean    `json:"title"`
	Confidence float64          `json:"confidence"`
	Tags       []privacy.Clean  `json:"tags,omitempty"`
	Told       bool             `json:"told,omitempty"`
	Sources    []sourceRef      `json:"sources,omitempty"`
}

type sourceRef struct {
	Session privacy.Clean `json:"session"`
	Ref     privacy.Clean `json:"ref"`
}

func extractedOf(ses extract.Session, res extract.Result) extracted {
	out := extracted{By: res.By, Fallback: res.Fallback, Session: ses.ID, Agent: ses.Agent, Project: ses.Project,
		Steps: len(ses.Steps), Candidates: []candidate{}}
	for _, c := range res.Candidates {
		one := candidate{Primitive: c.Primitive, Kind: c.Kind, Title: c.Title, Confidence: c.Confidence, Tags: c.Tags,
			Told: c.Told}
		for _, s := range c.Sources {
			one.Sources = append(one.Sources, sourceRef{s.Session, s.Ref})
		}
		out.Candidates = append(out.Candidates, one)
	}
	return out
}
