package config

import "fmt"

// maxDepth limits how deep the keys and lists of a config may nest. Our own settings nest three levels. The time and
// memory that the parser and koanf need grow with the square of the depth.
const maxDepth = 16

// checkDepth rejects a text that nests too deep before it is parsed: nested brackets, or a key with too many parts.
func checkDepth(data []byte) error {
	depth, dots := 0, 0
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
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxDepth || dots > maxDepth {
			return fmt.Errorf("it is nested deeper than %d levels", maxDepth)
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
