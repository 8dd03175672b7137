package capture

import (
	"strings"
	"testing"
	"testing/quick"
)

// naiveLine finds the same as nextLine, by reading every character.
func naiveLine(s string, at int) int {
	for len(s)-at >= mediaLine {
		n := base64Run(s[at:])
		if n >= mediaLine {
			return at
		}
		at += n + 1
	}
	return len(s)
}

func TestNoLineOfBase64IsSkipped(t *testing.T) {
	if err := quick.CheckEqual(linesIn(nextLine), linesIn(naiveLine), nil); err != nil {
		t.Error(err)
	}
}

// linesIn finds the lines in a text whose words have the given lengths.
func linesIn(next func(string, int) int) func([]uint8) []int {
	return func(lengths []uint8) (found []int) {
		var b strings.Builder
		for _, n := range lengths {
			b.WriteString(strings.Repeat("x", int(n)/2) + " ")
		}
		s := b.String()
		for at := next(s, 0); at < len(s); at = next(s, at+base64Run(s[at:])) {
			found = append(found, at)
		}
		return found
	}
}
