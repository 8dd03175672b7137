package judge

import (
	"iter"
	"slices"
	"strings"

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

// nthCell returns the bounds of a cell of a row, -1 if it has fewer.
func nthCell(text string, from, end int, sign byte, nth int) (int, int) {
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

func lineEnd(text string, at int) int {
	limit := min(len(text), at+maxLine)
	if n := strings.IndexByte(text[at:limit], '\n'); n >= 0 {
		return at + n
	}
	return limit
}

// maxLine is how many bytes of a line are read in each direction.
const maxLine = 320
