package daemon

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/gotcha"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/sorting"
	"keepmum/store"
)

// When a sequence of commands is proposed as a procedure: in two sessions it may be a coincidence. Sessions before the
// latest 30 of a project say little about how people work on it today.
const (
	routineSessions = 3
	routineReach    = 30
	routineSure     = 0.4               // confidence of a proposal that nobody stated
	routineAlike    = 0.55              // similarity to something that the user never wants, as for other proposals
	routineWhy      = "done_repeatedly" // reason code why it is not a memory yet
)

// routine is a sequence of commands that several sessions of a project share.
type routine struct {
	gotcha.Routine
	sessions int
	last     store.SessionRow // the latest of these sessions
	at       time.Time
}

// proposeRoutines checks the projects in which tools were used since its last run.
func (d *Daemon) proposeRoutines(ctx context.Context, busy func() bool) error {
	projects, upto, err := d.db.Unordered(ctx)
	if err != nil || len(projects) == 0 {
		return err
	}
	for _, id := range projects {
		if busy() {
			return errBusy
		}
		found, err := d.routines(ctx, id)
		if err == nil {
			err = d.proposeEach(ctx, id, found)
		}
		if err != nil {
			return err
		}
	}
	return d.db.Ordered(ctx, upto)
}

// routines returns the sequences that enough finished sessions of a project share, longest first.
func (d *Daemon) routines(ctx context.Context, project int64) ([]routine, error) {
	rows, err := d.db.RecentSessions(ctx, project, routineReach)
	if err != nil {
		return nil, err
	}
	muted, err := d.db.Muted(ctx)
	if err != nil {
		return nil, err
	}
	quiet := d.o.Now().Add(-time.Duration(d.o.Config.Compress.Idle)).UnixMilli()
	known := map[string]routine{}
	for _, s := range rows { // newest first
		if s.Ended == nil && s.Last > quiet {
			continue
		}
		work, err := d.db.Work(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for key, r := range routinesOf(work, muted) {
			if k, ok := known[key]; ok {
				r = k
			} else {
				r.last = s
			}
			r.sessions++
			known[key] = r
		}
	}
	var out []routine
	for _, r := range known {
		if r.sessions >= routineSessions {
			out = append(out, r)
		}
	}
	sorting.Stable(out, func(a, b routine) int {
		return cmp.Or(cmp.Compare(len(b.Commands), len(a.Commands)), cmp.Compare(b.sessions, a.sessions),
			cmp.Compare(a.Key(), b.Key()))
	})
	return out, nil
}

// routinesOf returns the sequences in the work of one session, without muted entries.
func routinesOf(work []store.ObservationRow, muted []int64) map[string]routine {
	var all []gotcha.Step
	at := map[int64]time.Time{}
	for _, r := range work {
		if !slices.Contains(muted, r.ID) {
			at[r.ID] = r.Date
			all = append(all, steps(r, r.Agent)...)
		}
	}
	out := map[string]routine{}
	for _, r := range gotcha.Routines(all) {
		out[r.Key()] = routine{Routine: r, at: at[r.Steps[len(r.Steps)-1]]}
	}
	return out
}

// proposeEach proposes routines that have no step in common, each once. It never writes a memory itself, even if the
// user kept similar ones.
func (d *Daemon) proposeEach(ctx context.Context, project int64, found []routine) error {
	if len(found) == 0 {
		return nil
	}
	bar, err := d.reviews.Bar()
	if err != nil || bar.Judge(routineWhy, routineSure) == review.Leave {
		return err
	}
	before, err := d.db.Proposals(ctx, store.ProposalFilter{Hidden: true, States: []store.ProposalState{store.ProposalOpen,
		store.ProposalKept, store.ProposalDropped, store.ProposalNever}})
	if err != nil {
		return err
	}
	done := proposedRoutines(project, before)
	for _, r := range found {
		if slices.ContainsFunc(done, r.Overlaps) {
			continue
		}
		done = append(done, r.Routine)
		p := d.routineProposal(project, r)
		if unwanted(p, before) {
			continue
		}
		if _, err := d.db.PutProposal(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// listed precedes each command in the text of a proposal.
const listed = "\n    "

// proposedRoutines returns the routines of a project that have already been proposed.
func proposedRoutines(project int64, before []store.ProposalRow) (out []gotcha.Routine) {
	for i := range before {
		if p := &before[i]; p.Project == project && p.Why == routineWhy {
			out = append(out, gotcha.Routine{Commands: strings.Split(p.Body, listed)[1:]})
		}
	}
	return out
}

// routineProposal returns a routine as a proposal. Stored text is treated like any other: it passes the current gate.
func (d *Daemon) routineProposal(project int64, r routine) store.Proposal {
	c := d.intake.Gate().Event(privacy.Raw{Stored: true, Fields: map[string]string{
		"title":    "The order of commands here: " + r.Name(),
		"body":     "These commands are run one after another:\n" + listed + strings.Join(r.Commands, listed),
		"sentence": fmt.Sprintf("they passed in this order in %d sessions", r.sessions),
		"session":  r.last.Agent + "/" + r.last.Native,
	}}).Fields
	return store.Proposal{Project: project, Form: string(memory.Learning), Kind: string(memory.Procedure),
		Title: c["title"], Body: c["body"], Sentence: c["sentence"], Why: routineWhy,
		Confidence: routineSure, Session: c["session"], At: r.at}
}

// unwanted reports whether a proposal resembles one that the user never wants.
func unwanted(p store.Proposal, before []store.ProposalRow) bool {
	now := memory.Memory{Title: p.Title.String(), Body: p.Body.String()}
	return slices.ContainsFunc(before, func(o store.ProposalRow) bool {
		return o.State == store.ProposalNever &&
			memory.Similarity(memory.Memory{Title: o.Title, Body: o.Body}, now) >= routineAlike
	})
}
