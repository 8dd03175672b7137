package value

import (
	_ "embed"
	"encoding/base64"
	"math"
	"strconv"
	"strings"
)

// Digit reports whether a byte is a digit.
func Digit(c byte) bool { return c >= '0' && c <= '9' }

// BeginsFold reports whether s starts with a lower-case ASCII prefix, ignoring case in s.
func BeginsFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if c := s[i]; c != prefix[i] && (c < 'A' || c > 'Z' || c|0x20 != prefix[i]) {
			return false
		}
	}
	return true
}

// IsSpace reports whether a byte is a blank or ends a line.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// DecodeBase64 decodes base64 of both alphabets, without padding; what is left over at its end is dropped. It returns
// "" for anything else.
func DecodeBase64(s string) string {
	if strings.ContainsAny(s, "-_") {
		s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
	}
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	raw, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return ""
	}
	return string(raw)
}

// Readable reports whether bytes are text: printable, or printable in UTF-16.
func Readable(s string) bool {
	if len(s) < 4 {
		return false
	}
	wide := s[1] == 0
	for i := range len(s) {
		c := s[i]
		if wide && i%2 == 1 && c == 0 {
			continue
		}
		if c < ' ' && !IsSpace(c) || c >= 0x7F {
			return false
		}
	}
	return true
}

// HexDigit reports whether a byte is a hexadecimal digit.
func HexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// Letter reports whether a byte is a letter of ASCII.
func Letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// Alphanumeric reports whether a byte is a letter of ASCII or a digit.
func Alphanumeric(c byte) bool { return Digit(c) || Letter(c) }

// WordByte reports whether a byte can be in a name of most programming languages.
func WordByte(c byte) bool { return Alphanumeric(c) || c == '_' }

// LineStart returns the start of the line that contains an offset, at most back bytes before it. Both bytes of CRLF are
// in the line that they end.
func LineStart(text string, at, back int) int {
	from := max(0, at-back)
	if at > from && at < len(text) && text[at-1] == '\r' && text[at] == '\n' {
		at--
	}
	for at > from && text[at-1] != '\n' && text[at-1] != '\r' {
		at--
	}
	return at
}

// LineEnd returns the end of the line that contains an offset, at most limit.
func LineEnd(text string, at, limit int) int {
	if n := strings.IndexByte(text[at:limit], '\n'); n >= 0 {
		return at + n
	}
	return limit
}

// NextLine returns where the line below an offset starts, the end of the text if there is none.
func NextLine(text string, at int) int { return min(len(text), LineEnd(text, at, len(text))+1) }

// Trimmed returns a part of a text without bytes of these sets at its ends.
func Trimmed(text string, from, to int, left, right string) (int, int) {
	for from < to && strings.IndexByte(left, text[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(right, text[to-1]) >= 0 {
		to--
	}
	return from, to
}

// LongestBase64 returns the length of the longest run of base64 in a line.
func LongestBase64(line string) int {
	best, run := 0, 0
	for i := range len(line) {
		if c := line[i]; WordByte(c) && c != '_' || c == '+' || c == '/' || c == '=' {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}

// Base64Count returns how many bytes of a text can be of base64.
func Base64Count(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; WordByte(c) || c == '+' || c == '/' || c == '=' {
			n++
		}
	}
	return n
}

// Entropy returns Shannon's entropy in bits per byte.
func Entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	h, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			h -= p * math.Log2(p)
		}
	}
	return h
}

// IsBase64 reports whether a byte is a digit of base64, in one of its two alphabets.
func IsBase64(c byte) bool {
	return Alphanumeric(c) || c == '+' || c == '/' || c == '-' || c == '_'
}

// HexAt reads a printable byte that is written as two hexadecimal digits, and returns where they end. If there is none
// at the offset, it returns the first byte of the text, as it is.
func HexAt(s string, at int) (byte, int) {
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

// CamelWords reports whether a run is a name from code: mostly pronounceable words.
func CamelWords(run string) bool {
	var room [MaxWords]string
	spoken := 0
	for _, w := range NameWords(run, room[:0]) {
		if len(w) >= 3 && CrossEntropy(w) < WordSpoken {
			spoken += len(w)
		}
	}
	return spoken*10 >= len(run)*6 && CountKinds(run).Digits <= 4
}

// PrefixLength returns the length of the first of several texts that a text begins with, 0 if it begins with none.
func PrefixLength(text string, starts ...string) int {
	for _, s := range starts {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// BeginsWithAny reports whether a text begins with one of several.
func BeginsWithAny(text string, starts ...string) bool { return PrefixLength(text, starts...) > 0 }

// EndsWithAny reports whether a text ends with one of several.
func EndsWithAny(text string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(text, e) {
			return true
		}
	}
	return false
}

// ContainsAny reports whether a text contains one of several.
func ContainsAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// EndsFold reports whether a text ends with another one, in capitals or not.
func EndsFold(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// ASCII reports whether a text has no letters of other alphabets.
func ASCII(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		b := text[:8] // the compiler makes one load of it
		if (uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|
			uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
