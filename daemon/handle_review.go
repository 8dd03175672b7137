package daemon

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/store"
)

// getReview lists the proposals that wait for the user. Agents never see them: MCP has no tool for it.
func (d *Daemon) getReview(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory", "limit", "hidden"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	limit, err1 := intParam(q, "limit", 20, 0, 1000) // 0 = only count them
	at, err2 := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	bar, err3 := d.reviews.Bar()
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	f := store.ProposalFilter{Projects: proposalsOf(at.project), Hidden: true}
	all, err := d.db.Proposals(ctx, f)
	if err != nil {
		return err
	}
	f.Hidden = q.Get("hidden") == "true"
	rows, err := d.db.Proposals(ctx, f)
	if err != nil {
		return err
	}
	out := api.Proposals{Proposals: []api.Proposal{}, Open: len(rows), Hidden: len(all) - len(rows), Labels: bar.Labels}
	var seen []int64
	for i := range rows[:min(limit, len(rows))] {
		out.Proposals = append(out.Proposals, wireProposal(&rows[i]))
		seen = append(seen, rows[i].ID)
	}
	if len(seen) > 0 {
		err = d.db.LookedAt(ctx, seen)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func wireProposal(p *store.ProposalRow) api.Proposal {
	return api.Proposal{ID: p.ID, State: string(p.State), Title: p.Title, Body: p.Body, Primitive: p.Form, Kind: p.Kind,
		Tags: p.Tags(), Sentence: p.Sentence, Why: p.Why, Confidence: p.Confidence, Project: p.ProjectName,
		ProjectID: p.Project,
		Session:   p.Session, Said: time.UnixMilli(p.Said).UTC(),
		Memory: p.Memory}
}

// postReview applies the user's decision about one proposal.
func (d *Daemon) postReview(c echo.Context) error {
	var in api.ReviewAct
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return failure(api.Invalid, "give the number of a proposal", "mum review --json")
	}
	ctx := c.Request().Context()
	p, err := d.db.Proposal(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, "there is no such proposal", "mum review --json lists those that wait")
	}
	if err != nil {
		return err
	}
	out, err := d.review(ctx, &p, review.Act(c.Param("act")), in)
	if err != nil {
		return memoryError(err)
	}
	return c.JSON(http.StatusOK, out)
}

// review carries out the decision and records it. The label is written last, so that it always describes something that
// happened.
func (d *Daemon) review(ctx context.Context, p *store.ProposalRow, act review.Act,
	in api.ReviewAct) (out api.Reviewed, err error) {
	words := in != (api.ReviewAct{})
	if open := p.State == store.ProposalOpen; open == (act == review.Undo) {
		return out, failure(api.Conflict, "that proposal is "+stateWords(p.State), "mum review undo ID reopens a proposal")
	}
	if words && act != review.Keep {
		return out, failure(api.Invalid, "words can only be combined with keep", "docs/api.md")
	}
	out.Action = string(act)
	switch act {
	case review.Keep:
		if words {
			act, out.Action = review.Edit, string(review.Edit)
		}
		out.Written, err = d.keepProposal(ctx, p, in)
		if err == nil {
			err = d.decide(ctx, p, store.ProposalKept, out.Written.Memory.Entry)
		}
	case review.Drop:
		err = d.decide(ctx, p, store.ProposalDropped, 0)
	case review.Never:
		err = d.decide(ctx, p, store.ProposalNever, 0)
	case review.Undo:
		if err = d.unkeep(ctx, p); err == nil {
			err = d.decide(ctx, p, store.ProposalOpen, 0)
		}
	default:
		err = failure(api.Invalid, "the action must be keep, edit, drop, never or undo",
			"keep, drop, never, undo")
	}
	if err == nil {
		err = d.reviews.Add(d.label(p, act))
	}
	if err == nil {
		*p, err = d.db.Proposal(ctx, p.ID)
	}
	out.Proposal = wireProposal(p)
	return out, err
}

// stateWords says what was done with a proposal.
func stateWords(s store.ProposalState) string {
	if s == store.ProposalNever {
		return "dropped, and nothing like it is proposed again"
	}
	return string(s)
}

func (d *Daemon) decide(ctx context.Context, p *store.ProposalRow, state store.ProposalState, entry int64) error {
	return d.db.DecideProposal(ctx, p.ID, state, entry)
}

