package recall

import (
	"context"
	"errors"
	"slices"

	"keepmum/store"
)

const (
	// amendedShare is how much of a rule's content words its amendment repeats at least. What is settled later about
	// something else repeats the words of the subject only: a quarter to a third of the rule's words.
	amendedShare = 0.4
	// maxCompared limits the found statements, best first, that are compared with what is told.
	maxCompared = 60
	// minRule is the number of content words that a single sentence of a longer rule must have to be compared on its own.
	minRule = 6
)

// amendment is a statement that amends another one of those to be told.
type amendment struct {
	statement
	of int // index of that other one
}

// markReplaced sets, for each statement to be told, the latest of the found ones that amends it and applies on its
// branch.
func markReplaced(ctx context.Context, src Source, told, found []statement) error {
	later := amendments(told, slices.Concat(told, found[:min(len(found), maxCompared)]))
	by := make([]statement, len(later))
	for i := range later {
		by[i] = later[i].statement
	}
	if err := errors.Join(nameBranches(ctx, src, told), nameBranches(ctx, src, by)); err != nil {
		return err
	}
	last := make([]int64, len(told))
	for i, a := range later {
		if old := &told[a.of]; by[i].at > last[a.of] && by[i].appliesTo(old) {
			old.replaced, last[a.of] = by[i].id, by[i].at
		}
	}
	return nil
}

// amendments finds which of some statements amend those to be told.
func amendments(told, all []statement) (out []amendment) {
	before := make([][]figure, len(told))
	for i := range told {
		before[i] = told[i].figures()
	}
	for _, st := range all {
		if st.held || st.settles <= 0 {
			continue
		}
		now := st.figures()
		for i := range told {
			old := &told[i]
			if st.since(old) && (old.wasSaid() && otherFigure(now, before[i]) || st.amends(old)) {
				out = append(out, amendment{st, i})
			}
		}
	}
	return out
}

// withReplacement marks what was replaced, adds what replaced the best of the chosen statements, and removes those that
// were replaced by what the session has already been told.
func withReplacement(
	ctx context.Context, src Source, chosen, found []statement, known map[int64]bool,
) ([]statement, error) {
	if err := markReplaced(ctx, src, chosen, found); err != nil {
		return nil, err
	}
	chosen = slices.DeleteFunc(chosen, func(st statement) bool { return known[st.replaced] })
	if len(chosen) == 0 || chosen[0].replaced == 0 {
		return chosen, nil
	}
	by := chosen[0].replaced
	is := func(st statement) bool { return st.id == by }
	if i := slices.IndexFunc(found, is); i >= 0 && !slices.ContainsFunc(chosen, is) {
		chosen = beside(chosen, found[i])
		if err := nameBranches(ctx, src, chosen[1:2]); err != nil {
			return nil, err
		}
	}
	return newestFirst(chosen), nil
}

// newestFirst moves what replaced a statement before it.
func newestFirst(told []statement) []statement {
	for i := range told {
		by := func(st statement) bool { return told[i].replaced != 0 && st.id == told[i].replaced }
		if n := slices.IndexFunc(told[i:], by); n > 0 {
			st := told[i+n]
			told = slices.Insert(slices.Delete(told, i+n, i+n+1), i, st)
		}
	}
	return told
}

// wasSaid reports whether a statement is of a session, or a memory: a commit replaces and is replaced in git.
func (st *statement) wasSaid() bool { return st.session != 0 || st.kind == store.KindMemory }

// since reports whether a statement was made after an older one, and clearly after a memory, which may have been made
// of it.
func (st *statement) since(old *statement) bool {
	if old.kind == store.KindMemory {
		return st.at > old.at+sameMoment.Milliseconds()
	}
	return st.at > old.at
}

// appliesTo reports whether a statement applies where an older one does.
func (st *statement) appliesTo(old *statement) bool {
	return st.branch == "" || st.branch == old.branch
}

// amends reports whether a statement changes or takes back an older one: it says that something is changed, in
// sentences that repeat much of what the older one or a sentence of it says.
func (st *statement) amends(old *statement) bool {
	if !st.since(old) || st.withdrawn != 0 {
		return false
	}
	if st.session == 0 || !old.wasSaid() || !reverses(st.said) || st.words() == old.words() {
		return false
	}
	changed := wordSet(store.ContentWords(reversing(st.said) + "\n" + st.asked))
	rule := old.asked + "\n" + old.said
	if share(store.ContentWords(rule), changed) >= amendedShare {
		return true
	}
	for _, s := range sentences(rule) {
		if words := store.ContentWords(s); len(words) >= minRule && share(words, changed) >= amendedShare {
			return true
		}
	}
	return false
}
