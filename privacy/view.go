package privacy

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxViews is how many readings may lie on top of each other.
const maxViews = 3

// view is another reading of a text that knows where each byte came from.
type view struct {
	text []byte
	from []int32 // offset of each byte in the original
	end  int     // offset in the original behind the last byte
}

func (v *view) put(c byte, at int) {
	v.text = append(v.text, c)
	v.from = append(v.from, int32(at))
}

func newView(size int) *view {
	return &view{text: make([]byte, 0, size), from: make([]int32, 0, size+1)}
}

// viewed scans another reading and maps what is found back to the original.
func (s *scanner) viewed(v *view) {
	if len(v.text) == 0 {
		return
	}
	v.from = append(v.from, int32(v.end))
	text := string(v.text)
	if first := int(v.from[0]); text == s.text[first:v.end] {
		return // it reads as it stands
	}
	for _, sp := range s.set.scan(text, s.strict, s.depth+1) {
		value := sp.value
		if value == "" {
			value = text[sp.start:sp.end]
		}
		s.spans = append(s.spans, span{start: int(v.from[sp.start]), end: int(v.from[sp.end]), rule: sp.rule, value: value})
	}
}

// finish does what needs the whole text: encoded runs, other readings, lines
// that were broken.
func (s *scanner) finish() {
	s.latin = ascii(s.text)
	s.encoded()
	s.botTokens()
	if s.strict && s.depth == 0 {
		s.personal()
	}
	if s.depth == 0 {
		s.distant()
	}
	if s.depth < maxViews {
		for _, part := range hidden(s.text, s.latin) {
			s.viewed(plainView(s.text, part))
		}
		if !s.latin {
			for _, part := range mixedScripts(s.text) {
				s.viewed(latinView(s.text, part))
			}
		}
		for _, part := range s.escapes {
			s.viewed(decodedView(s.text, part))
		}
		for _, part := range s.marked {
			s.viewed(renderedView(s.text, part))
		}
		for _, part := range s.joints {
			s.viewed(joinedView(s.text, part))
		}
		if s.hexdump {
			s.hexdumps()
		}
		s.byteLists()
		s.signs()
		for _, lines := range s.ruled {
			s.bare(lines)
		}
	}
	s.wrapped()
}

// hiddenReach is how far around what a reader does not see a text is read
// without it: a private key is that long.
const hiddenReach = 2048

// hidden returns the parts of a text around bytes that a reader does not see.
func hidden(text string, latin bool) (parts []stretch) {
	if !conceals(text, latin) {
		return nil
	}
	for at := 0; at < len(text); at += hiddenReach {
		if end := min(len(text), at+hiddenReach+utf8.UTFMax); conceals(text[at:end], latin) {
			parts = joined(parts, stretch{max(0, at-hiddenReach), min(len(text), end+hiddenReach)})
		}
	}
	return parts
}

// conceals reports whether a text holds bytes a reader does not see, or letters
// of another width.
func conceals(text string, latin bool) bool {
	for _, c := range []byte{0x1b, 0, '\b'} {
		if strings.IndexByte(text, c) >= 0 {
			return true
		}
	}
	if latin {
		return false
	}
	for _, lead := range []byte{0xE2, 0xEF, 0xC2, 0xE1} {
		for at := 0; at < len(text); {
			i := strings.IndexByte(text[at:], lead)
			if i < 0 {
				break
			}
			at += i
			r, n := utf8.DecodeRuneInString(text[at:])
			if invisible(r) || r >= 0xFF01 && r <= 0xFF5E {
				return true
			}
			at += n
		}
	}
	return false
}

// plainView drops what a reader does not see.
func plainView(text string, part stretch) *view {
	v := newView(part.to - part.from)
	text = text[:part.to]
	for i := part.from; i < len(text); {
		c := text[i]
		switch {
		case c == 0x1b:
			i += escapeLength(text[i:])
		case c == 0:
			i++
		case c == '\b' && len(v.text) > 0:
			v.text, v.from = v.text[:len(v.text)-1], v.from[:len(v.from)-1]
			i++
		case c < 0x80:
			v.put(c, i)
			i++
		default:
			r, n := utf8.DecodeRuneInString(text[i:])
			if narrow := r - 0xFF01 + '!'; r >= 0xFF01 && r <= 0xFF5E {
				v.put(byte(narrow), i)
			} else if !invisible(r) {
				for k := range n {
					v.put(text[i+k], i+k)
				}
			}
			i += n
		}
		v.end = i
	}
	return v
}

