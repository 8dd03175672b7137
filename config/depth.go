package config

import (
	"bytes"
	"fmt"
)

// maxDepth limits how deep the keys and lists of a config may nest. Our own settings nest three levels. The time and
// memory that the parser and koanf need grow with the square of the depth.
const maxDepth = 16

// The parser and koanf take microseconds for a line or a comment, and time that grows with the square of the number of
// keys: 256 KiB of keys took them seven seconds. There are about a hundred settings, and 256 patterns have five signs
// each.
const (
	maxLines = 5_000
	maxSigns = 2_000 // of '=', '[' and '{', outside strings and comments: each begins a key, a section or a list
)

// checkShape rejects a text before it is parsed if that would take long: nested brackets, a key with too many parts,
// too many keys or lines.
func checkShape(data []byte) error {
	if n := bytes.Count(data, []byte("\n")); n > maxLines {
		return fmt.Errorf("it has %d lines: the limit is %d", n, maxLines)
	}
	depth, dots, signs := 0, 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"', '\'':
			i = behindString(data, i) - 1
		case '#':
			for i+1 < len(data) && data[i+1] != '\n' {
				i++
			}
		case '\n':
			dots = 0
		case '.':
			dots++
		case '=':
			signs++
		case '[', '{':
			signs++
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		switch {
		case depth > maxDepth || dots > maxDepth:
			return fmt.Errorf("it is nested deeper than %d levels", maxDepth)
		case signs > maxSigns:
			return fmt.Errorf("it has more than %d keys, sections and lists", maxSigns)
		}
	}
	return nil
}

// behindString returns the position after the string that starts at i: a single-line string, or a multi-line one in
// triple quotes.
func behindString(data []byte, i int) int {
	quote := data[i]
	long := i+2 < len(data) && data[i+1] == quote && data[i+2] == quote
	if long {
		i += 2
	}
	for i++; i < len(data); i++ {
		switch {
		case data[i] == '\\' && quote == '"':
			i++
		case data[i] == '\n' && !long:
			return i
		case data[i] != quote:
		case !long:
			return i + 1
		case i+2 < len(data) && data[i+1] == quote && data[i+2] == quote:
			return i + 3
		}
	}
	return len(data)
}
