package privacy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"keepmum/privacy/scan"
)

// Tree is a cleaned JSON value.
type Tree struct{ v any }

// IsZero reports whether there is no value.
func (t Tree) IsZero() bool { return t.v == nil }

// JSON returns the value as JSON text (object keys sorted).
func (t Tree) JSON() Clean {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t.v); err != nil {
		return Clean{`"` + scan.Withheld("json") + `"`}
	}
	return Clean{strings.TrimSuffix(b.String(), "\n")}
}

// Text returns every string and number in the value, one per line, without keys: what a search index needs. A value
// that is itself a string is returned as it is.
func (t Tree) Text() Clean {
	if s, ok := t.v.(string); ok {
		return Clean{s}
	}
	var lines []string
	collectText(t.v, &lines)
	return Clean{strings.Join(lines, "\n")}
}

func collectText(v any, lines *[]string) {
	switch v := v.(type) {
	case string:
		*lines = append(*lines, v)
	case json.Number:
		*lines = append(*lines, v.String())
	case []any:
		for _, e := range v {
			collectText(e, lines)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			collectText(v[k], lines)
		}
	}
}

// Field returns the string at a path of object keys, the zero Clean if there is none.
func (t Tree) Field(path ...string) Clean {
	v := t.v
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	s, _ := v.(string)
	return Clean{s}
}

// Pair is one member of an [Object].
type Pair struct {
	Key   constant
	Value Clean
}

// Object returns a JSON object of cleaned values under constant keys.
func Object(pairs ...Pair) Clean {
	m := make(map[string]any, len(pairs))
	for _, p := range pairs {
		m[string(p.Key)] = p.Value.s
	}
	return Tree{m}.JSON()
}
