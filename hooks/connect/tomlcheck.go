package connect

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// checkTOML returns an error for a file that is not TOML: Codex does not start with it, and what is appended may become
// part of an unfinished value.
func checkTOML(data []byte) error {
	text := strings.TrimPrefix(string(data), "\ufeff")
	older, nested := olderTOML(text)
	if nested > maxNesting {
		return fmt.Errorf("%w: %w", ErrConflict, errNesting)
	}
	var all map[string]any
	err := toml.Unmarshal([]byte(text), &all)
	if err == nil || toml.Unmarshal(older, &all) == nil {
		return nil
	}
	if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
		line, _ := at.Position()
		return fmt.Errorf("%w: it is not TOML: line %d: %s", ErrConflict, line, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return fmt.Errorf("%w: it is not TOML: %w", ErrConflict, err)
}

// olderTOML writes in TOML 1.0, which the parser knows, what TOML 1.1 allows in addition: lines, comments and a last
// comma in braces, and the escapes \e and \x. It also returns how deep values nest.
func olderTOML(text string) (out []byte, nested int) {
	var open []byte // brackets and braces
	var value tomlValue
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		inBraces := bytes.HasSuffix(open, []byte("{"))
		switch c := rest[0]; {
		case value.quote != "":
			piece := rest[:min(1+value.inString(rest), len(rest))]
			out, i = append(out, olderEscape(piece)...), i+len(piece)-1
			continue
		case c == '#':
			comment, _, _ := strings.Cut(rest, "\n")
			if i += len(comment) - 1; !inBraces {
				out = append(out, comment...)
			}
			continue
		case inBraces && (c == '\n' || c == '\r'):
			out = append(out, ' ')
			continue
		case c == '[' || c == '{':
			open = append(open, c)
			nested = max(nested, len(open))
		case c == ']' || c == '}':
			if inBraces {
				out = bytes.TrimSuffix(bytes.TrimRight(out, " \t"), []byte(","))
			}
			open = open[:max(len(open)-1, 0)]
		}
		more := value.begin(rest)
		out, i = append(out, rest[:1+more]...), i+more
	}
	return out, nested
}

// olderEscape returns a character of a string, or the start of an escape, as TOML 1.0 writes it.
func olderEscape(piece string) string {
	switch piece {
	case `\e`:
		return `\u001b`
	case `\x`:
		return `\u00`
	}
	return piece
}
