package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// decode decodes a JSON object into v. A field with an unexpected type stays empty. It returns false if raw is not an
// object.
func decode(raw []byte, v any) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	err := json.Unmarshal(raw, v)
	var odd *json.UnmarshalTypeError
	return err == nil || errors.As(err, &odd)
}

// text returns a JSON string, or "" for any other value.
func text(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	if s, ok := unquoted(raw); ok {
		return s
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// unquoted decodes a JSON string with common escapes in one pass: most bytes of a transcript are strings inside
// strings, and the standard decoder reads each three times.
func unquoted(raw []byte) (string, bool) {
	n := len(raw) - 1
	if n < 1 || raw[0] != '"' || raw[n] != '"' || !utf8.Valid(raw) {
		return "", false
	}
	var b strings.Builder
	b.Grow(n)
	start := 1
	for i := 1; i < n; i++ {
		switch c := raw[i]; {
		case c == '"' || c < ' ':
			return "", false
		case c == '\\':
			b.Write(raw[start:i])
			size := escaped(&b, raw[i+1:n])
			if size == 0 {
				return "", false
			}
			i += size
			start = i + 1
		}
	}
	b.Write(raw[start:n])
	return b.String(), true
}

// stringSize returns the size of a JSON string, from after its first quote to before its last; -1 = it does not end.
func stringSize(raw []byte) int {
	for i := 0; i < len(raw); i += len(`\"`) {
		next := bytes.IndexAny(raw[i:], `"\`)
		if next < 0 {
			return -1
		}
		if i += next; raw[i] == '"' {
			return i
		}
	}
	return -1
}

// escaped writes what an escape stands for and returns the size of the escape without its backslash. It returns 0 for
// one that is broken, or half of a character: they are left to the decoder.
func escaped(b *strings.Builder, rest []byte) int {
	if len(rest) == 0 {
		return 0
	}
	if at := strings.IndexByte(`"\/bfnrt`, rest[0]); at >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[at])
		return 1
	}
	const size = len("u0000")
	if rest[0] != 'u' || len(rest) < size {
		return 0
	}
	r, err := strconv.ParseUint(string(rest[1:size]), 16, 16)
	if err != nil || utf16.IsSurrogate(rune(r)) {
		return 0
	}
	b.WriteRune(rune(r))
	return size
}

// value decodes any JSON; broken JSON becomes nil.
func value(raw []byte) any {
	if s, ok := unquoted(bytes.TrimSpace(raw)); ok { // most of what is long is one string
		return s
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // a 64-bit id must not become a float
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil
	}
	return v
}

// unwrapped decodes a value that may be JSON inside a JSON string, so that the gate sees its keys. Any other string
// stays a string.
func unwrapped(raw json.RawMessage) any {
	v := value(raw)
	for range 3 {
		s, ok := v.(string)
		if !ok {
			return v
		}
		t := strings.TrimSpace(s)
		if t == "" || (t[0] != '{' && t[0] != '[') {
			return s
		}
		inner := value([]byte(t))
		if inner == nil {
			return s
		}
		v = inner
	}
	return v
}

// block is a part of a message. The agents use the same names.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// blocks reads message content: a string, a block, or a list of either.
func blocks(raw json.RawMessage) []block {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '"':
		return []block{{Type: "text", Text: text(raw)}}
	case '{':
		var b block
		decode(raw, &b)
		return []block{b}
	}
	var out []block
	if json.Unmarshal(raw, &out) == nil {
		return out
	}
	return oddBlocks(raw)
}

// oddBlocks reads a list in which not every element is a well-formed block.
func oddBlocks(raw json.RawMessage) []block {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	out := make([]block, 0, len(list))
	for _, item := range list {
		var b block
		if decode(item, &b) {
			out = append(out, b)
		} else if s := text(item); s != "" {
			out = append(out, block{Type: "text", Text: s})
		}
	}
	return out
}

// joined returns the text of message content, without images and the like.
func joined(raw json.RawMessage) string {
	return joinText(blocks(raw))
}

func joinText(list []block) string {
	var parts []string
	for _, b := range list {
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// naive lists the layouts without a zone, which are read as UTC.
var naive = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02"}

// moment parses a time: RFC 3339, naive, or a number of seconds, milli-, micro- or nanoseconds since 1970, also as a
// string. Anything else, including a negative number, is the zero time: no agent is that old.
func moment(raw json.RawMessage) time.Time {
	s := strings.TrimSpace(text(raw))
	if s == "" {
		s = string(raw)
	}
	if s == "" || s == "null" {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return sane(t)
	}
	for _, layout := range naive {
		if t, err := time.Parse(layout, s); err == nil {
			return sane(t)
		}
	}
	f, err := json.Number(s).Float64()
	if err != nil {
		return time.Time{}
	}
	return epoch(f)
}

func epoch(f float64) time.Time {
	switch {
	case math.IsNaN(f) || f <= 0 || f >= 1e19:
		return time.Time{}
	case f < 1e11: // seconds, until the year 5138
		return sane(time.UnixMilli(int64(f * 1e3)))
	case f < 1e14:
		return sane(time.UnixMilli(int64(f)))
	case f < 1e17:
		return sane(time.UnixMicro(int64(f)))
	}
	return sane(time.Unix(0, int64(min(f, math.MaxInt64/2))))
}

// sane drops times that cannot belong to a session and could not be stored.
func sane(t time.Time) time.Time {
	if y := t.Year(); y < 1971 || y > 2999 {
		return time.Time{}
	}
	return t.UTC()
}
