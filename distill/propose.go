package distill

import (
	"context"
	"fmt"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/store"
)

// Outcomes for a candidate below the threshold.
const (
	Proposed memory.Action = "propose" // it waits for the user's decision
	Dropped  memory.Action = "drop"
)

// Reasons to drop a candidate below the threshold, besides those of extract and memory.
const (
	proposedBefore memory.Reason = "proposed_before"
	yourReviews    memory.Reason = "your_reviews"
	neverLikeThis  memory.Reason = "never_like_this"
)

// alike is the similarity from which a candidate counts as something the user never wants. It is lower than
// [memory.Threshold], because the user does not want it in other words either.
const alike = 0.55

// propose stores candidates below the threshold for the user to decide. It drops those that nobody could judge, that
// are known, or that the user does not want to see, each with its reason.
func (r *run) propose(ctx context.Context, b *book, row store.CatalogueRow, ses extract.Session,
	below []extract.Below) error {
	for i := range below {
		a, err := r.proposeOne(ctx, b, row, ses, &below[i])
		if err != nil {
			return fmt.Errorf("keep a proposal: %w", err)
		}
		r.acted(a, ses, below[i].Candidate)
	}
	return nil
}

// acted records what was done with a candidate, in the report and in the log of the run.
func (r *run) acted(a Action, ses extract.Session, c memory.Candidate) {
	a.Session, a.Project, a.Primitive, a.Title = ses.ID, ses.Project, c.Primitive, c.Title
	r.report.count(a)
	r.traceCandidate(a, ses, c)
	if a.Action != memory.Add {
		did, _ := r.w.Gate.Text(string(a.Action) + " (" + string(a.Reason) + "):")
		r.note(did, c.Title)
	}
}

// proposeOne decides about one candidate.
func (r *run) proposeOne(ctx context.Context, b *book, row store.CatalogueRow, ses extract.Session,
	p *extract.Below) (Action, error) {
	drop := func(why memory.Reason) (Action, error) { return Action{Action: Dropped, Reason: why}, nil }
	switch p.Why {
	case extract.Unsure, extract.ByAgent, extract.TooMany, extract.NoFolder:
	default:
		return drop(memory.Reason(p.Why))
	}
	if b.place.Buried != nil {
		if gone, err := b.place.Buried(ctx, p.Candidate); gone || err != nil {
			return Action{Action: Dropped, Reason: memory.Forgotten}, err
		}
	}
	sure := p.Candidate
	sure.Confidence = max(sure.Confidence, promoted)
	v := b.judge(sure).Decide(sure)
	if v.Action == memory.Reject || v.Action == memory.Noop || v.Action == memory.Update { // no memory, or known
		return Action{Action: Dropped, Reason: v.Reason, Target: v.Target, Score: v.Score}, nil
	}
	switch verdict, why, err := r.weighed(ctx, p); {
	case err != nil:
		return Action{}, err
	case verdict == review.Leave:
		return drop(why)
	case verdict == review.Promote && row.Project != store.NoProjectRow:
		return r.put(ctx, b, sure)
	}
	out := Action{Action: Proposed, Reason: memory.Reason(p.Why), Score: p.Confidence}
	if r.o.DryRun {
		return out, nil
	}
	fresh, err := r.w.DB.PutProposal(ctx, proposal(row.Project, ses, p))
	if err == nil && !fresh {
		return drop(proposedBefore)
	}
	return out, err
}

// replaces reports whether a memory would no longer hold after what a verdict says is done.
func replaces(v memory.Verdict) bool {
	return v.Action == memory.Supersede || v.Action == memory.Instead || v.Action == memory.History
}

// promoted is the confidence of what the user's own reviews let through: the same as for an agent's note.
const promoted = 0.6

// readReviews reads what the user decided about earlier proposals, unless this run has read it.
func (r *run) readReviews(ctx context.Context) error {
	if r.bar != nil {
		return nil
	}
	var bar review.Bar
	if r.w.Bar != nil {
		var err error
		if bar, err = r.w.Bar(); err != nil {
			return err
		}
	}
	nevers, err := r.w.DB.Proposals(ctx,
		store.ProposalFilter{Hidden: true, States: []store.ProposalState{store.ProposalNever}})
	if err != nil {
		return err
	}
	r.bar = &bar
	for i := range nevers {
		r.nevers = append(r.nevers, memory.Memory{Title: nevers[i].Title, Body: nevers[i].Body})
	}
	return nil
}

// weighed says what to do with a candidate, by what the user decided about similar ones.
func (r *run) weighed(ctx context.Context, p *extract.Below) (review.Verdict, memory.Reason, error) {
	if err := r.readReviews(ctx); err != nil {
		return "", "", err
	}
	now := memory.Memory{Title: p.Title.String(), Body: p.Body.String()}
	for _, m := range r.nevers {
		if memory.Similarity(m, now) >= alike {
			return review.Leave, neverLikeThis, nil
		}
	}
	return r.bar.Judge(string(p.Why), p.Confidence), yourReviews, nil
}

// proposal is how a candidate is stored until the user decides.
func proposal(project int64, ses extract.Session, p *extract.Below) store.Proposal {
	out := store.Proposal{Project: max(project, 0), Form: string(p.Primitive), Kind: string(p.Kind), Title: p.Title,
		Body: p.Body, Tags: p.Tags, Why: string(p.Why), Confidence: p.Confidence,
		Session: privacy.Join("/", ses.Agent, ses.ID), At: p.At}
	if !p.Standing {
		out.Branch = p.Branch.Name
	}
	if p.At.IsZero() {
		out.At = ses.End
	}
	if len(p.Sources) > 0 {
		out.Session, out.Ref = p.Sources[0].Session, p.Sources[0].Ref
		out.Sentence = saidAt(ses, out.Ref).Cut(maxSentence)
	}
	return out
}

// maxSentence is how much of the sentence behind a proposal is shown.
const maxSentence = 600

// saidAt returns what was said at the place that a reference names.
func saidAt(ses extract.Session, ref privacy.Clean) privacy.Clean {
	for i := range ses.Steps {
		if s := &ses.Steps[i]; s.Ref.String() == ref.String() && s.Role != extract.Tool {
			return s.Text
		}
	}
	return privacy.Clean{}
}
