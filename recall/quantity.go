package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/store"
)

// setsOther reports whether a user's statement, or a memory, says the same as an older statement with another number.
func (st *statement) setsOther(old *statement) bool {
	if st.said == "" || st.kind == store.KindCommit || !hasDigit(st.said) || !hasDigit(old.said) {
		return false
	}
	now := numbered(st.said)
	return len(now) > 0 && slices.ContainsFunc(numbered(old.said), func(before string) bool {
		return slices.ContainsFunc(now, func(s string) bool { return otherNumber(s, before) })
	})
}

// maxNumbered limits the sentences with numbers of a statement that are compared.
const maxNumbered = 4

// numbered returns the first sentences of a text that have a number.
func numbered(text string) (out []string) {
	for _, s := range sentences(typed(text)) {
		if hasDigit(s) && len(out) < maxNumbered {
			out = append(out, s)
		}
	}
	return out
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// number matches a number.
var number = lazyregexp.New(`\d+(?:[.,:]\d+)*`)

// otherNumber reports whether two sentences have one number each, another one, and otherwise the same content words.
// "The free plan has 5 users" says nothing about the pro plan.
func otherNumber(a, b string) bool {
	one, other := number.FindAllString(a, 2), number.FindAllString(b, 2)
	if len(one) != 1 || len(other) != 1 || one[0] == other[0] {
		return false
	}
	words := func(text, n string) []string {
		out := store.ContentWords(strings.Replace(text, n, " ", 1))
		slices.Sort(out)
		return out
	}
	said := words(a, one[0])
	return len(said) > 1 && slices.Equal(said, words(b, other[0]))
}
