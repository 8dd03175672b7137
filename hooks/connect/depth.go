package connect

import (
	"bytes"
	"fmt"

	"github.com/tailscale/hujson"
)

// maxNesting limits how deep settings may nest; those of agents nest six levels. The parser recurses, and a stack that
// overflows ends the process: a cloned repository may have a .claude/settings.json of a million brackets.
const maxNesting = 1_000

var errNesting = fmt.Errorf("it is nested deeper than %d levels", maxNesting)

// parseJSON parses JSON with comments. It is the only way to do so in this package.
func parseJSON(data []byte) (hujson.Value, error) {
	if tooDeep(data) {
		return hujson.Value{}, errNesting
	}
	return hujson.Parse(data)
}

// tooDeep reports whether brackets nest too deep, outside strings and comments.
func tooDeep(data []byte) bool {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i)
		case '/':
			i = commentEnd(data, i)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxNesting {
			return true
		}
	}
	return false
}

// stringEnd returns the position of the quote that ends the string at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

// commentEnd returns the position of the last byte of the comment at i, or i if there is none.
func commentEnd(data []byte, i int) int {
	for _, c := range []struct{ begin, end string }{{"//", "\n"}, {"/*", "*/"}} {
		if !bytes.HasPrefix(data[i:], []byte(c.begin)) {
			continue
		}
		n := bytes.Index(data[i+2:], []byte(c.end))
		if n < 0 {
			return len(data)
		}
		return i + 2 + n + len(c.end) - 1
	}
	return i
}
