package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"keepmum/safefile"
)

// Edit is a config file with one setting changed, not written yet.
type Edit struct {
	Path   string // of the file itself, with links resolved
	Text   []byte
	Before string // old value, as a person writes it
	Now    string
	Loaded Loaded // settings after the change
	Same   bool   // the file says so already
}

// Set returns the user's config file with one setting changed, or removed if unset. Everything else, including
// comments, stays as it was. If the settings would be invalid, the error names the key.
func Set(o Options, key, value string, unset bool) (Edit, error) {
	known := flatten(Default())
	fallback, ok := known[key]
	if !ok {
		if near := nearest(key, known); near != "" {
			return Edit{}, fmt.Errorf("there is no setting %q: did you mean %q?", key, near)
		}
		return Edit{}, fmt.Errorf("there is no setting %q", key)
	}
	e := Edit{Path: File(o.Home)}
	if to, err := filepath.EvalSymlinks(e.Path); err == nil {
		e.Path = to
	}
	old, err := safefile.ReadOwn(e.Path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e, err
	}
	o.text = &old
	before, err := Load(o)
	if err != nil {
		return e, err
	}
	literal := ""
	if !unset {
		if literal, err = tomlOf(fallback, value); err != nil {
			return e, fmt.Errorf("%s: %w", key, err)
		}
	}
	e.Text = replaceKey(old, key, literal)
	o.text, o.planned, e.Same = &e.Text, true, bytes.Equal(e.Text, old)
	if e.Loaded, err = Load(o); err != nil {
		if _, _, broken := parse(e.Text, nil); broken != nil {
			return e, fmt.Errorf("%s is written in a form that mum cannot change: change the file by hand", key)
		}
		return e, cmp.Or(errors.Unwrap(err), err) // the value is wrong, not the file
	}
	was, now := flatten(before.Config), flatten(e.Loaded.Config)
	e.Before, e.Now = Written(was[key]), Written(now[key])
	return e, onlyChanged(key, was, now, before.Origin[key], unset || e.Loaded.Origin[key] != "")
}

// onlyChanged rejects an edit that did more or less than change the one key, because the file is written in a form that
// Set does not handle.
func onlyChanged(key string, was, now map[string]any, origin string, there bool) error {
	for other, v := range was {
		if other != key && !reflect.DeepEqual(v, now[other]) {
			return fmt.Errorf("%s cannot be changed without also changing %s: change the file by hand", key, other)
		}
	}
	if !there {
		return fmt.Errorf("%s is written in a form that mum cannot change: change the file by hand", key)
	}
	if origin == "environment" || origin == "flags" {
		return fmt.Errorf("%s comes from the %s, so changing the file has no effect", key, origin)
	}
	return nil
}

// Written formats a value as [Set] reads it.
func Written(v any) string {
	switch v := v.(type) {
	case []string:
		return strings.Join(v, ",")
	case []Pattern:
		each := make([]string, len(v))
		for i, p := range v {
			each[i] = p.Name
		}
		return strings.Join(each, ",")
	}
	return fmt.Sprint(v)
}

// tomlOf encodes a value as TOML, with the type of the default.
func tomlOf(fallback any, value string) (string, error) {
	switch fallback.(type) {
	case bool, Switch:
		on, ok := isOn(value)
		if !ok {
			return "", fmt.Errorf("%q is neither on nor off", value)
		}
		return strconv.FormatBool(on), nil
	case int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return "", fmt.Errorf("%q is not a whole number", value)
		}
		return strconv.Itoa(n), nil
	case float64:
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return "", fmt.Errorf("%q is not a number", value)
		}
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text, nil
	case []string:
		list := []string{}
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, quoted(part))
			}
		}
		return "[" + strings.Join(list, ", ") + "]", nil
	case []Pattern:
		return "", errors.New("patterns have names and keywords: write them in the file, as docs/privacy.md shows")
	}
	return quoted(value), nil
}

// quoted returns a TOML string.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// replaceKey replaces the value of a key, or adds the key at the end of its section; "" removes the key.
func replaceKey(data []byte, key, literal string) []byte {
	if from, to, ok := valueOf(data, key); ok {
		if literal != "" {
			return slices.Concat(data[:from], []byte(literal), data[to:])
		}
		begin := bytes.LastIndexByte(data[:from], '\n') + 1
		end := lineEnd(data, to) // a comment after a value belongs to it
		return slices.Concat(data[:begin], data[min(end+1, len(data)):])
	}
	if literal == "" {
		return data
	}
	dot := strings.LastIndexByte(key, '.')
	section, line := key[:dot], key[dot+1:]+" = "+literal+"\n"
	if at := sectionEnd(data, section); at >= 0 {
		if at > 0 && data[at-1] != '\n' {
			line = "\n" + line
		}
		return slices.Concat(data[:at], []byte(line), data[at:])
	}
	gap := ""
	if len(data) > 0 {
		gap = "\n"
		if data[len(data)-1] != '\n' {
			gap = "\n\n"
		}
	}
	return slices.Concat(data, []byte(gap+"["+section+"]\n"+line))
}

// valueOf returns the position of a key's value: after the equals sign, up to what follows it.
func valueOf(data []byte, key string) (from, to int, ok bool) {
	line := keyLines(data)[key]
	if line == 0 {
		return 0, 0, false
	}
	begin := 0
	for range line - 1 {
		begin += bytes.IndexByte(data[begin:], '\n') + 1
	}
	sign := bytes.IndexByte(data[begin:], '=')
	from = begin + sign + 1
	for from < len(data) && (data[from] == ' ' || data[from] == '\t') {
		from++
	}
	return from, valueEnd(data, from), true
}

// valueEnd returns the end of the value that starts at i. A list can span lines and contain comments.
func valueEnd(data []byte, i int) int {
	depth, last := 0, i
	for i < len(data) {
		switch c := data[i]; {
		case c == '"' || c == '\'':
			i = behindString(data, i)
			last = i
			continue
		case depth == 0 && (c == '#' || c == '\n'):
			return last
		case c == '#':
			i = lineEnd(data, i)
			continue
		case !strings.ContainsRune(" \t\r\n", rune(c)):
			depth += nesting(c)
			last = i + 1
		}
		i++
	}
	return last
}

// nesting returns how a character changes the nesting depth of lists and tables.
func nesting(c byte) int {
	switch c {
	case '[', '{':
		return 1
	case ']', '}':
		return -1
	}
	return 0
}

// lineEnd returns the end of the line that contains i.
func lineEnd(data []byte, i int) int {
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(data)
}

// sectionEnd returns the end of the last line with content of a section; -1 = there is no such section.
func sectionEnd(data []byte, section string) int {
	at, pos, inside := -1, 0, false
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		pos += len(line)
		if strings.HasPrefix(text, "[") && !strings.Contains(text, "=") {
			head, _, _ := strings.Cut(strings.TrimPrefix(text, "["), "]")
			inside = bare(head) == section && !strings.HasPrefix(text, "[[")
			if inside {
				at = pos
			}
			continue
		}
		if inside && text != "" && !strings.HasPrefix(text, "#") {
			at = pos
		}
	}
	return at
}
