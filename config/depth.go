package config

import "fmt"

// maxDepth is how deep the keys and lists of a config may nest. Ours nest three
// levels; each level more costs the parser and koanf memory and time that grow with
// its square.
const maxDepth = 16

// checkDepth refuses a text that nests too deep, before anything parses it: brackets
// within brackets, or a key of too many parts.
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
			return fmt.Errorf("it nests deeper than %d levels", maxDepth)
		}
	}
	return nil
}

// behindString is where the string that begins at i has ended: of one line, or of
// several behind three quotes.
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
