package view

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Escape records an encoded character that hides a separator.
func Escape(s *scan.Scanner, end int) { s.Escapes = pair.Around(s.Escapes, end, len(s.Text)) }

// decodedView undoes percent encodings, \u, \x and octal escapes, and entities of ASCII.
func decodedView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	for i := part.From; i < part.To; {
		if i = v.copy(text, i, part.To, &encodings); i == part.To {
			break
		}
		var letter [utf8.UTFMax]byte
		bytes, n := decodeCharacter(text[i:], letter[:0])
		for _, c := range bytes {
			v.put(c, i)
		}
		i += n
		v.End = i
	}
	return v
}

// encodings are the bytes with which an encoded character starts.
var encodings = [256]bool{'%': true, '\\': true, '&': true}

// decodeCharacter reads one possibly encoded character, or one byte of it, and measures the encoding.
func decodeCharacter(s string, room []byte) (bytes []byte, n int) {
	c, n := s[0], 1
	switch s[0] {
	case '%':
		c, n = hexByte(s, 1)
	case '\\':
		return backslashed(s, room)
	case '&':
		c, n = entity(s)
	}
	return append(room, c), n
}

// backslashed reads \u0022, \u043f, \x22 or \042, also with several backslashes, where one literal is inside another.
func backslashed(s string, room []byte) (bytes []byte, n int) {
	at := 1
	for at < min(len(s), 4) && s[at] == '\\' {
		at++
	}
	switch rest := s[at:]; {
	case strings.HasPrefix(rest, "u00"):
		if c, m := value.HexAt(rest, len("u00")); m > 1 {
			return append(room, c), at + m
		}
		fallthrough
	case strings.HasPrefix(rest, "u"):
		if r, ok := letterAt(rest[1:]); ok {
			return utf8.AppendRune(room, r), at + len("u043f")
		}
	case strings.HasPrefix(rest, "x"):
		if c, m := hexByte(rest, 1); m > 1 {
			return append(room, c), at + m
		}
	case strings.HasPrefix(rest, "0"), strings.HasPrefix(rest, "1"):
		if c, ok := octalByte(rest); ok {
			return append(room, c), at + len("137")
		}
	}
	return append(room, s[0]), 1
}

// octalByte reads a printable character of ASCII as three octal digits, as printf writes it.
func octalByte(s string) (byte, bool) {
	if len(s) < 3 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:3], 8, 7)
	return byte(n), err == nil && n >= ' ' && n <= '~'
}

// letterAt reads a letter beyond ASCII, as four hexadecimal digits.
func letterAt(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil && n >= 0x80 && unicode.IsLetter(rune(n))
}

// hexByte reads a printable character of ASCII or a byte of a letter beyond ASCII, as two hexadecimal digits.
func hexByte(s string, at int) (byte, int) {
	if len(s) >= at+2 && s[at] > '7' {
		if n, err := strconv.ParseUint(s[at:at+2], 16, 8); err == nil {
			return byte(n), at + 2
		}
	}
	return value.HexAt(s, at)
}

func entity(s string) (byte, int) {
	for _, e := range []struct {
		name string
		c    byte
	}{{"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&equals;", '='},
		{"&colon;", ':'}} {
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