func invisible(r rune) bool {
	return r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF || r == 0xAD || r >= 0x202A && r <= 0x202E || r == 0x180E || r >= 0xFE00 && r <= 0xFE0F
}

// escapeLength measures a terminal escape sequence.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s) && i < 32; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7E {
				return i + 1
			}
		}
		return 2
	case ']':
		for i := 2; i < len(s) && i < 512; i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b {
				return i + min(2, len(s)-i)
			}
		}
	}
	return 2
}

// decodedView undoes percent, entity and \u encodings of ASCII.
func decodedView(text string, part stretch) *view {
	v := newView(part.to - part.from)
	for i := part.from; i < part.to; {
		c, n := decodeASCII(text[i:])
		v.put(c, i)
		i += n
		v.end = i
	}
	return v
}

// decodeASCII reads one possibly encoded character.
func decodeASCII(s string) (c byte, n int) {
	switch s[0] {
	case '%':
		return hexAt(s, 1)
	case '\\':
		for n := 1; n < len(s) && n < 5; n++ { // escapes of escapes
			if strings.HasPrefix(s[n:], "u00") {
				if c, m := hexAt(s, n+3); m > 1 {
					return c, m
				}
			}
			if s[n] == 'x' {
				if c, m := hexAt(s, n+1); m > 1 {
					return c, m
				}
			}
			if s[n] != '\\' {
				break
			}
		}
	case '&':
		return entity(s)
	}
	return s[0], 1
}

// hexAt reads a character that is written as two hexadecimal digits.
func hexAt(s string, at int) (byte, int) {
	const digits = 2
	if len(s) < at+digits {
		return s[0], 1
	}
	n, err := strconv.ParseUint(s[at:at+digits], 16, 8)
	if err != nil || n < 0x20 && n != '\n' && n != '\t' || n > 0x7E {
		return s[0], 1
	}
	return byte(n), at + digits
}

func entity(s string) (byte, int) {
	for _, e := range []struct {
		name string
		c    byte
	}{{"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&equals;", '='}, {"&colon;", ':'}} {
		if strings.HasPrefix(s, e.name) {
			return e.c, len(e.name)
		}
	}
	end := strings.IndexByte(s[:min(len(s), 9)], ';')
	if end < 3 || s[1] != '#' {
		return s[0], 1
	}
	digits, base := s[2:end], 10
	if digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 8)
	if err != nil || n < 0x20 || n > 0x7E {
		return s[0], 1
	}
	return byte(n), end + 1
}

// joinedView joins literals: "ab" + "cd", 'ab' . 'cd', "ab" \ "cd".
func joinedView(text string, part stretch) *view {
	v := newView(part.to - part.from)
	for i := part.from; i < part.to; {
		if n := joint(text[i:]); n > 0 {
			i += n
			continue
		}
		v.put(text[i], i)
		i++
		v.end = i
	}
	return v
}

// joint measures the place where one literal ends and the next one continues it.
func joint(s string) int {
	q := s[0]
	if q != '"' && q != '\'' && q != '`' {
		return 0
	}
	i, joined := 1, false
	for i < len(s) && i < 48 && (isSpace(s[i]) || strings.IndexByte("+.&\\", s[i]) >= 0) {
		joined = joined || !isSpace(s[i])
		i++
	}
	if joined && i < len(s) && s[i] == q {
		return i + 1
	}
	return 0
}

// wrapped extends spans that end at a line's end over their continuation.
func (s *scanner) wrapped() {
	for i := range s.spans {
		sp := s.spans[i]
		if sp.rule == rulePEM || sp.end >= len(s.text) || s.text[sp.end] != '\n' {
			continue
		}
		if rest := s.text[sp.end+1:]; continues(rest) {
			end := 0
			for end < len(rest) && !isSpace(rest[end]) {
				end++
			}
			s.add(sp.end+1, sp.end+1+end, sp.rule)
		}
	}
}

