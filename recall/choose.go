package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"keepmum/sorting"
	"keepmum/store"
)

// choose selects the statements to tell, best first. It prefers a statement of another session to a second one of the
// same session, unless that is much better. A commit has a place of its own: its contents cannot be compared with those
// of a whole session.
func choose(all []statement, known map[int64]bool) []statement {
	all = slices.DeleteFunc(slices.Clone(all), func(st statement) bool {
		return known[st.id] || st.settles <= 0 || !st.sure
	})
	all = newestOfEqual(all)
	commit := slices.DeleteFunc(slices.Clone(all), func(st statement) bool { return st.kind != store.KindCommit })
	all = slices.DeleteFunc(all, func(st statement) bool { return st.kind == store.KindCommit })
	commit = commit[:min(len(commit), maxCommits)]
	return append(withoutCopies(spread(all, maxSettled-len(commit))), commit...)
}

// newestOfEqual keeps, of statements in the same words, the one that was made last, with the best score of them: what
// was said again is still meant.
func newestOfEqual(all []statement) []statement {
	at := map[string]int{}
	var out []statement
	for _, st := range all {
		i, known := at[st.words()]
		switch {
		case !known:
			at[st.words()] = len(out)
			out = append(out, st)
		case st.at > out[i].at:
			st.score = max(st.score, out[i].score)
			out[i] = st
		default:
			out[i].score = max(st.score, out[i].score)
		}
	}
	return out
}

// words returns the text of a statement for comparison.
func (st *statement) words() string {
	return sameWords(st.asked + "\n" + st.said)
}

// spread selects the n best statements. Each loses score for every statement of its session that was selected before.
func spread(all []statement, n int) (out []statement) {
	all = slices.Clone(all)
	sorting.Stable(all, byScore)
	for len(out) < n && len(all) > 0 {
		best := all[0]
		if len(out) > 0 && best.score < out[0].score-maxBehind {
			break
		}
		out = append(out, best)
		all = all[1:]
		for i := range all {
			if best.session != 0 && all[i].session == best.session {
				all[i].score -= perSession
			}
		}
		sorting.Stable(all, byScore)
	}
	return out
}

// withLater looks for a later statement that takes back the best of the chosen ones. It must be in the session that is,
// of all others, most about the words of the best statement, and sufficiently about the prompt; and the sentences that
// take something back must contain words of the best statement. It is told next to the best one. If it was said on an
// unmerged branch, the next session may have one that applies here.
func withLater(
	ctx context.Context, src Source, q store.Subjects, chosen, all []statement, known map[int64]bool,
) ([]statement, error) {
	if len(chosen) == 0 || chosen[0].session == 0 {
		return chosen, nil
	}
	old := chosen[0]
	q.Text, q.Limit = strings.Join([]string{old.said, old.asked, old.before}, "\n"), laterRead
	about, err := src.Subjects(ctx, q)
	if err != nil {
		return nil, err
	}
	later, err := laterThan(ctx, src, &about, &old, all)
	if err != nil || later == nil || known[later.id] {
		return chosen, err
	}
	return beside(chosen, *later), nil
}

// laterThan returns what takes a statement back, if possible where that applies; nil = nothing.
func laterThan(
	ctx context.Context, src Source, about *store.About, old *statement, all []statement,
) (later *statement, err error) {
	other := func(s store.Subject) bool { return s.Session != 0 && s.Session != old.session }
	sessions := slices.DeleteFunc(slices.Clone(about.Subjects), func(s store.Subject) bool { return s.Session == 0 })
	nearest := slices.IndexFunc(sessions, other)
	if nearest < 0 || nearest >= laterNear {
		return nil, nil
	}
	for _, s := range sessions[nearest:] {
		if !other(s) {
			continue
		}
		found, err := laterIn(ctx, src, about, s, old, all)
		if err != nil {
			return nil, err
		}
		if found != nil && found.appliesTo(old) {
			return found, nil
		}
		if later = cmp.Or(later, found); later == nil {
			break
		}
	}
	return later, nil
}

// laterIn returns the statement of a session that takes an older one back; nil = none. The branches of both are set.
func laterIn(
	ctx context.Context, src Source, about *store.About, s store.Subject, old *statement, all []statement,
) (*statement, error) {
	if !holds(all, s.Session, laterShare*old.weight) {
		return nil, nil
	}
	lines, err := src.Talk(ctx, []int64{s.Session}, nil)
	if err != nil {
		return nil, err
	}
	later, found := takesBack(about, *old, momentsOf(lines, s.Terms))
	if !found {
		return nil, nil
	}
	later.session, later.about = s.Session, old.about
	both := []statement{*old, later}
	err = nameBranches(ctx, src, both)
	old.branch = both[0].branch
	return &both[1], err
}

// holds reports whether a statement of a session has at least that weight.
func holds(all []statement, session int64, weight float64) bool {
	return slices.ContainsFunc(all, func(st statement) bool { return st.session == session && st.weight >= weight })
}

// takesBack returns the statement that takes an older one back and shares the most words with it in the sentences that
// say so.
func takesBack(about *store.About, old statement, moments []moment) (best statement, found bool) {
	for _, m := range moments {
		if m.withdrawn != 0 {
			continue
		}
		st := stated(m)
		if st.at <= old.at || st.settles <= 0 || !reverses(st.said) || st.words() == old.words() {
			continue
		}
		st.near = about.Common(reversing(st.said)+"\n"+st.asked) / max(about.Rare, 1)
		if st.near >= sameThing && (!found || st.near > best.near) {
			best, found = st, true
		}
	}
	return best, found
}

// beside inserts a statement after the best one, in place of the last that is not a commit: what belongs to the best
// statement matters more than what is merely near the prompt.
func beside(chosen []statement, st statement) []statement {
	chosen = slices.DeleteFunc(chosen, func(c statement) bool { return c.id == st.id })
	chosen = slices.Insert(chosen, 1, st)
	if len(chosen) <= maxSettled {
		return chosen
	}
	last := len(chosen) - 1
	if chosen[last].kind == store.KindCommit {
		last--
	}
	return slices.Delete(chosen, last, last+1)
}
