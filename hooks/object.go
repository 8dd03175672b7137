package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// object is a decoded JSON object. Its getters are lenient: a field of the wrong type counts as absent, because agents
// change their payloads from week to week. Decoding into a struct would refuse the whole payload because of one odd
// field, match SESSION_ID to session_id, and quote values in errors.
type object map[string]any

// maxName limits the length of ids and names; the longest id that any agent uses has 64 bytes.
const maxName = 512

func parseObject(payload []byte) (object, error) {
	v, err := parse(bytes.TrimPrefix(payload, []byte("\ufeff"))) // a pipe of PowerShell begins with it
	if err != nil {
		return nil, err
	}
	o, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("not a JSON object")
	}
	return o, nil
}

// parse decodes exactly one JSON value.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a 64-bit id must not lose digits as a float
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, syntaxReason(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// syntaxReason says where JSON is broken without quoting it: the standard library's message quotes a character of the
// payload.
func syntaxReason(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("JSON ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d", syntax.Offset)
	}
	return errors.New("not JSON")
}

// needName returns a required id or name.
func (o object) needName(key string) (string, error) {
	s, isText := o[key].(string)
	switch {
	case o[key] == nil || isText && s == "":
		return "", fmt.Errorf("%s is missing", key)
	case !isText:
		return "", fmt.Errorf("%s is not a string", key)
	case len(s) > maxName:
		return "", fmt.Errorf("%s is longer than %d bytes", key, maxName)
	}
	return s, nil
}

// text returns the first non-empty string among the keys.
func (o object) text(keys ...string) string {
	for _, k := range keys {
		if s, ok := o[k].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// said returns what the user or the model said, in the first of the keys that contains text.
func (o object) said(keys ...string) string {
	for _, k := range keys {
		if s, _ := said(o[k]); s != "" {
			return s
		}
	}
	return ""
}

// said returns the text of a string, or of a list of content blocks, [{"type": "text", "text": …}, …], and whether that
// is all of it: a list may also contain images.
func said(v any) (text string, all bool) {
	list, ok := v.([]any)
	if !ok {
		text, all = v.(string)
		return text, all
	}
	var texts []string
	for _, part := range list {
		m, _ := part.(map[string]any)
		kind, text := object(m).text("type"), object(m).text("text")
		if strings.HasSuffix(kind, "text") { // text, input_text, output_text
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n"), len(texts) == len(list) && len(list) > 0
}

// in returns a nested object, or an empty one.
func (o object) in(key string) object {
	inner, _ := o[key].(map[string]any)
	return inner
}

// maxInteger is the largest integer that a float64 holds exactly.
const maxInteger = 1 << 53

func (o object) integer(key string) int64 {
	n, _ := o[key].(json.Number)
	f, err := n.Float64() // some agents send 12.5
	if err != nil || f < -maxInteger || f > maxInteger {
		return 0
	}
	return int64(f)
}

// maxMillis is the end of the year 9999, the last that a time in JSON can name.
const maxMillis = 253402300799999

// millis reads a time in Unix milliseconds; zero if there is none that can be written down.
func (o object) millis(key string) time.Time {
	if ms := o.integer(key); ms > 0 && ms <= maxMillis {
		return time.UnixMilli(ms).UTC()
	}
	return time.Time{}
}

// texts returns the non-empty strings of a list.
func (o object) texts(key string) (out []string) {
	list, _ := o[key].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}
