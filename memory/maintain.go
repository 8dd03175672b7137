package memory

import (
	"cmp"
	"slices"
	"time"

	"keepmum/sorting"
)

// Operation is what a step of maintenance does.
type Operation string

// The operations.
const (
	OpMerge       Operation = "merge"
	OpArchive     Operation = "archive"
	OpConsolidate Operation = "consolidate" // only with a model, after the plan
	OpRestore     Operation = "restore"     // the memory that was to replace it was never written
)

// Reasons to merge or archive.
const (
	NearDuplicate  Reason = "near_duplicate"
	ExactDuplicate Reason = "exact_duplicate"
	Faded          Reason = "faded"
	Junk           Reason = "junk"
	Superseded     Reason = "superseded"
	CutShort       Reason = "cut_short"
	Capacity       Reason = "capacity"
)

// Step is what maintenance does to one memory.
type Step struct {
	Action Operation `json:"action"`
	Source string    `json:"source"`           // id of the memory
	Target string    `json:"target,omitempty"` // id of the memory it is merged into
	Reason Reason    `json:"reason"`
	Score  float64   `json:"score,omitempty"` // similarity, or the remaining confidence
}

// Proposal is something that maintenance found but leaves to a model or a person.
type Proposal struct {
	Members []string `json:"members"` // ids of memories, or paths of summaries
	Topic   string   `json:"topic"`
}

// Counts summarises a plan.
type Counts struct {
	Merged       int `json:"merged"`
	Archived     int `json:"archived"`
	Consolidated int `json:"consolidated"`
	Decayed      int `json:"decayed"` // fading, but not archived yet
	Unchanged    int `json:"unchanged"`
}

// Plan is what maintenance would do.
type Plan struct {
	At             time.Time   `json:"at"`
	Steps          []Step      `json:"actions"`
	Consolidate    []Proposal  `json:"consolidate"`   // memories that belong together
	CrossSession   []Proposal  `json:"cross_session"` // topics of several summaries that no memory mentions
	Contradictions [][2]string `json:"contradictions"`
	Counts         Counts      `json:"counts"`
}

// PlanMaintenance plans maintenance. access says when memories were last shown, by id. It works on a copy of the
// memories and changes it until nothing is left to merge, so a second run right after it finds nothing to do.
func PlanMaintenance(l Listing, access map[string]time.Time, now time.Time, d Decay) Plan {
	w := newWorkbench(l.Active)
	p := planning{bench: w, list: l, access: access, now: now, decay: d, plan: Plan{At: now, Steps: []Step{}}}
	p.retire()
	p.oneForEachKey()
	p.merge()
	p.fade()
	p.limit()
	p.plan.Contradictions = notNil(w.contradictions())
	p.plan.Consolidate = notNil(consolidations(Visible(w.alive(), "")))
	p.plan.CrossSession = notNil(crossSession(l.Summaries, append(w.alive(), l.Archived...)))
	p.count(len(l.Active))
	return p.plan
}

// Consolidated records in a plan that a cluster became one memory.
func (p *Plan) Consolidated(c Cluster, into Memory) {
	for _, m := range c.Members {
		p.Steps = append(p.Steps, Step{Action: OpConsolidate, Source: m.ID, Target: into.ID, Reason: Clustered})
	}
	p.Counts.Consolidated += len(c.Members)
	p.Counts.Unchanged = max(p.Counts.Unchanged-len(c.Members), 0)
}

// Then appends the plan that followed on the same memories.
func (p *Plan) Then(next Plan) {
	p.Steps = append(p.Steps, next.Steps...)
	p.Consolidate, p.CrossSession, p.Contradictions = next.Consolidate, next.CrossSession, next.Contradictions
	p.Counts.Merged += next.Counts.Merged
	p.Counts.Archived += next.Counts.Archived
	p.Counts.Decayed = next.Counts.Decayed
	p.Counts.Unchanged = min(p.Counts.Unchanged, next.Counts.Unchanged)
}

// notNil turns nil into an empty list: "null" in the output looks like a mistake.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// planning is a plan being made.
type planning struct {
	bench  *workbench
	list   Listing
	access map[string]time.Time
	now    time.Time
	decay  Decay
	plan   Plan
}

// step adds a step that takes a memory out of use.
func (p *planning) step(s Step) {
	p.plan.Steps = append(p.plan.Steps, s)
	p.bench.take(s.Source)
}

// retire archives worthless memories, and replaced ones that an interrupted run left active.
func (p *planning) retire() {
	for _, m := range p.bench.alive() {
		switch {
		case !m.Pinned && (isPlaceholder(m.Title) || m.Body != "" && isPlaceholder(m.Body)):
			p.step(Step{Action: OpArchive, Source: m.ID, Reason: Junk})
		case m.SupersededBy != "" && p.exists(m.SupersededBy):
			p.step(Step{Action: OpArchive, Source: m.ID, Target: m.SupersededBy, Reason: Superseded})
		case m.SupersededBy != "" && len(p.list.Broken) == 0: // with broken files, it may be one of them
			p.plan.Steps = append(p.plan.Steps, Step{Action: OpRestore, Source: m.ID, Reason: CutShort})
			m.SupersededBy, m.ValidTo = "", time.Time{}
			p.bench.put(m)
		}
	}
}

