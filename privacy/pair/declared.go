package pair

import (
	"strings"

	"keepmum/privacy/value"
)

// skipTypeLength skips the length of a type after a name: gc_password(12) TYPE c.
func skipTypeLength(text string, i int) int {
	if i >= len(text) || text[i] != '(' {
		return i
	}
	n := strings.IndexByte(text[i:min(len(text), i+6)], ')')
	if n < 2 || !value.Integer(text[i+1:i+n]) {
		return i
	}
	return i + n + 1
}
