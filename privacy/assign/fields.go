package assign

import (
	"iter"
	"slices"
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// MaxMarks is for how many values of one text the object or the table around them is searched: only repeated text has
// more.
const MaxMarks = 400

// FieldSpans returns the bounds of the words between blanks.
func FieldSpans(text string, from, to int) [][2]int {
	return slices.Collect(EachField(text, from, to))
}

// EachField yields the bounds of the words between blanks.
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

// WordLike reports whether a text has only bytes of names and tokens.
func WordLike(s string) bool {
	for i := range len(s) {
		if !scan.TokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// RuleOf returns the rule that is named for a value with a name of some strength.
func RuleOf(k value.Strength) string {
	if k == value.PasswordKey {
		return scan.RulePassword
	}
	return scan.RuleSecret
}

// MaxJudged is how many bytes of a value are used to judge it.
const MaxJudged = 512

// NthCell returns the bounds of a cell of a row, -1 if it has fewer.
func NthCell(text string, from, end int, sign byte, nth int) (int, int) {
	for ; nth > 0; nth-- {
		n := strings.IndexByte(text[from:end], sign)
		if n < 0 {
			return -1, -1
		}
		from += n + 1
	}
	if n := strings.IndexByte(text[from:end], sign); n >= 0 {
		end = from + n
	}
	return from, end
}

// EndOfLine returns the end of the line that contains an offset, at most [MaxLine] bytes behind it.
func EndOfLine(text string, at int) int {
	return value.LineEnd(text, at, min(len(text), at+MaxLine))
}

// MaxLine is how many bytes of a line are read in each direction.
const MaxLine = 320
