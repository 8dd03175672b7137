package privacy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is how deep a value may nest; nobody reads what lies below, and a
// deeper one is an attack on whoever walks it.
const maxDepth = 500

// leaf is one string of an event on its way through the gate.
type leaf struct {
	field  string // "input.command", "output", "prompt"
	key    string // the object key the value belongs to, "" = none
	text   string
	number bool // it was a JSON number
	isKey  bool // it is itself an object key
	from   string
	spans  []span
	done   bool // judged and unchanged since
}

// member is an object member on its way through the gate.
type member struct {
	key   *leaf
	value any
}

// forest collects the leaves of the values of one event.
type forest struct{ leaves []*leaf }

func (f *forest) add(l leaf) *leaf {
	l.from = l.text
	f.leaves = append(f.leaves, &l)
	return &l
}

// take copies a decoded JSON value; its strings become leaves.
func (f *forest) take(v any, field, key string, depth int) any {
	if depth > maxDepth {
		return withheld("depth")
	}
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return f.add(leaf{field: field, key: key, text: v})
	case json.Number:
		return f.add(leaf{field: field, key: key, text: v.String(), number: true})
	case float64:
		return f.add(leaf{field: field, key: key, text: strconv.FormatFloat(v, 'g', -1, 64), number: true})
	case int:
		return f.add(leaf{field: field, key: key, text: strconv.Itoa(v), number: true})
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = f.take(e, field, pairKey(v, i, key), depth+1)
		}
		return out
	case map[string]any:
		return f.object(v, field, key, depth)
	default:
		return withheld("type")
	}
}

// object takes the members in the order of their keys. A value whose name
// stands beside it ({"name": "DB_PASSWORD", "value": "…"}) belongs to that name.
func (f *forest) object(v map[string]any, field, outer string, depth int) []member {
	if head := tableHead(v); head != nil {
		return f.table(v, head, field, depth)
	}
	named := siblingName(v)
	out := make([]member, 0, len(v))
	for _, k := range slices.Sorted(maps.Keys(v)) {
		key := k
		if named != "" && isValueKey(k) {
			key = named
		}
		at := joinField(field, k)
		m := member{key: f.add(leaf{field: field, key: outer, text: k, isKey: true})}
		m.value = f.take(v[k], at, key, depth+1)
		out = append(out, m)
	}
	return out
}

func siblingName(v map[string]any) string {
	for _, k := range []string{"name", "Name", "key", "Key", "variable", "field", "id"} {
		if s, ok := v[k].(string); ok && len(s) < 128 {
			return s
		}
	}
	for _, k := range []string{"element", "selector", "label", "placeholder", "question"} {
		if s, ok := v[k].(string); ok && len(s) < 128 {
			return fieldName(s)
		}
	}
	return ""
}

// fieldName is what a field of a form is called: "Password field" is for a password.
func fieldName(s string) string {
	s = strings.TrimRight(s, " *:?]'\")")
	for _, kind := range []string{" field", " input", " box", " textbox", " text box", " entry"} {
		s = strings.TrimSuffix(s, kind)
	}
	return s
}

// pairKey is the key of an element of a list: in ["X-Api-Key", "…"] the first
// names the second, as in ["--password", "…"].
func pairKey(list []any, i int, key string) string {
	if i == 0 {
		return key
	}
	if flag, ok := list[i-1].(string); ok && len(flag) <= 64 && strings.HasPrefix(flag, "--") && !strings.Contains(flag, "=") && keyStrength(flag) >= tokenKey {
		return flag
	}
	if len(list) != 2 {
		return key
	}
	if name, ok := list[0].(string); ok && len(name) <= 64 && keyStrength(name) >= tokenKey {
		return name
	}
	return key
}

// tableHead returns the names of the columns of a table that has one for secrets.
func tableHead(v map[string]any) []string {
	for _, k := range []string{"columns", "fields", "headers", "header", "cols"} {
		list, ok := v[k].([]any)
		if !ok || len(list) > 256 {
			continue
		}
		head, secret := make([]string, len(list)), false
		for i, e := range list {
			if m, ok := e.(map[string]any); ok {
				head[i] = siblingName(m)
			} else {
				head[i], _ = e.(string)
			}
			secret = secret || keyStrength(head[i]) >= tokenKey
		}
		if secret {
			return head
		}
	}
	return nil
}

// table takes an object with the columns and the rows of a table: a cell belongs
// to the name of its column.
func (f *forest) table(v map[string]any, head []string, field string, depth int) []member {
	out := make([]member, 0, len(v))
	for _, k := range slices.Sorted(maps.Keys(v)) {
		at := joinField(field, k)
		m := member{key: f.add(leaf{field: field, text: k, isKey: true})}
		if rows, ok := v[k].([]any); ok && depth < maxDepth-2 {
			m.value = f.rows(rows, head, at, k, depth)
		} else {
			m.value = f.take(v[k], at, k, depth+1)
		}
		out = append(out, m)
	}
	return out
}

func (f *forest) rows(rows []any, head []string, field, key string, depth int) any {
	out := make([]any, len(rows))
	for i, r := range rows {
		cells, ok := r.([]any)
		if !ok || len(cells) != len(head) {
			out[i] = f.take(r, field, key, depth+2)
			continue
		}
		row := make([]any, len(cells))
		for n, c := range cells {
			row[n] = f.take(c, field, head[n], depth+3)
		}
		out[i] = row
	}
	return out
}

func isValueKey(k string) bool {
	switch strings.ToLower(k) {
	case "value", "val", "text", "default", "content", "data", "defaultvalue", "default_value":
		return true
	}
	return false
}

// built turns a copy made by take into plain decoded JSON again.
func built(v any) any {
	switch v := v.(type) {
	case *leaf:
		if v.number && v.text == v.from {
			return json.Number(v.text)
		}
		return v.text
	case []any:
		for i, e := range v {
			v[i] = built(e)
		}
		return v
	case []member:
		out := make(map[string]any, len(v))
		for _, m := range v {
			out[freeKey(out, m.key.text)] = built(m.value)
		}
		return out
	default:
		return v
	}
}

// freeKey keeps two members apart whose keys became the same placeholder.
func freeKey(object map[string]any, key string) string {
	free := key
	for n := 2; ; n++ {
		if _, taken := object[free]; !taken {
			return free
		}
		free = fmt.Sprintf("%s (%d)", key, n)
	}
}
