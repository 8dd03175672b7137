package privacy

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
)

const (
	minEncoded = 20       // bytes of an encoding that is decoded
	maxRun     = 64 << 10 // bytes of it that are decoded at once
)

// encoded decodes runs of base64 or hex that hold text, and scans the text.
func (s *scanner) encoded() {
	if s.depth >= maxViews-1 {
		return
	}
	for _, r := range s.runs {
		for from := r.from; r.to-from >= minEncoded; {
			to := min(r.to, from+maxRun)
			if n := strings.IndexByte(s.text[from:to], '='); n >= 0 {
				to = from + n
			}
			if to-from >= minEncoded {
				s.decode(from, to)
				if s.strict {
					s.unknown(from, to)
				}
			}
			from = max(to, from+1)
		}
	}
}

// botTokens finds the tokens of Discord's bots, whatever stands beside them: the
// first of their three parts is the number of the bot in base64.
func (s *scanner) botTokens() {
	const name, stamp, least, most = 28, 6, 27, 45 // bytes of the parts
	for _, r := range s.runs {
		if r.to-r.from < 23 || r.to-r.from > name || r.to+stamp+2 >= len(s.text) || s.text[r.to] != '.' || s.text[r.to+1+stamp] != '.' {
			continue
		}
		from := r.to + stamp + 2
		to := from
		for to < len(s.text) && to-from <= most && tokenByte(s.text[to]) {
			to++
		}
		if number := decodeBase64(s.text[r.from:r.to]); to-from >= least && to-from <= most && len(number) >= 17 && strings.Trim(number, "0123456789") == "" {
			s.add(r.from, to, "discord-bot-token")
		}
	}
}

// decode scans what a run decodes to; a find condemns the whole run.
func (s *scanner) decode(from, to int) {
	text := decodedText(s.text[from:to])
	if text == "" {
		return
	}
	if found := s.set.scan(text, s.strict, s.depth+1); len(found) > 0 {
		for to < len(s.text) && s.text[to] == '=' {
			to++
		}
		s.add(from, to, found[0].rule)
	}
}

// decodedText returns the text that base64 or hex stands for, "" if it is none.
func decodedText(run string) string {
	if strings.HasPrefix(run, "H4sI") { // what every gzip begins with
		return inflated(decodeBase64(run))
	}
	if head := [8]byte([]byte(run[:8])); base64OfText(head[0]) && base64OfText(head[4]) && looksEncoded(&head) {
		if text := decodeBase64(run); readable(text) {
			return text
		}
	}
	if hexOfText(run[:8]) {
		if raw, err := hex.DecodeString(run[:len(run)&^1]); err == nil && readable(string(raw)) {
			return string(raw)
		}
	}
	return ""
}

// inflated returns the text that was compressed, as far as it can be read.
func inflated(raw string) string {
	r, err := gzip.NewReader(strings.NewReader(raw))
	if err != nil {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(r, maxRun)) // the end may be cut off
	if !readable(string(text)) {
		return ""
	}
	return string(text)
}

// base64OfText reports whether a character, the first of four, can stand for
// text: in what it stands for, the highest bit of a byte is not set.
func base64OfText(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'f' }

// hexOfText reports whether a text can be hex of ASCII, which no byte of 0x80 or
// more belongs to.
func hexOfText(s string) bool {
	for i := range len(s) {
		if !hexDigit(s[i]) || i%2 == 0 && s[i] > '7' {
			return false
		}
	}
	return true
}

// looksEncoded tells by the first bytes, without allocating, whether a run can
// be base64 of text: nearly no name is.
func looksEncoded(head *[8]byte) bool {
	for i, c := range head {
		switch c {
		case '-':
			head[i] = '+'
		case '_':
			head[i] = '/'
		}
	}
	var raw [6]byte
	if _, err := base64.RawStdEncoding.Decode(raw[:], head[:]); err != nil {
		return false
	}
	wide := raw[1] == 0
	for i, c := range raw {
		if (c < ' ' && !isSpace(c) || c >= 0x7F) && !(wide && i%2 == 1 && c == 0) {
			return false
		}
	}
	return true
}

func decodeBase64(s string) string {
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

// readable reports whether bytes are text: printable, or UTF-16 of it.
func readable(s string) bool {
	if len(s) < 4 {
		return false
	}
	wide := s[1] == 0
	for i := range len(s) {
		c := s[i]
		if wide && i%2 == 1 && c == 0 {
			continue
		}
		if c < ' ' && !isSpace(c) || c >= 0x7F {
			return false
		}
	}
	return true
}

// hexdumps reads the bytes of hexdump lines and condemns the lines that hold
// a secret.
func (s *scanner) hexdumps() {
	v := newView(len(s.text) / 4)
	type line struct{ from, to int }
	var lines []line
	for at := 0; at < len(s.text); {
		stop := len(s.text)
		if n := strings.IndexByte(s.text[at:], '\n'); n >= 0 {
			stop = at + n
		}
		if raw, body := dumpLine(s.text[at:stop]); len(raw) > 0 {
			for _, c := range raw {
				v.put(c, len(lines))
			}
			lines = append(lines, line{at + body, stop})
		}
		at = stop + 1
	}
	if len(v.text) < 8 {
		return
	}
	text := string(v.text)
	for _, sp := range s.set.scan(text, s.strict, s.depth+1) {
		for n := v.from[sp.start]; n <= v.from[sp.end-1]; n++ {
			s.add(lines[n].from, lines[n].to, sp.rule)
		}
	}
}

// dumpLine reads a line such as "00000010: 5f36 5044 …  _6PD…"; body is where
// the bytes begin.
func dumpLine(line string) (raw []byte, body int) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	digits := i
	for i < len(line) && hexDigit(line[i]) {
		i++
	}
	if i-digits < 6 || i-digits > 16 {
		return nil, 0
	}
	for i < len(line) && (line[i] == ':' || line[i] == ' ' || line[i] == '\t') {
		i++
	}
	body = i
	for i+1 < len(line) && len(raw) < 32 && hexDigit(line[i]) && hexDigit(line[i+1]) {
		b, _ := hex.DecodeString(line[i : i+2])
		raw = append(raw, b[0])
		i += 2
		gap := i
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i-gap >= 2 && len(raw)%8 != 0 || i < len(line) && line[i] == '|' {
			break
		}
	}
	return raw, body
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
