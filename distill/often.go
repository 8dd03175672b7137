package distill

import (
	"context"
	"time"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/sorting"
	"keepmum/store"
)

// A rule that the user stated in so many sessions, and on so many days, is meant to last.
const (
	oftenSessions = 3
	oftenDays     = 2
)

// saidRule is a rule of a project.
type saidRule struct{ project, words string }

// often returns the rules of a session that the user also stated in others, and records its rules for the next ones.
func (r *run) often(ctx context.Context, row store.CatalogueRow, ses extract.Session) ([]memory.Candidate, error) {
	if row.Parent != "" || row.Project == store.NoProjectRow { // a subagent's user is an agent
		return nil, nil
	}
	if r.heuristic == nil {
		r.heuristic = extract.New()
	}
	var marks []store.RuleMark
	var out []extract.Rule
	for _, x := range r.heuristic.Rules(ses) {
		mark := r.w.DB.MarkRule(x.Text, x.Message, x.Before, x.At)
		before, err := r.w.DB.RuleMarks(ctx, row.Project, mark.Words)
		if err != nil {
			return nil, err
		}
		key := saidRule{row.ProjectName, mark.Words}
		r.rules[key] = append(r.rules[key], mark)
		marks = append(marks, mark)
		if isOften(append(before, r.rules[key]...)) {
			out = append(out, x)
		}
	}
	again := ses.Repeated(ctx, out)
	if r.o.DryRun {
		return again, nil
	}
	return again, r.w.DB.PutRules(ctx, row.Key, marks)
}

// isOften reports whether a rule was stated often enough. A copy of a session has the same times or the same messages.
func isOften(said []store.RuleMark) bool {
	sorting.Stable(said, func(a, b store.RuleMark) int { return a.At.Compare(b.At) })
	times, messages, days := map[int64]bool{}, map[string]bool{}, map[string]bool{}
	n := 0
	for _, s := range said {
		at := s.At.UnixMilli()
		if times[at] || messages[s.Message] {
			continue
		}
		n++
		times[at], messages[s.Message], days[s.At.Format(time.DateOnly)] = true, true, true
	}
	return n >= oftenSessions && len(days) >= oftenDays
}
