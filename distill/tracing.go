package distill

import (
	"cmp"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// traceLeft records a session from which nothing was taken, and why.
func (r *run) traceLeft(row store.CatalogueRow, action, why string) {
	r.trace.Add(trace.Entry{Kind: trace.Session, Session: r.trace.Word(row.Agent + "/" + row.Native),
		Project: r.trace.Word(row.ProjectName), Action: r.trace.Word(action), Reason: r.trace.Word(why)})
}

// traceSession records a session that was searched, and what was found.
func (r *run) traceSession(ses extract.Session, res extract.Result) {
	if r.trace == nil {
		return
	}
	found := len(res.Candidates) + len(res.Below)
	e := trace.Entry{Kind: trace.Session, Session: privacy.Join("/", ses.Agent, ses.ID), Project: ses.Project,
		Branch: ses.Branch, Steps: len(ses.Steps), Candidates: found, By: r.trace.Word(cmp.Or(res.By, "heuristic")),
		Action: privacy.Const("looked_at"), Outcome: r.trace.Word(res.Fallback)}
	if found == 0 {
		e.Reason = privacy.Const("no_signal")
	}
	r.trace.Add(e)
}

// traceCandidate records what was done with a candidate.
func (r *run) traceCandidate(a Action, ses extract.Session, c memory.Candidate) {
	if r.trace == nil {
		return
	}
	e := trace.Entry{Kind: trace.Candidate, Session: privacy.Join("/", ses.Agent, ses.ID), Project: ses.Project,
		Form: r.trace.Word(string(c.Primitive)), Title: c.Title, Action: r.trace.Word(string(a.Action)),
		Reason: r.trace.Word(string(a.Reason)), Memory: r.trace.Word(a.Target), Confidence: c.Confidence, Score: a.Score}
	if c.On() != "" {
		e.Branch = c.Branch.Name
	}
	r.trace.Add(e)
}

// traceKept records what a maintain run did to the memories of a project.
func traceKept(t *trace.Run, k *Kept) {
	if t == nil || len(k.Plan.Steps) == 0 && k.Error.IsZero() && k.NotAsked.IsZero() {
		return
	}
	t.Add(trace.Entry{Kind: trace.Project, Project: k.Name, Entry: k.Project, Steps: len(k.Plan.Steps), Reason: k.Error,
		Outcome: k.NotAsked})
	skipped := map[memory.Step]bool{}
	for _, s := range k.Skipped {
		skipped[s] = true
	}
	for _, s := range k.Plan.Steps {
		e := trace.Entry{Kind: trace.Step, Project: k.Name, Action: t.Word(string(s.Action)),
			Reason: t.Word(string(s.Reason)),
			Memory: t.Word(s.Source), Into: t.Word(s.Target), Score: s.Score}
		if skipped[s] {
			e.Outcome = privacy.Const("skipped: the file was changed meanwhile")
		}
		t.Add(e)
	}
}
