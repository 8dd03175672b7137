package privacy

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Clean is text that has passed the gate. Its zero value is the empty text. It can be encoded but not decoded: what is
// read back from a database or a file is a plain string again and must pass a gate before it is sent or injected.
type Clean struct{ s string }

// constant is unexported, so that outside this package only an untyped string constant, never a variable, converts to
// it.
type constant string

// Const makes a Clean from a string in the source code.
func Const(c constant) Clean { return Clean{string(c)} }

// Join joins cleaned parts with a constant separator.
func Join(sep constant, parts ...Clean) Clean {
	all := make([]string, len(parts))
	for i, p := range parts {
		all[i] = p.s
	}
	return Clean{strings.Join(all, string(sep))}
}

// String returns the cleaned text.
func (c Clean) String() string { return c.s }

// IsZero reports whether there is no text.
func (c Clean) IsZero() bool { return c.s == "" }

// Value implements [driver.Valuer].
func (c Clean) Value() (driver.Value, error) { return c.s, nil }

// MarshalJSON writes the text as a JSON string.
func (c Clean) MarshalJSON() ([]byte, error) { return json.Marshal(c.s) }

// Cut returns at most n bytes of c. It ends on a rune boundary and never inside one of the gate's placeholders.
func (c Clean) Cut(n int) Clean {
	if len(c.s) <= n {
		return c
	}
	for n > 0 && !utf8.RuneStart(c.s[n]) {
		n--
	}
	head := c.s[:n]
	open := strings.LastIndexByte(head, '[')
	if open >= 0 && !strings.Contains(head[open:], "]") && scan.BeginsMark(head[open:]) {
		head = head[:open]
	}
	return Clean{head}
}

// Slice returns the bytes from i to j of c. Part of a cleaned text is clean.
func (c Clean) Slice(i, j int) Clean { return Clean{c.s[i:j]} }

const defaultMaxField = 512 << 10

var cutMark = lazyregexp.New(`\[CUT:[0-9]{1,12} bytes\]$`)

// capped keeps the first limit bytes of a text. It drops a token that crosses the limit, because half a key is still a
// key. A text that was cut before may be longer than the limit, because its placeholders made it longer.
func capped(text string, limit int) string {
	if len(text) <= limit || len(text) <= 2*limit && cutMark.MatchString(text[max(0, len(text)-32):]) {
		return text
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	for floor := max(0, at-4096); at > floor && !value.IsSpace(text[at-1]); {
		at--
	}
	return fmt.Sprintf("%s[CUT:%d bytes]", text[:at], len(text)-at)
}

// ID identifies a thing by all of its parts: the same parts give the same ID in one installation, and the parts cannot
// be recovered from it.
func (g *Gate) ID(parts ...string) Clean {
	return Clean{g.MAC(strings.Join(parts, "\x00"))[:32]}
}
