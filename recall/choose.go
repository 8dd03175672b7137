package recall

import (
	"context"
	"slices"
	"strings"

	"keepmum/store"
)

// choose takes the statements that are told, best first: one of another session before a
// second that is not much better. A commit has a place of its own: what it holds is not
// to be compared with what a whole session holds.
func choose(all []statement, known map[int64]bool) []statement {
	all = slices.DeleteFunc(slices.Clone(all), func(st statement) bool {
		return known[st.id] || st.settles <= 0 || !st.sure
	})
	commit := slices.DeleteFunc(slices.Clone(all), func(st statement) bool { return st.kind != store.KindCommit })
	all = slices.DeleteFunc(all, func(st statement) bool { return st.kind == store.KindCommit })
	commit = commit[:min(len(commit), mostCommits)]
	return append(spread(all, mostSettled-len(commit)), commit...)
}

// spread takes the best so many statements, each with less for those of its session that
// were taken before.
func spread(all []statement, n int) (out []statement) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, byScore)
	for len(out) < n && len(all) > 0 {
		best := all[0]
		if len(out) > 0 && best.score < out[0].score-behind {
			break
		}
		out = append(out, best)
		all = all[1:]
		for i := range all {
			if best.session != 0 && all[i].session == best.session {
				all[i].score -= again
			}
		}
		slices.SortStableFunc(all, byScore)
	}
	return out
}

// withLater looks for what took the best of what was chosen back later. That session
// is, of all others, most about the words of the best, and about the prompt as well; and
// what it takes back is in sentences that have words of the best. It is told beside the
// best, of which it is said that it was replaced.
func withLater(
	ctx context.Context, src Source, q store.Subjects, chosen, all []statement, known map[int64]bool,
) ([]statement, error) {
	if len(chosen) == 0 || chosen[0].session == 0 {
		return chosen, nil
	}
	old := chosen[0]
	q.Text, q.Limit = strings.Join([]string{old.said, old.asked, old.before}, "\n"), 2
	about, err := src.Subjects(ctx, q)
	if err != nil {
		return nil, err
	}
	nearest := slices.IndexFunc(about.Subjects,
		func(s store.Subject) bool { return s.Session != 0 && s.Session != old.session })
	if nearest < 0 || !holds(all, about.Subjects[nearest].Session, laterShare*old.weight) {
		return chosen, nil
	}
	s := about.Subjects[nearest]
	lines, err := src.Talk(ctx, []int64{s.Session}, nil)
	if err != nil {
		return nil, err
	}
	later, found := takesBack(&about, old, momentsOf(lines, s.Terms))
	if !found || known[later.id] {
		return chosen, nil
	}
	later.session, later.about = s.Session, old.about
	chosen[0].replaced = later.id
	return beside(chosen, later), nil
}

// holds says that a session holds so much of the prompt.
func holds(all []statement, session int64, weight float64) bool {
	return slices.ContainsFunc(all, func(st statement) bool { return st.session == session && st.weight >= weight })
}

// takesBack is the statement of a session that takes an older one back, and has most
// words in common with it where it says so.
func takesBack(about *store.About, old statement, moments []moment) (best statement, found bool) {
	for _, m := range moments {
		st := stated(m)
		if st.at <= old.at || st.settles <= 0 || !reverses(st.said) {
			continue
		}
		st.near = about.Common(reversing(st.said)+"\n"+st.asked) / max(about.Rare, 1)
		if st.near >= sameThing && (!found || st.near > best.near) {
			best, found = st, true
		}
	}
	return best, found
}

// beside puts a statement next to the best, in place of the last but a commit: what
// belongs to the best is not lost to what is merely near the prompt.
func beside(chosen []statement, st statement) []statement {
	chosen = slices.DeleteFunc(chosen, func(c statement) bool { return c.id == st.id })
	chosen = slices.Insert(chosen, 1, st)
	if len(chosen) <= mostSettled {
		return chosen
	}
	last := len(chosen) - 1
	if chosen[last].kind == store.KindCommit {
		last--
	}
	return slices.Delete(chosen, last, last+1)
}