// continues reports whether a line is the rest of a token that was broken by a
// hard wrap: one word that no sentence, list or program would hold.
func continues(rest string) bool {
	end := 0
	for end < len(rest) && end < 512 && rest[end] > ' ' {
		end++
	}
	line := rest[:end]
	if end < 4 || end < len(rest) && rest[end] != '\n' && rest[end] != '\r' {
		return false
	}
	for i := range len(line) {
		if c := line[i]; c == '=' && i < len(line)-2 || strings.IndexByte(":\"'({<[$", c) >= 0 || c >= 0x80 {
			return false
		}
	}
	n := countKinds(line)
	if n.digits == 0 {
		return len(line) >= 12 && n.upper > 1 && n.lower > 1 && surprise(line) > 6
	}
	return n.lower+n.upper > 0 && (n.runs > 1 || surprise(line) > 5.5) && line[0] != '-' && line[0] != '#'
}

// markup notes a name that is followed by a tag or by a colour that is written
// out: then what is read is the text without them.
func (s *scanner) markup(to int) {
	i := to
	if i < len(s.text) && s.text[i] == ':' {
		i++
	}
	i = blanks(s.text, i)
	if i+3 >= len(s.text) || strings.IndexByte("<\\^&", s.text[i]) < 0 || markLength(s.text[i:]) == 0 {
		return
	}
	s.marked = around(s.marked, to, len(s.text))
}

// markLength returns the length of a tag of HTML or of a colour as escapes
// write it, 0 when there is none.
func markLength(text string) int {
	for _, lead := range []string{`\u001b[`, `\u001B[`, `\x1b[`, `\x1B[`, `\033[`, `\e[`, "^[["} {
		if strings.HasPrefix(text, lead) {
			if n := strings.IndexByte(text[:min(len(text), len(lead)+12)], 'm'); n > 0 {
				return n + 1
			}
		}
	}
	open, shut := "<", ">"
	if strings.HasPrefix(text, "&lt;") {
		open, shut = "&lt;", "&gt;"
	}
	rest, ok := strings.CutPrefix(text, open)
	if !ok {
		return 0
	}
	n := strings.Index(rest[:min(len(rest), 80)], shut)
	name := strings.TrimPrefix(rest[:max(n, 0)], "/")
	name, _, _ = strings.Cut(name, " ")
	if n < 0 || !in(strings.ToLower(name), " b strong i em code span p li br u font tt kbd samp small big label dt dd div pre h1 h2 h3 h4 ") {
		return 0
	}
	return len(open) + n + len(shut)
}

// renderedView drops tags and colours that are written out.
func renderedView(text string, part stretch) *view {
	v := newView(part.to - part.from)
	for i := part.from; i < part.to; {
		if strings.IndexByte("<\\^&", text[i]) >= 0 {
			if n := markLength(text[i:]); n > 0 {
				i += n
				v.end = i
				continue
			}
		}
		v.put(text[i], i)
		i++
		v.end = i
	}
	return v
}

// stretch is the part of a text that another reading is made of.
type stretch struct{ from, to int }

// around adds what lies around an offset; stretches that meet become one.
func around(parts []stretch, at, size int) []stretch {
	return joined(parts, stretch{max(0, at-viewReach), min(size, at+viewReach)})
}

// joined adds a stretch that begins behind the others.
func joined(parts []stretch, next stretch) []stretch {
	if last := len(parts) - 1; last >= 0 && next.from <= parts[last].to {
		parts[last].to = next.to
		return parts
	}
	return append(parts, next)
}

// viewReach is how far around an encoding or a joint a secret is looked for.
const viewReach = 1024

// dump notes that there is a hexdump.
func (s *scanner) dump(int) { s.hexdump = true }

// joint notes a place where code joins two literals.
func (s *scanner) joint(end int) { s.joints = around(s.joints, end, len(s.text)) }

// escape notes an encoded character that hides a separator.
func (s *scanner) escape(end int) { s.escapes = around(s.escapes, end, len(s.text)) }
