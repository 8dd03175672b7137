package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/store"
)

const (
	// maxCompared limits the sentences with numbers of a statement that are compared.
	maxCompared = 4
	// Two sentences with another number of the same unit are about one thing if they share this many content words
	// besides, which are this share of those of one of them.
	sharedThing, sameThingShare = 2, 0.5
)

// setsOther reports whether a user's statement, or a memory, gives another number for what an older statement is about.
func (st *statement) setsOther(old *statement) bool {
	if st.settles <= 0 || st.said == "" || st.kind == store.KindCommit {
		return false
	}
	now := numbered(st.said)
	return len(now) > 0 && slices.ContainsFunc(numbered(old.said), func(before string) bool {
		return slices.ContainsFunc(now, func(s string) bool { return otherNumber(s, before) })
	})
}

// numbered returns the first sentences of a text that have a number.
func numbered(text string) (out []string) {
	if !hasDigit(text) {
		return nil
	}
	for _, s := range sentences(typed(text)) {
		if hasDigit(s) && len(out) < maxCompared {
			out = append(out, s)
		}
	}
	return out
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// quantity matches a number with its unit.
var quantity = lazyregexp.New(`(?:^|[\s(~≥≤<>])(\d+(?:[.,]\d+)?)[\s-]?(\pL+|%)`)

// otherNumber reports whether two sentences give different numbers for one thing: as titles of memories would, or each
// has one number, of the same unit, and they share enough other words.
func otherNumber(a, b string) bool {
	if memory.Contradict(memory.Memory{Title: a}, memory.Memory{Title: b}) {
		return true
	}
	one, other := quantity.FindAllStringSubmatch(a, 2), quantity.FindAllStringSubmatch(b, 2)
	if len(one) != 1 || len(other) != 1 || one[0][1] == other[0][1] {
		return false
	}
	unit := store.ContentWords(one[0][2])
	if !slices.Equal(unit, store.ContentWords(other[0][2])) {
		return false
	}
	without := func(text string) []string {
		return slices.DeleteFunc(store.ContentWords(text),
			func(w string) bool { return hasDigit(w) || slices.Contains(unit, w) })
	}
	said, before := without(a), without(b)
	shared := 0
	for _, w := range said {
		if slices.Contains(before, w) {
			shared++
		}
	}
	return shared >= sharedThing && float64(shared) >= sameThingShare*float64(min(len(said), len(before)))
}
