package store

import "strings"

// text returns the text of a document: its body, or the texts of a tool's input and output.
func (d *docRow) text() string {
	if d.Body != nil {
		return *d.Body
	}
	in, out := jsonText(d.Input), jsonText(d.Output)
	if in == "" || out == "" {
		return in + out
	}
	return in + "\n" + out
}

// beginning returns the text of a row whose columns were read up to readBytes. It reports whether there may be more.
func (d *docRow) beginning() (text string, cut bool) {
	long := func(s string) bool { return len(s) >= readBytes }
	if d.Body != nil {
		return *d.Body, long(*d.Body)
	}
	if !long(d.Input) && !long(d.Output) {
		return d.text(), false
	}
	in, _ := readJSON(d.Input)
	out, _ := readJSON(d.Output)
	return in + "\n" + out, true
}

// indexText returns the index entry of a document. It depends on the row alone, because removing the entry needs the
// same text; so a change here needs a migration that rebuilds the index.
func indexText(d *docRow) string {
	entry, _ := indexEntry(d, d.text())
	return entry
}

// indexEntry returns the index entry of a document with this text, and how many words it has.
func indexEntry(d *docRow, text string) (entry string, tokens int64) {
	if d.Kind == KindMemory && d.Role != "" {
		return "", 0 // no longer in use: it keeps its row, but a search does not find it
	}
	ident, n := identParts(d.Title, text)
	parts := make([]string, 0, 5)
	for _, p := range []string{d.Title, d.Who, d.Tool, text, ident} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n"), int64(n + countTokens(d.Who) + countTokens(d.Tool) + countTokens(ident))
}

// jsonText returns the strings and numbers in a JSON value, one per line and without keys. Text that is not JSON is
// returned unchanged. It need not refuse all invalid JSON, only return the same result each time: a search calls it for
// hundreds of rows, where a decoder is too slow.
func jsonText(s string) string {
	if text, whole := readJSON(s); whole {
		return text
	}
	return s
}

// readJSON is [jsonText] for a value that may be cut off: then it returns what is before the cut, and false.
func readJSON(s string) (text string, whole bool) {
	if s == "" || s[0] != '{' && s[0] != '[' && s[0] != '"' {
		return s, true
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"':
			end := stringEnd(s, i+1)
			if end < 0 {
				line(&b)
				unescape(&b, s[i+1:])
				return b.String(), false
			}
			if !isKey(s, end+1) {
				line(&b)
				unescape(&b, s[i+1:end])
			}
			i = end + 1
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(s) && strings.IndexByte("+-.eE0123456789", s[end]) >= 0 {
				end++
			}
			line(&b)
			b.WriteString(s[i:end])
			i = end
		default:
			i++
		}
	}
	return b.String(), true
}

func line(b *strings.Builder) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
}

func stringEnd(s string, i int) int {
	for i < len(s) {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
		i++
	}
	return -1
}

func isKey(s string, i int) bool {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i < len(s) && s[i] == ':'
}

func unescape(b *strings.Builder, s string) {
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:i])
		n := 2
		switch c := s[i+1]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r', 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			n = unescapeRune(b, s[i:])
		default:
			b.WriteByte(c)
		}
		s = s[i+n:]
	}
}
