package privacy

import (
	"strings"

	"keepmum/privacy/denylist"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
	"keepmum/privacy/value"
)

const (
	maxArgv    = 4096 // bytes of a command in list form that are read as one line
	maxScripts = 64   // scripts of one event that are read as a whole
)

// argv reads the words of a command as one line and adds what that line reveals.
func (f *document) argv(list []any, key string) {
	if len(list) == 0 || len(list) > 256 || !commandMember(key) {
		return
	}
	words, parts := make([]string, 0, len(list)+1), make([]*node, 0, len(list))
	if strings.HasPrefix(value.LowerASCII(key), "arg") {
		words = append(words, f.program)
	}
	for _, e := range list {
		l, ok := e.(*node)
		if !ok {
			return
		}
		words, parts = append(words, shell.Quoted(l.text)), append(parts, l)
	}
	if line := strings.TrimSpace(strings.Join(words, " ")); len(line) <= maxArgv {
		f.add(node{field: parts[0].field, text: line, parts: parts})
	}
}

// commandMember reports whether a member holds a command, as a line or a list.
func commandMember(key string) bool {
	return len(key) <= 16 &&
		value.InList(value.LowerASCII(key), " command commands cmd args arguments argv exec entrypoint commandline script ")
}

// programOf returns the program that the other members of an object name.
func programOf(v map[string]any) string {
	for _, k := range []string{"command", "cmd", "program", "executable"} {
		switch e := v[k].(type) {
		case string:
			if len(e) < 256 && !strings.Contains(e, "\n") {
				return e
			}
		case []any:
			if words, ok := denylist.Words(e); ok && len(words) < 16 {
				if line := strings.Join(words, " "); len(line) < 256 && !strings.Contains(line, "\n") {
					return line
				}
			}
		}
	}
	return ""
}

// together marks what was found in a whole command in each of its words.
func (l *node) together() {
	for _, s := range l.spans {
		v := s.In(l.text)
		for _, part := range l.parts {
			if more := scan.Occurrences(part.text, v, s.Rule); len(v) >= 4 && len(more) > 0 && !part.done {
				part.spans = scan.Merge(append(part.spans, more...))
			}
		}
	}
}
