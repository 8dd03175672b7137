package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/privacy/pair"
	"keepmum/privacy/place"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// maxViews limits how many readings can be nested.
const maxViews = 3

// viewAt is another reading of a text that knows the origin of each byte.
type viewAt struct {
	Text []byte
	From []int32 // offset of each byte in the original
	End  int     // original offset after the last byte
}

func (v *viewAt) put(c byte, at int) {
	v.Text = append(v.Text, c)
	v.From = append(v.From, int32(at))
}

// copy takes a text over as it is, up to one of the marks, and returns where that is.
func (v *viewAt) copy(text string, from, to int, marks *[256]bool) int {
	i := from
	for i < to && !marks[text[i]] {
		v.From = append(v.From, int32(i))
		i++
	}
	if i > from {
		v.Text = append(v.Text, text[from:i]...)
		v.End = i
	}
	return i
}

func newView(size int) *viewAt {
	return &viewAt{Text: make([]byte, 0, size), From: make([]int32, 0, size+1)}
}

// viewed scans another reading and maps the findings back to the original.
func viewed(s *scan.Scanner, v *viewAt) { viewedBy(s, v, scan.Reread) }

func viewedBy(s *scan.Scanner, v *viewAt, read func(*scan.Scanner, string) []scan.Span) {
	if len(v.Text) == 0 {
		return
	}
	v.From = append(v.From, int32(v.End))
	text := string(v.Text)
	if first := int(v.From[0]); text == s.Text[first:v.End] {
		return // it reads the same
	}
	for _, sp := range read(s, text) {
		value := sp.Value
		if value == "" {
			value = text[sp.Start:sp.End]
		}
		s.Spans = append(s.Spans, scan.Span{Start: int(v.From[sp.Start]), End: int(v.From[sp.End]), Rule: sp.Rule,
			Value: value})
	}
}

// Finish runs what needs the whole text: encoded runs, other readings, lines that were broken.
func Finish(s *scan.Scanner) {
	s.Latin = value.ASCII(s.Text)
	encoded(s)
	botTokens(s)
	if s.Strict && s.Depth == 0 {
		place.Personal(s)
	}
	if s.Depth < maxViews {
		pair.FindNonASCIICues(s)
		for _, part := range hidden(s.Text, s.Latin) {
			viewed(s, PlainView(s.Text, part))
		}
		if !s.Latin {
			for _, part := range mixedScripts(s.Text) {
				viewed(s, latinView(s.Text, part))
			}
		}
		for _, part := range s.Escapes {
			viewedBy(s, decodedView(s.Text, part), scan.Decoded)
		}
		for _, part := range s.Marked {
			viewed(s, renderedView(s.Text, part))
		}
		for _, part := range s.Literals {
			viewed(s, unquotedView(s.Text, part))
		}
		for _, part := range s.Joints {
			viewed(s, joinedView(s.Text, part))
		}
		if s.Hexdump {
			hexdumps(s)
		}
		place.ByteLists(s)
		signs(s)
		for _, lines := range s.Ruled {
			bare(s, lines)
		}
	}
	wrapped(s)
}

// hiddenReach is how far around an invisible character a text is read without it: a private key is that long.
const hiddenReach = 2048

// hidden returns the parts of a text around bytes that a reader does not see.
func hidden(text string, latin bool) (parts []scan.Stretch) {
	if !Conceals(text, latin) {
		return nil
	}
	for at := 0; at < len(text); at += hiddenReach {
		if end := min(len(text), at+hiddenReach+utf8.UTFMax); Conceals(text[at:end], latin) {
			parts = pair.Joined(parts, scan.Stretch{From: max(0, at-hiddenReach), To: min(len(text), end+hiddenReach)})
		}
	}
	return parts
}

// Conceals reports whether a text contains bytes that a reader does not see, or letters of another width.
func Conceals(text string, latin bool) bool {
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

// PlainView drops what a reader does not see.
func PlainView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	text = text[:part.To]
	for i := part.From; i < len(text); {
		c := text[i]
		switch {
		case c == 0x1b:
			i += escapeLength(text[i:])
		case c == 0:
			i++
		case c == '\b' && len(v.Text) > 0:
			v.Text, v.From = v.Text[:len(v.Text)-1], v.From[:len(v.From)-1]
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
		v.End = i
	}
	return v
}

func invisible(r rune) bool { return unicode.Is(invisibles, r) }

// invisibles are characters without width, marks of the direction of writing, and variants of the one before.
var invisibles = &unicode.RangeTable{LatinOffset: 1, R16: []unicode.Range16{
	{Lo: 0xAD, Hi: 0xAD, Stride: 1}, {Lo: 0x180E, Hi: 0x180E, Stride: 1}, {Lo: 0x200B, Hi: 0x200F, Stride: 1},
	{Lo: 0x202A, Hi: 0x202E, Stride: 1}, {Lo: 0x2060, Hi: 0x2064, Stride: 1}, {Lo: 0xFE00, Hi: 0xFE0F, Stride: 1},
	{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1},
}}

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

// joinedView joins literals: "ab" + "cd", 'ab' . 'cd', "ab" \ "cd".
func joinedView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	for i := part.From; i < part.To; {
		if n := joint(text[i:]); n > 0 {
			i += n
			continue
		}
		v.put(text[i], i)
		i++
		v.End = i
	}
	return v
}

// joint measures the position at which one literal ends and the next one continues it.
func joint(s string) int {
	q := s[0]
	if q != '"' && q != '\'' && q != '`' {
		return 0
	}
	i, joined := 1, false
	for i < len(s) && i < 48 && (value.IsSpace(s[i]) || strings.IndexByte("+.&\\", s[i]) >= 0) {
		joined = joined || !value.IsSpace(s[i])
		i++
	}
	if joined && i < len(s) && s[i] == q {
		return i + 1
	}
	return 0
}

// wrapped extends spans at the end of a line over their continuation.
func wrapped(s *scan.Scanner) {
	for i := range s.Spans {
		sp := s.Spans[i]
		if sp.Rule == place.RulePEM || sp.End >= len(s.Text) || s.Text[sp.End] != '\n' {
			continue
		}
		if rest := s.Text[sp.End+1:]; scan.Continues(rest) {
			end := 0
			for end < len(rest) && !value.IsSpace(rest[end]) {
				end++
			}
			scan.Add(s, sp.End+1, sp.End+1+end, sp.Rule)
		}
	}
}

// renderedView drops tags and colours that are written as text.
func renderedView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	for i := part.From; i < part.To; {
		if i = v.copy(text, i, part.To, &renderings); i == part.To {
			break
		}
		n := pair.MarkLength(text[i:])
		if n == 0 {
			v.put(text[i], i)
			n = 1
		}
		i += n
		v.End = i
	}
	return v
}

// renderings are the bytes with which a tag or a colour starts.
var renderings = [256]bool{'<': true, '\\': true, '^': true, '&': true}

// Dump records that there is a hexdump.
func Dump(s *scan.Scanner, _ int) { s.Hexdump = true }

// Joint records a place where code joins two literals.
func Joint(s *scan.Scanner, end int) { s.Joints = pair.Around(s.Joints, end, len(s.Text)) }
