package distill

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy"
	"keepmum/transcript"
)

// repeats knows in which outputs of this run the gate found nothing. Agents copy a session when they resume or fork it,
// and they read a file many times: of an output that is not kept, only what may hold a secret is read again.
type repeats map[outputKey]struct{}

// outputKey is an output with what decides about how it is read: the gate, the directory, the tool and its input.
type outputKey struct {
	gate *privacy.Gate
	sum  [sha256.Size]byte
}

const (
	maxRepeats = 1 << 16 // outputs; 40 bytes each
	minRepeat  = 2 << 10 // bytes: a shorter one is read as fast as it is looked up
	repeatEnd  = 512     // bytes at the end that are read again: they may ask for a password
)

// repeatKey returns the key of an entry whose output is dropped, and whether it has one.
func (c *compactor) repeatKey(e transcript.Entry) (key outputKey, ok bool) {
	out, is := e.Output.(string)
	if !is || e.Failed || len(out) < minRepeat || c.repeats == nil {
		return key, false
	}
	in, err := json.Marshal(e.Input)
	if err != nil {
		return key, false
	}
	h := sha256.New()
	for _, part := range []string{c.dir, e.Tool, string(in)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	h.Write([]byte(out))
	key.gate = c.a.Gate
	h.Sum(key.sum[:0])
	return key, true
}

// event passes an entry through the gate, without an output in which it has already found nothing.
func (c *compactor) event(raw privacy.Raw, e transcript.Entry) privacy.Cleaned {
	key, ok := c.repeatKey(e)
	if _, known := c.repeats[key]; ok && known {
		out := e.Output.(string)
		_, tail := cut(out, repeatEnd)
		raw.Output = strings.ToValidUTF8(out[tail:], "")
		return c.a.Gate.Event(raw)
	}
	ev := c.a.Gate.Event(raw)
	if ok && len(c.repeats) < maxRepeats && len(ev.Findings) == 0 && !ev.Private && ev.Excluded.IsZero() {
		c.repeats[key] = struct{}{}
	}
	return ev
}

// numbered matches the number that a tool for reading files puts before each line.
var numbered = lazyregexp.New(`(?m)^ *\d+(?:→|\t)`)

// unread returns what an agent notes next to a result, without the texts that are also in the input or the output.
func unread(e transcript.Entry) any {
	out, _ := e.Output.(string)
	seen := []string{out}
	texts(e.Input, func(s string) { seen = append(seen, s) })
	if numbered.MatchString(out[:min(len(out), repeatEnd)]) {
		seen = append(seen, numbered.ReplaceAllString(out, ""))
	}
	left := 0
	rest := without(e.Beside, seen, &left)
	if left < len("password") { // neither a text nor a secret
		return nil
	}
	return rest
}

// without returns a value without the strings of several lines that are in one of the texts. It adds up the length of
// the others. A single line may be a value whose name says what it is, so it stays.
func without(v any, seen []string, left *int) any {
	const long = 200 // bytes
	switch v := v.(type) {
	case string:
		if v == seen[0] {
			return ""
		}
		if len(v) >= long && strings.Contains(v, "\n") {
			for _, s := range seen {
				if strings.Contains(s, v) {
					return ""
				}
			}
		}
		*left += len(v)
		return v
	case json.Number:
		*left += len(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = without(x, seen, left)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = without(x, seen, left)
		}
		return out
	}
	return v
}

// texts calls f with each string in a value.
func texts(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, x := range v {
			texts(x, f)
		}
	case map[string]any:
		for _, x := range v {
			texts(x, f)
		}
	}
}
