package connect

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"keepmum/lazyregexp"
)

// tomlTable registers our MCP server as a table at the end of a TOML file. It edits the file as text, because no TOML
// library keeps comments.
type tomlTable struct{ lines []string }

const (
	tomlServers = "mcp_servers"
	tomlHeader  = "[" + tomlServers + "." + serverName + "]"
)

// ourArgs matches what tells our server from another one of the same name.
var ourArgs = lazyregexp.New(`(?m)^[ \t]*args\s*=\s*\[[^\]]*["']mcp["']\s*,?\s*\]`)

func (tomlTable) kind() string { return "toml" }

func (t tomlTable) add(base []byte) ([]byte, error) {
	if err := cmp.Or(t.conflict(base), checkTOML(base)); err != nil {
		return nil, err
	}
	newline := "\n"
	if bytes.Contains(base, []byte("\r\n")) {
		newline = "\r\n"
	}
	var b bytes.Buffer
	b.Write(base)
	if len(base) > 0 && !bytes.HasSuffix(base, []byte("\n")) {
		b.WriteString(newline)
	}
	if len(base) > 0 {
		b.WriteString(newline)
	}
	for _, line := range append([]string{tomlHeader}, t.lines...) {
		b.WriteString(line + newline)
	}
	return b.Bytes(), nil
}

// conflict returns an error for a file to which our table cannot be added.
func (t tomlTable) conflict(base []byte) error {
	for _, table := range readTOML(base) {
		if table.is() {
			return fmt.Errorf("%w: there is another server called %s", ErrConflict, serverName)
		}
		for _, line := range table.lines {
			switch path := slices.Concat(table.path, line.key); {
			case len(line.key) == 0 || path[0] != tomlServers:
			case len(table.path) == 0:
				return fmt.Errorf("%w: %s is not written as [%s.…]", ErrConflict, tomlServers, tomlServers)
			case len(table.path) == 1 && path[1] == serverName:
				return fmt.Errorf("%w: there is another server called %s", ErrConflict, serverName)
			case table.is("env") && len(t.lines) > 0 && strings.HasPrefix(t.lines[len(t.lines)-1], "env "):
				return fmt.Errorf("%w: [%s.%s.env] is a table of its own; remove it first", ErrConflict, tomlServers, serverName)
			}
		}
	}
	return nil
}

// remove removes our table, and the one into which an agent may have moved its environment. What the user or the agent
// set about its tools stays, for a server that is connected again.
func (t tomlTable) remove(cur []byte) ([]byte, error) {
	tables := readTOML(cur)
	if !slices.ContainsFunc(tables, tomlPart.ours) {
		return cur, nil
	}
	return without(tables, func(p tomlPart) bool { return p.ours() || p.is("env") && p.setsOnly("MUM_HOME") }), nil
}

// purge removes what remove leaves of our server: it would be part of a server that is not there.
func (t tomlTable) purge(cur, rest []byte) []byte {
	below := func(p tomlPart) bool {
		return len(p.path) > 2 && p.path[0] == tomlServers && p.path[1] == serverName
	}
	tables := readTOML(rest)
	if !slices.ContainsFunc(readTOML(cur), tomlPart.ours) || !slices.ContainsFunc(tables, below) {
		return rest
	}
	return without(tables, below)
}

// without returns a file without some of its tables. Comments stay, and one blank line in place of two.
func without(tables []tomlPart, gone func(tomlPart) bool) []byte {
	var kept []string
	for _, table := range tables {
		drop := gone(table)
		if n := len(kept); drop && n > 0 && strings.TrimSpace(kept[n-1]) == "" {
			kept = kept[:n-1]
		}
		for _, line := range table.lines {
			switch {
			case !drop:
				kept = append(kept, line.text)
			case line.comment != "":
				kept = append(kept, line.comment)
			}
		}
		if !drop || len(kept) == 0 {
			continue
		}
		if last := table.lines[len(table.lines)-1].text; strings.TrimSpace(last) == "" {
			kept = append(kept, last)
		}
	}
	return []byte(strings.Join(kept, ""))
}

// same ignores the order of tables: other programs append their own after ours.
func (tomlTable) same(cur, want []byte) bool { return sameTables(cur, want) }

func (t tomlTable) empty(rest []byte) bool { return len(bytes.TrimSpace(rest)) == 0 }

// tomlPart is a table of a TOML file, from its header to the next one. The first has no header and no path.
type tomlPart struct {
	path  []string
	lines []tomlLine
}

