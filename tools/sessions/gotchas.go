package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"keepmum/compress"
	"keepmum/gotcha"
	"keepmum/store"
	"keepmum/transcript"
)

// gotchas replays the sessions below a home, in order for each repository, and counts the lines about failures that
// agents would have been told: a line counts as right if the session did the same afterwards. With -show it prints each
// line and what the session did next.
func gotchas(args []string) error {
	show := len(args) == 2 && args[0] == "-show"
	if !show && len(args) != 1 {
		return fmt.Errorf("gotchas [-show] HOME")
	}
	all, err := worked(context.Background(), args[len(args)-1])
	if err != nil {
		return err
	}
	var total replay
	for _, repo := range slices.Sorted(maps.Keys(all)) {
		r := replay{show: show, known: map[string]map[gotcha.Remedy]map[int]bool{},
			forms: map[gotcha.Remedy][2]string{}}
		slices.SortStableFunc(all[repo], func(a, b workday) int { return a.start.Compare(b.start) })
		for i, w := range all[repo] {
			r.session(i, w)
		}
		fmt.Printf("%-45s %s\n", repo, r.counts())
		total.add(r)
	}
	fmt.Printf("%-45s %s\n", "all", total.counts())
	return nil
}

// workday is what tools did in one session.
type workday struct {
	start time.Time
	steps []gotcha.Step
}

// worked reads the sessions below a home, by repository.
func worked(ctx context.Context, home string) (map[string][]workday, error) {
	sources, err := transcript.Discover(ctx, transcript.DefaultRoots(home, "linux", func(string) string { return "" }))
	if err != nil {
		return nil, err
	}
	days := map[string]map[string]*workday{} // by repository and session
	for _, src := range sources {
		list, err := transcript.Sessions(ctx, src)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			var w workday
			ses, _, err := transcript.Read(ctx, one, transcript.Offset{}, func(e transcript.Entry) error {
				w.add(src.Agent, one.ID, e)
				return nil
			})
			if err != nil {
				return nil, err
			}
			repo, id := filepath.Base(ses.Dir), src.Agent+cmp.Or(one.Parent, one.ID)
			w.start = ses.Start
			if days[repo] == nil {
				days[repo] = map[string]*workday{}
			}
			if days[repo][id] == nil {
				days[repo][id] = &w
			} else {
				days[repo][id].join(w)
			}
		}
	}
	out := map[string][]workday{}
	for repo, list := range days {
		for _, id := range slices.Sorted(maps.Keys(list)) {
			out[repo] = append(out[repo], *list[id])
		}
	}
	return out, nil
}

// join adds what an agent did that the session started, or the reverse.
func (w *workday) join(o workday) {
	before := int64(len(w.steps))
	for _, s := range o.steps {
		s.ID += before
		w.steps = append(w.steps, s)
	}
	if o.start.Before(w.start) {
		w.start = o.start
	}
}

// add adds a step as the daemon does: Codex's hooks do not report that a command failed.
func (w *workday) add(agent, session string, e transcript.Entry) {
	if e.Role != transcript.Tool || e.Output == nil {
		return
	}
	in, _ := json.Marshal(e.Input) // both were JSON
	out, _ := json.Marshal(e.Output)
	row := store.ObservationRow{Tool: e.Tool, Input: string(in), Output: string(out),
		Failed: e.Failed && agent != transcript.Codex}
	lane := ""
	if e.Sidechain {
		lane = session
	}
	for _, d := range compress.Deeds(row) {
		w.steps = append(w.steps, gotcha.Step{ID: int64(len(w.steps)), Subagent: lane, Command: d.Command, File: d.File,
			Output: d.Output, Failed: d.Failed || agent == transcript.Codex && gotcha.Broke(d.Command, d.Output)})
	}
}

// replay is what is known about the failures of one repository, and what agents were told about them.
type replay struct {
	show                                          bool
	known                                         map[string]map[gotcha.Remedy]map[int]bool // sessions by sign, remedy
	forms                                         map[gotcha.Remedy][2]string               // what failed, what passed
	sessions, failed, signed, again, mended, told int
	did                                           int // the session then did what it would have been told
}

func (r *replay) add(o replay) {
	r.sessions += o.sessions
	r.failed += o.failed
	r.signed += o.signed
	r.again += o.again
	r.mended += o.mended
	r.told += o.told
	r.did += o.did
}

func (r replay) counts() string {
	return fmt.Sprintf("%4d sessions, %4d commands failed, %4d with a sign, %3d of them seen before, %3d mended; "+
		"told %d, then done %d", r.sessions, r.failed, r.signed, r.again, r.mended, r.told, r.did)
}

func (r *replay) session(n int, w workday) {
	r.sessions++
	seen := map[string]bool{}
	mended := map[int64]gotcha.Failure{}
	for _, f := range gotcha.Failures(w.steps) {
		mended[f.Step] = f
	}
	for i, s := range w.steps {
		if !s.Failed || s.Command == "" {
			continue
		}
		r.failed++
		sign, ok := gotcha.Sign(s.Command, s.Output)
		if !ok {
			continue
		}
		r.signed++
		if known, before := r.known[sign]; before && !seen[sign] {
			r.again++
			r.tell(known, w.steps, i, mended[s.ID])
		}
		seen[sign] = true
	}
	r.learn(n, w, mended, seen)
}

// learn adds what a session teaches, once it is over.
func (r *replay) learn(n int, w workday, mended map[int64]gotcha.Failure, seen map[string]bool) {
	for sign := range seen {
		if r.known[sign] == nil {
			r.known[sign] = map[gotcha.Remedy]map[int]bool{}
		}
	}
	for _, f := range mended {
		r.mended++
		for _, m := range f.Remedies {
			form := [2]string{w.steps[f.Step].Command, w.steps[m.Step].Command}
			m.Step = 0
			r.forms[m] = form
			if r.known[f.Sign][m] == nil {
				r.known[f.Sign][m] = map[int]bool{}
			}
			r.known[f.Sign][m][n] = true
		}
	}
}

// tell counts the line that a failure would have triggered, if any.
func (r *replay) tell(known map[gotcha.Remedy]map[int]bool, steps []gotcha.Step, at int, then gotcha.Failure) {
	all := map[int]bool{}
	var best gotcha.Remedy
	for m, in := range known {
		maps.Copy(all, in)
		if len(in) > len(known[best]) {
			best = m
		}
	}
	form := r.forms[best]
	if !gotcha.Trusted(best.How, len(known[best]), len(all)) ||
		best.How == gotcha.Instead && !gotcha.Fits(steps[at].Command, form[0], form[1]) {
		return
	}
	r.told++
	did := slices.ContainsFunc(then.Remedies, func(m gotcha.Remedy) bool {
		return m.How == best.How && m.What == best.What
	})
	if did {
		r.did++
	}
	if !r.show {
		return
	}
	fmt.Printf("--- failed: %.200q\n    because: %.160q\n    told (%d of %d): %s %.160q: %.200q; done then: %v\n",
		steps[at].Command, gotcha.Reason(steps[at].Output), len(known[best]), len(all), best.How, best.What, form[1], did)
	const next = 8 // steps that are shown
	n := 0
	for _, s := range steps[at+1:] {
		if s.Subagent == steps[at].Subagent && n < next {
			n++
			fmt.Printf("      failed=%-5v %.200q %s\n", s.Failed, s.Command, s.File)
		}
	}
}