// question is what one memory at a time answers: a key, on one branch or everywhere.
type question struct{ branch, key string }

func questionOf(m Memory) question { return question{m.On(), m.Key} }

// oneForEachKey archives active memories that a newer one with the same key has replaced: someone may have edited the
// files by hand.
func (p *planning) oneForEachKey() {
	newest := map[question]Memory{}
	for _, m := range p.bench.alive() {
		q := questionOf(m)
		if o, ok := newest[q]; m.Key != "" && (!ok || m.since().After(o.since())) {
			newest[q] = m
		}
	}
	for _, m := range p.bench.alive() {
		if o := newest[questionOf(m)]; m.Key != "" && o.ID != m.ID {
			p.step(Step{Action: OpArchive, Source: m.ID, Target: o.ID, Reason: OtherValue})
		}
	}
}

// limit archives the least trusted memories if there are more than allowed.
func (p *planning) limit() {
	all := p.bench.alive()
	over := len(all) - p.decay.MaxActive
	if p.decay.MaxActive <= 0 || over <= 0 {
		return
	}
	all = slices.DeleteFunc(all, func(m Memory) bool { return m.Pinned })
	sorting.Stable(all, func(a, b Memory) int {
		return cmp.Or(cmp.Compare(p.effective(a), p.effective(b)), a.Updated.Compare(b.Updated))
	})
	for _, m := range all[:min(over, len(all))] {
		p.step(Step{Action: OpArchive, Source: m.ID, Reason: Capacity, Score: p.effective(m)})
	}
}

func (p *planning) exists(id string) bool {
	has := func(m Memory) bool { return m.ID == id }
	return slices.ContainsFunc(p.list.Active, has) || slices.ContainsFunc(p.list.Archived, has)
}

// merge merges near-duplicates. A memory takes part once per round, and is compared again after it has grown.
func (p *planning) merge() {
	for {
		touched := map[string]bool{}
		for _, d := range p.bench.duplicates() {
			if touched[d.a] || touched[d.b] {
				continue
			}
			touched[d.a], touched[d.b] = true, true
			into, from := p.bench.get(d.a), p.bench.get(d.b)
			if better(from, into) {
				into, from = from, into
			}
			why := NearDuplicate
			if d.score == 1 {
				why = ExactDuplicate
			}
			p.step(Step{Action: OpMerge, Source: from.ID, Target: into.ID, Reason: why, Score: d.score})
			into.merge(from)
			p.bench.put(into)
		}
		if len(touched) == 0 {
			return
		}
	}
}

// merge absorbs all of another memory.
func (m *Memory) merge(from Memory) {
	m.takeTimes(from)
	m.absorb(from)
	m.Supersedes = appendNew(m.Supersedes, from.ID)
}

// better reports whether a is the one to keep of two that say the same.
func better(a, b Memory) bool {
	switch {
	case a.Pinned != b.Pinned:
		return a.Pinned
	case a.OfUser() != b.OfUser():
		return a.OfUser()
	case a.Confidence != b.Confidence:
		return a.Confidence > b.Confidence
	case !a.Created.Equal(b.Created):
		return a.Created.After(b.Created)
	}
	return a.ID < b.ID
}

// fade archives memories that nobody has used for long enough. Changing a memory counts as using it.
func (p *planning) fade() {
	for _, m := range p.bench.alive() {
		left := p.effective(m)
		switch {
		case m.Pinned || left == m.Confidence:
		case left < p.decay.ArchiveThreshold:
			p.step(Step{Action: OpArchive, Source: m.ID, Reason: Faded, Score: left})
		default:
			p.plan.Counts.Decayed++
		}
	}
}

func (p *planning) effective(m Memory) float64 {
	return m.effective(p.access, p.now, p.decay)
}

// effective returns the remaining confidence of a memory.
func (m Memory) effective(access map[string]time.Time, now time.Time, d Decay) float64 {
	looked := access[m.ID]
	if m.Updated.After(looked) && m.Updated.After(m.Created) {
		looked = m.Updated
	}
	if m.Pinned || m.Created.IsZero() && looked.IsZero() {
		return m.Confidence
	}
	return Effective(m.Confidence, m.Created, looked, now, d)
}

// count counts what the plan does to that many memories.
func (p *planning) count(before int) {
	touched := map[string]bool{}
	c := &p.plan.Counts
	for _, s := range p.plan.Steps {
		touched[s.Source] = true
		switch s.Action {
		case OpMerge:
			touched[s.Target] = true
			c.Merged++
		case OpArchive:
			c.Archived++
		}
	}
	c.Unchanged = max(before-len(touched), 0)
}