type tomlLine struct {
	text    string
	key     []string // what it sets; nil = nothing, or it continues a value
	comment string   // to the end of the line
}

// is reports whether a table belongs to a server of our name, or is a certain one below it.
func (p tomlPart) is(below ...string) bool {
	return slices.Equal(p.path, append([]string{tomlServers, serverName}, below...))
}

// ours reports whether a table is our server.
func (p tomlPart) ours() bool {
	var text strings.Builder
	for _, line := range p.lines {
		text.WriteString(line.text)
	}
	return p.is() && ourArgs.MatchString(text.String())
}

// setsOnly reports whether a table sets nothing but one name.
func (p tomlPart) setsOnly(name string) bool {
	return !slices.ContainsFunc(p.lines, func(l tomlLine) bool { return len(l.key) > 0 && l.key[0] != name })
}

// readTOML splits a TOML file into tables. It knows as much of TOML as is needed to find its headers and keys.
func readTOML(data []byte) []tomlPart {
	parts := []tomlPart{{}}
	var open tomlValue
	for text := range strings.Lines(string(data)) {
		line := tomlLine{text: text}
		rest, continues := text, open.goesOn()
		if header := strings.TrimLeft(text, "\ufeff \t"); !continues && strings.HasPrefix(header, "[") {
			path, after := tomlKey(strings.TrimLeft(header, "["))
			if len(path) > 0 && strings.HasPrefix(after, "]") {
				parts, rest = append(parts, tomlPart{path: path}), strings.TrimLeft(after, "]")
			}
		} else if !continues {
			if key, after := tomlKey(text); strings.HasPrefix(after, "=") {
				line.key, rest = key, after[1:]
			}
		}
		line.comment = open.read(rest)
		last := &parts[len(parts)-1]
		last.lines = append(last.lines, line)
	}
	return parts
}

// tomlKey reads a key, perhaps with dots and quotes, and returns what follows it; nil = there is none.
func tomlKey(text string) (key []string, rest string) {
	const blank, bare = " \t", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	for {
		text = strings.TrimLeft(text, blank)
		quoted, err := strconv.QuotedPrefix(text)
		var word string
		switch {
		case strings.HasPrefix(text, "'"):
			var ok bool
			if word, text, ok = strings.Cut(text[1:], "'"); !ok {
				return nil, ""
			}
		case err == nil && strings.HasPrefix(text, `"`):
			word, _ = strconv.Unquote(quoted)
			text = text[len(quoted):]
		default:
			after := strings.TrimLeft(text, bare)
			word, text = text[:len(text)-len(after)], after
			if word == "" {
				return nil, ""
			}
		}
		key, text = append(key, word), strings.TrimLeft(text, blank)
		if !strings.HasPrefix(text, ".") {
			return key, text
		}
		text = text[1:]
	}
}

// tomlValue is a value that may span several lines.
type tomlValue struct {
	quote string // the quotation marks that end its string; "" = it is in none
	depth int    // of brackets and braces
}

// goesOn reports whether the value continues on the next line.
func (v *tomlValue) goesOn() bool { return v.quote != "" || v.depth > 0 }

// read reads the rest of a line and returns the comment at its end.
func (v *tomlValue) read(text string) (comment string) {
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		if v.quote != "" {
			i += v.inString(rest)
			continue
		}
		switch rest[0] {
		case '#':
			return rest
		case '[', '{':
			v.depth++
		case ']', '}':
			v.depth = max(v.depth-1, 0)
		default:
			i += v.begin(rest)
		}
	}
	if len(v.quote) == 1 { // it is broken, and ends with the line
		v.quote = ""
	}
	return ""
}

// begin notes a string that begins here, and returns how many more characters its quotation marks have.
func (v *tomlValue) begin(rest string) (more int) {
	if rest[0] != '"' && rest[0] != '\'' {
		return 0
	}
	v.quote = rest[:1]
	if long := strings.Repeat(v.quote, 3); strings.HasPrefix(rest, long) {
		v.quote = long
	}
	return len(v.quote) - 1
}

// inString reads one character of a string, and returns how many more belong to it.
func (v *tomlValue) inString(rest string) (more int) {
	switch {
	case rest[0] == '\\' && v.quote[0] == '"':
		return 1
	case strings.HasPrefix(rest, v.quote):
		more = len(v.quote) - 1
		v.quote = ""
	}
	return more
}
