package place

import (
	"strings"

	"keepmum/privacy/value"
)

// dated reports whether a value starts like a time.
func dated(v string) bool {
	return len(v) >= 10 && v[4] == '-' && v[7] == '-' && value.Integer(v[:4])
}

// LineEndFrom returns the offset after the line that contains an offset.
func LineEndFrom(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}
