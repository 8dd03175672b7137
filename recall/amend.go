package recall

import (
	"context"

	"keepmum/store"
)

const (
	// amendedShare is how much of a rule's content words its amendment repeats at least. What is settled later about
	// something else repeats the words of the subject only: a quarter to a third of the rule's words.
	amendedShare = 0.4
	// wholeRule is the number of content words from which one sentence of several is compared by itself.
	wholeRule = 6
)

// markReplaced marks each statement that a later one of them amends, with the latest that applies where it does.
func markReplaced(ctx context.Context, src Source, told []statement) error {
	if err := nameBranches(ctx, src, told); err != nil {
		return err
	}
	for i := range told {
		old := &told[i]
		last := old.at
		for j := range told {
			if later := &told[j]; later.at > last && later.amends(old) {
				old.replaced, last = later.id, later.at
			}
		}
	}
	return nil
}

// appliesTo reports whether a statement applies where an older one does.
func (st *statement) appliesTo(old *statement) bool {
	return st.branch == "" || st.branch == old.branch
}

// amends reports whether a statement changes or takes back an older one: it says that something is changed, in
// sentences that repeat much of what the older one or a sentence of it says. What was said on an unmerged branch amends
// nothing elsewhere.
func (st *statement) amends(old *statement) bool {
	if !st.appliesTo(old) || st.withdrawn != 0 {
		return false
	}
	if st.session == 0 || old.session == 0 || !reverses(st.said) || st.words() == old.words() {
		return false
	}
	changed := map[string]bool{}
	for _, w := range store.ContentWords(reversing(st.said) + "\n" + st.asked) {
		changed[w] = true
	}
	rule := old.asked + "\n" + old.said
	if share(store.ContentWords(rule), changed) >= amendedShare {
		return true
	}
	for _, s := range sentences(rule) {
		if words := store.ContentWords(s); len(words) >= wholeRule && share(words, changed) >= amendedShare {
			return true
		}
	}
	return false
}