// label returns the record of a decision. Text from the database is plain text again and passes the gate.
func (d *Daemon) label(p *store.ProposalRow, act review.Act) review.Label {
	c := d.intake.Gate().Event(privacy.Raw{Stored: true,
		Fields: map[string]string{"title": p.Title, "sentence": p.Sentence}})
	kind := p.Kind
	if kind == "" {
		kind = p.Form
	}
	return review.Label{At: d.o.Now().UTC(), Act: act, Proposal: p.ID, Why: p.Why, Kind: kind, Confidence: p.Confidence,
		Title: c.Fields["title"], Sentence: c.Fields["sentence"]}
}

// keepProposal makes a memory of a proposal, with the user's wording if given. From then on it counts as the user's
// own.
func (d *Daemon) keepProposal(ctx context.Context, p *store.ProposalRow, in api.ReviewAct) (*api.MemoryWritten, error) {
	add := api.MemoryAdd{Title: p.Title, Body: p.Body, Tags: p.Tags(), Primitive: p.Form, Kind: p.Kind}
	for from, to := range map[*string]*string{in.Title: &add.Title, in.Body: &add.Body} {
		if from != nil {
			*to = *from
		}
	}
	if in.Tags != nil {
		add.Tags = *in.Tags
	}
	fillAdd(&add)
	root, err := d.rootOf(ctx, p.Project)
	if err != nil {
		return nil, err
	}
	t, err := d.openTree(root)
	if err != nil {
		return nil, err
	}
	c, _, found := t.candidate(add)
	from := t.gate.Event(privacy.Raw{Stored: true, Fields: map[string]string{"session": p.Session, "ref": p.Ref}}).Fields
	c.At, c.Sources = time.UnixMilli(p.Said), []memory.Source{{Session: from["session"], Ref: from["ref"]}}
	branch, _ := t.gate.Text(p.Branch)
	if c.Branch, err = d.learnedOn(ctx, p.Project, branch); err != nil {
		return nil, err
	}
	out, err := d.addCandidate(ctx, t, c, privacy.Const("cli"), false, found)
	if err == nil && out.Memory.State == string(store.MemoryArchived) {
		out.Memory.State, err = string(store.MemoryActive), d.unarchive(ctx, out.Memory.Entry)
	}
	return &out, err
}

// unarchive brings a memory back whose proposal is kept after all: it was archived when the first keep was undone.
func (d *Daemon) unarchive(ctx context.Context, entry int64) error {
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: []int64{entry}, AnyState: true})
	if err != nil || len(rows) == 0 {
		return err
	}
	t, m, err := d.fileOfRow(ctx, rows[0])
	if err != nil {
		return err
	}
	if _, err := d.restoreMemory(t, m, d.stamp(privacy.Const("cli"))); err != nil {
		return err
	}
	return d.written(ctx, t.root)
}

// unkeep archives the memory that was made of a proposal, unless it existed before or has been changed since, and
// reopens the other proposals that it closed.
func (d *Daemon) unkeep(ctx context.Context, p *store.ProposalRow) error {
	if p.Memory == 0 {
		return nil
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: []int64{p.Memory}})
	if err != nil || len(rows) == 0 {
		return err // it is already archived or removed
	}
	t, m, err := d.fileOfRow(ctx, rows[0])
	if err != nil {
		return err
	}
	made := len(m.Sources) == 1 && m.Sources[0].Session == p.Session && m.Source == "cli"
	if !made || m.Created.Before(time.UnixMilli(p.Decided).Add(-time.Minute)) {
		return nil
	}
	if _, err := t.Archive(m, d.stamp(privacy.Const("cli"))); err != nil {
		return err
	}
	if err := d.written(ctx, t.root); err != nil {
		return err
	}
	return d.reopen(ctx, p.Memory)
}

func (d *Daemon) postReviewReset(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	bar, err := d.reviews.Bar()
	if err == nil {
		err = d.reviews.Reset()
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.ReviewReset{Labels: bar.Labels})
}

// scrubReviews passes the reviewed texts through the current gate.
func (d *Daemon) scrubReviews() error {
	_, err := d.reviews.Rewrite(func(line string) string {
		c, found := d.intake.Gate().Text(line)
		if len(found) == 0 {
			return line
		}
		return strings.TrimSpace(c.String())
	})
	return err
}
