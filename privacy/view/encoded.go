package view

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/privacy/place"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	MinEncoded = 20       // minimum bytes of an encoding that is decoded
	maxRun     = 64 << 10 // bytes that are decoded at once
)

// encoded decodes runs of base64 or hex that contain text, and scans the text.
func encoded(s *scan.Scanner) {
	if s.Depth >= maxViews-1 {
		return
	}
	for _, r := range s.Runs {
		for from := r.From; r.To-from >= MinEncoded; {
			to := min(r.To, from+maxRun)
			if n := strings.IndexByte(s.Text[from:to], '='); n >= 0 {
				to = from + n
			}
			if to-from >= MinEncoded {
				decode(s, from, to)
				if s.Strict {
					place.Unknown(s, from, to)
				}
			}
			from = max(to, from+1)
		}
	}
}

// botTokens finds the tokens of Discord's bots, whatever is next to them: the first of their three parts is the bot's
// number in base64.
func botTokens(s *scan.Scanner) {
	const name, stamp, least, most = 28, 6, 27, 45 // bytes of the parts
	for _, r := range s.Runs {
		if r.To-r.From < 23 || r.To-r.From > name || r.To+stamp+2 >= len(s.Text) || s.Text[r.To] != '.' ||
			s.Text[r.To+1+stamp] != '.' {
			continue
		}
		from := r.To + stamp + 2
		to := from
		for to < len(s.Text) && to-from <= most && scan.TokenByte(s.Text[to]) {
			to++
		}
		number := value.DecodeBase64(s.Text[r.From:r.To])
		if to-from >= least && to-from <= most && len(number) >= 17 && strings.Trim(number, "0123456789") == "" {
			scan.Add(s, r.From, to, "discord-bot-token")
		}
	}
}

// decode scans what a run decodes to; a finding redacts the whole run.
func decode(s *scan.Scanner, from, to int) {
	text := decodedText(s.Text[from:to])
	if text == "" {
		return
	}
	if found := scan.Decoded(s, text); len(found) > 0 {
		for to < len(s.Text) && s.Text[to] == '=' {
			to++
		}
		scan.Add(s, from, to, found[0].Rule)
	}
}

// decodedText decodes base64 or hex to text, "" if it is not text.
func decodedText(run string) string {
	if strings.HasPrefix(run, "H4sI") { // every gzip file starts with this
		return inflated(value.DecodeBase64(run))
	}
	head := [8]byte([]byte(run[:8]))
	if hexOfText(&head) {
		if raw, err := hex.DecodeString(run[:len(run)&^1]); err == nil && readable(string(raw)) {
			return string(raw)
		}
	}
	if base64OfText(&head) {
		if text := value.DecodeBase64(run); readable(text) {
			return text
		}
	}
	return ""
}

// readable reports whether bytes are text, in any alphabet. Its last letter may be cut.
func readable(s string) bool {
	if value.Readable(s) {
		return true
	}
	for i, r := range s {
		if r == utf8.RuneError {
			return !utf8.FullRuneInString(s[i:])
		}
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return s != ""
}

// inflated decompresses text, as far as it can be read.
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

// hexOfText checks from the first bytes, without allocating, whether a run can be hex of text.
func hexOfText(head *[8]byte) bool {
	var raw [4]byte
	_, err := hex.Decode(raw[:], head[:])
	return err == nil && readable(string(raw[:]))
}

// base64OfText checks from the first bytes, without allocating, whether a run can be base64 of text. It rules out
// nearly all names.
func base64OfText(head *[8]byte) bool {
	for i, c := range head {
		switch c {
		case '-':
			head[i] = '+'
		case '_':
			head[i] = '/'
		}
	}
	var raw [6]byte
	_, err := base64.RawStdEncoding.Decode(raw[:], head[:])
	return err == nil && readable(string(raw[:]))
}

// hexdumps decodes hexdump lines and redacts those that contain a secret.
func hexdumps(s *scan.Scanner) {
	v := newView(len(s.Text) / 4)
	type line struct{ from, to int }
	var lines []line
	for at := 0; at < len(s.Text); {
		stop := value.LineEnd(s.Text, at, len(s.Text))
		if raw, body := DumpLine(s.Text[at:stop]); len(raw) > 0 {
			for _, c := range raw {
				v.put(c, len(lines))
			}
			lines = append(lines, line{at + body, stop})
		}
		at = stop + 1
	}
	if len(v.Text) < 8 {
		return
	}
	text := string(v.Text)
	for _, sp := range scan.Decoded(s, text) {
		for n := v.From[sp.Start]; n <= v.From[sp.End-1]; n++ {
			scan.Add(s, lines[n].from, lines[n].to, sp.Rule)
		}
	}
}

// DumpLine reads a line such as "00000010: 5f36 5044 … _6PD…"; body is the start of the bytes.
func DumpLine(line string) (raw []byte, body int) {
	const least, most, longest = 6, 16, 32 // digits of the address, bytes of a line
	blank := func(c byte) bool { return c == ' ' || c == '\t' }
	from := skip(line, 0, blank)
	to := skip(line, from, value.HexDigit)
	if to-from < least || to-from > most {
		return nil, 0
	}
	body = skip(line, to, func(c byte) bool { return c == ':' || blank(c) })
	for at := body; len(raw) < longest && skip(line, at, value.HexDigit) >= at+2; {
		b, _ := hex.DecodeString(line[at : at+2])
		raw = append(raw, b[0])
		next := skip(line, at+2, func(c byte) bool { return c == ' ' })
		if next-at-2 >= 2 && len(raw)%8 != 0 || next < len(line) && line[next] == '|' {
			break
		}
		at = next
	}
	return raw, body
}

// skip returns the offset of the first byte from an offset on for which a test fails.
func skip(line string, at int, is func(byte) bool) int {
	for at < len(line) && is(line[at]) {
		at++
	}
	return at
}
