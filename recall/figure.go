package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/store"
)

// figure is a sentence with one number.
type figure struct {
	number string
	words  []string // the content words of the rest, sorted
}

// maxFigures limits the figures of a statement.
const maxFigures = 4

// number matches a number.
var number = lazyregexp.New(`\d+(?:[.,:]\d+)*`)

// figures returns the first sentences with one number of what a user said, or of a memory. A statement that was taken
// back has none.
func (st *statement) figures() []figure {
	if st.kind == store.KindCommit || st.withdrawn != 0 {
		return nil
	}
	return figuresIn(st.said)
}

func figuresIn(text string) (out []figure) {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	for _, s := range sentences(typed(text)) {
		n := number.FindAllString(s, 2)
		if len(n) != 1 || len(out) == maxFigures {
			continue
		}
		words := store.ContentWords(strings.Replace(s, n[0], " ", 1))
		slices.Sort(words)
		out = append(out, figure{n[0], words})
	}
	return out
}

// otherFigure reports whether a sentence has another number than one of some older ones, and otherwise the same content
// words. "The free plan has 5 users" says nothing about the pro plan.
func otherFigure(now, before []figure) bool {
	return slices.ContainsFunc(now, func(f figure) bool {
		return len(f.words) > 1 && slices.ContainsFunc(before, func(old figure) bool {
			return f.number != old.number && slices.Equal(f.words, old.words)
		})
	})
}
