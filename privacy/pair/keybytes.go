package pair

import (
	"strconv"
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// bytesOfKey redacts the numbers of a key in a list, in the notation of any language: network_key: [34, 187, …],
// APPKEY[16] = { 0x9B, … }, byteArrayOf(0x3e, …), &[58u8, …], new byte[] {(byte) 0x3a, …}.
func bytesOfKey(s *scan.Scanner, n *scan.Called) {
	const reach = 96 // bytes between a name and its list
	if !namesBytes(s, n) {
		return
	}
	angles := 0
	for i := n.To; i < len(s.Text) && i-n.To < reach; i++ {
		switch c := s.Text[i]; {
		case strings.IndexByte("[{(", c) >= 0:
			if redactList(s, n, behindSpace(s.Text, i+1)) {
				return
			}
		case c == ';' && i-n.To > 3 && s.Text[i-3:i] == "[u8": // [u8; 32]
		case c == '<':
			angles++
		case c == '>':
			angles--
		case c == ',' && angles <= 0, !value.WordByte(c) && strings.IndexByte(", :=&.*]})?!\t", c) < 0:
			return
		}
	}
}

// namesBytes reports whether a name can be that of the bytes of a key.
func namesBytes(s *scan.Scanner, n *scan.Called) bool {
	if i := judge.SkipBlanks(s.Text, n.To); i > n.To && i < len(s.Text) && Latin(s.Text[i]) {
		return false // the type of another name
	}
	last := n.Words[len(n.Words)-1]
	switch {
	case last == "token", value.InList(n.Words[0], " test example sample dummy fake mock "):
		return false
	case n.Alone <= value.WeakKey:
		return n.Alone == value.WeakKey && strings.HasSuffix(last, "key")
	}
	return n.Alone >= value.PasswordKey || !strings.HasSuffix(last, "s")
}

// redactList redacts the list of numbers at an offset if it is a key, and reports whether there is a list.
func redactList(s *scan.Scanner, n *scan.Called, from int) bool {
	l := numberList{text: s.Text, at: from}
	if !l.read() {
		return false
	}
	if l.isKey(n) && !testVector(s, from, l.end) {
		scan.Add(s, from, l.end, scan.RuleSecret)
	}
	return true
}

// behindSpace skips blanks and line breaks.
func behindSpace(text string, at int) int {
	for end := min(len(text), at+2*scan.MaxBlank); at < end && value.IsSpace(text[at]); {
		at++
	}
	return at
}

// numberList is a list of bytes, or of words of four bytes, of a program.
type numberList struct {
	text    string
	at, end int
	bytes   []byte
}

// read reads a list of at least two numbers.
func (l *numberList) read() bool {
	const most = 4 << 10
	for len(l.bytes) < most && l.number() {
		l.end = l.at
		i := behindSpace(l.text, l.at)
		if i >= len(l.text) || l.text[i] != ',' {
			break
		}
		l.at = behindSpace(l.text, i+1)
	}
	return len(l.bytes) > 1
}

// number reads one number: 0x3e, -15, 58u8, (byte) 0x91, 0x91.toByte(), 'k'.
func (l *numberList) number() bool {
	for _, cast := range []string{"(byte)", "(char)", "(sbyte)", "(uint8_t)"} {
		if rest, ok := strings.CutPrefix(l.text[l.at:], cast); ok {
			l.at = judge.SkipBlanks(l.text, len(l.text)-len(rest))
			break
		}
	}
	rest := l.text[l.at:]
	switch {
	case len(rest) > 2 && rest[0] == '\'' && rest[2] == '\'':
		l.bytes, l.at = append(l.bytes, rest[1]), l.at+3
		return true
	case strings.HasPrefix(rest, "0x"):
		return l.hex(rest[2:])
	}
	digits := strings.TrimPrefix(rest, "-")
	v, n := 0, 0
	for n < len(digits) && n < 4 && value.Digit(digits[n]) {
		v = v*10 + int(digits[n]-'0')
		n++
	}
	if n == 0 || v > 255 {
		return false
	}
	l.bytes = append(l.bytes, byte(v))
	l.at += len(rest) - len(digits) + n
	return l.suffix()
}

// hex reads the digits of one byte after 0x.
func (l *numberList) hex(rest string) bool {
	n := 0
	for n < len(rest) && n <= 2 && value.HexDigit(rest[n]) {
		n++
	}
	v, err := strconv.ParseUint(rest[:n], 16, 32)
	if err != nil || n > 2 {
		return false
	}
	l.bytes = append(l.bytes, byte(v))
	l.at += n + len("0x")
	return l.suffix()
}

// suffix skips the type after a number.
func (l *numberList) suffix() bool {
	for _, end := range []string{"u8", "u32", ".toByte()", ".toUByte()", " as u8", "UL", "U", "u"} {
		if strings.HasPrefix(l.text[l.at:], end) {
			l.at += len(end)
			break
		}
	}
	return l.at >= len(l.text) || !value.WordByte(l.text[l.at]) && l.text[l.at] != '.'
}

// isKey reports whether a list can be the bytes of a key with this name, or the letters of a password.
func (l *numberList) isKey(n *scan.Called) bool {
	const least = 16
	if text := strings.TrimRight(string(l.bytes), "\x00"); n.Alone == value.PasswordKey && len(text) >= 6 &&
		value.Readable(text) {
		return !value.Placeholder(text)
	}
	return len(l.bytes) >= least && (n.Alone > value.WeakKey || len(l.bytes)%8 == 0) && irregular(l.bytes) &&
		!publishedKey(l.bytes)
}

// irregular reports whether bytes follow no pattern: keys in examples count up or repeat themselves.
func irregular(raw []byte) bool {
	var values, steps [256]bool
	different, ways := 0, 0
	for i, c := range raw[:min(len(raw), 64)] {
		if !values[c] {
			values[c] = true
			different++
		}
		if step := c - raw[max(0, i-1)]; i > 0 && !steps[step] {
			steps[step] = true
			ways++
		}
	}
	n := min(len(raw), 64)
	return different*3 > n*2 && ways*2 > n
}

// publishedKey reports whether a standard or protocol publishes a key: FIPS 197, RFC 7748, RFC 8032, and the start of
// the key with which Zigbee networks begin.
func publishedKey(raw []byte) bool {
	switch string(raw[:4]) {
	case "\x2b\x7e\x15\x16", "\x60\x3d\xeb\x10", "\x8e\x73\xb0\xf7", "\x77\x07\x6d\x0a", "\x9d\x61\xb1\x9d", "ZigB":
		return true
	}
	return false
}

// testVector reports whether a list is in a test of a cipher.
func testVector(s *scan.Scanner, from, to int) bool {
	const reach = 600
	near := value.LowerASCII(s.Text[max(0, from-reach):from]) + value.LowerASCII(s.Text[to:min(len(s.Text), to+reach)])
	for _, w := range []string{"plaintext", "ciphertext", "cleartext", "expected", "input"} {
		if i := strings.Index(near, w); i >= 0 {
			if behind := near[i:min(len(near), i+64)]; strings.Contains(behind, "{0x") {
				return true
			}
		}
	}
	return false
}
