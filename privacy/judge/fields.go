package judge

import (
	"iter"
	"slices"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	MaxObject = 600 // bytes on each side of a value that are searched for its object
	MaxMarks  = 400 // values of one text for which that is done: only repeated text has more
)

// FieldSpans returns the bounds of the words between blanks.
func FieldSpans(text string, from, to int) [][2]int {
	return slices.Collect(EachField(text, from, to))
}

func EachField(text string, from, to int) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		for i := from; i < to; {
			for i < to && value.IsSpace(text[i]) {
				i++
			}
			j := i
			for j < to && !value.IsSpace(text[j]) {
				j++
			}
			if j > i && !yield([2]int{i, j}) {
				return
			}
			i = j
		}
	}
}

func WordLike(s string) bool {
	for i := range len(s) {
		if !scan.TokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func RuleOf(k value.Strength) string {
	if k == value.PasswordKey {
		return scan.RulePassword
	}
	return scan.RuleSecret
}

const MaxRows = 40 // rows of a table aligned by blanks

// MaxJudged is how many bytes of a value are used to judge it.
const MaxJudged = 512
