package privacy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"keepmum/privacy/denylist"
	"keepmum/privacy/pair"
	"keepmum/privacy/place"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
	"keepmum/privacy/value"
)

// maxCarried is the depth down to which strings are read as JSON.
const maxCarried = 8

// node is one string of an event on its way through the gate.
type node struct {
	field  string // "input.command", "output", "prompt"
	key    string // object key of the value, "" = none
	text   string
	number bool // it was a JSON number
	isKey  bool // it is itself an object key
	asked  bool // answers a question for a secret
	prior  prior
	parts  []*node // if it is no string of the event itself: the strings that it was put together from
	lines  bool    // each of these is a line of it
	starts []int   // where these lines begin
	from   string  // the text as it came
	spans  []scan.Span
	done   bool // checked, and unchanged since
}

// member is an object member on its way through the gate.
type member struct {
	key   *node
	value any
}

// document collects the nodes of the values of one event.
type document struct {
	nodes   []*node
	given   prior    // prior of the tool's input values
	prior   prior    // prior of the current object or list
	label   string   // label for the next element of a list
	program string   // program that gets the words of a list as arguments
	scripts int      // number of scripts read so far
	asked   bool     // the current value answers a question for a secret
	columns []string // columns of a query, if one of them is secret
}

// add adds a node; its text is the one that came.
func (f *document) add(l node) *node {
	l.from = l.text
	f.nodes = append(f.nodes, &l)
	return &l
}

// take copies a decoded JSON value; its strings become nodes.
func (f *document) take(v any, field, key string, depth int) any {
	if depth > denylist.MaxDepth {
		return scan.Withheld("depth")
	}
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return f.text(v, field, key, depth)
	case json.Number:
		return f.number(v.String(), field, key)
	case float64:
		return f.number(strconv.FormatFloat(v, 'g', -1, 64), field, key)
	case int:
		return f.number(strconv.Itoa(v), field, key)
	case []any:
		return f.list(v, field, key, depth)
	case map[string]any:
		return f.object(v, field, key, depth)
	default:
		return scan.Withheld("type")
	}
}

func (f *document) number(v, field, key string) *node {
	return f.add(node{field: field, key: key, text: v, number: true, prior: f.prior})
}

func (f *document) text(v, field, key string, depth int) *node {
	l := f.add(node{field: field, key: key, text: v, prior: f.prior, asked: f.asked && len(v) <= pair.MaxReply ||
		len(f.columns) == 1})
	if len(v) <= maxArgv && commandMember(key) && f.scripts < maxScripts {
		f.scripts++
		for _, line := range shell.Aloud(v, place.StdinPasswords) {
			f.add(node{field: field, text: line, parts: []*node{l}})
		}
	}
	if f.prior != noPrior || f.given != noPrior {
		f.carried(l, depth)
	}
	return l
}

// carried reads a string that contains JSON, because its members say something about each other. What is found there is
// redacted in the string.
func (f *document) carried(l *node, depth int) {
	v, ok := denylist.EmbeddedJSON(l.text)
	if !ok || len(l.text) > pair.MaxKeyed || depth > maxCarried {
		return
	}
	from := len(f.nodes)
	f.take(v, l.field, l.key, depth+1)
	for _, inner := range f.nodes[from:] {
		if !inner.lines {
			inner.parts = append(inner.parts, l)
		}
	}
}

func (f *document) list(v []any, field, key string, depth int) any {
	out := make([]any, len(v))
	for i, e := range v {
		name := pairKey(v, i, key)
		if i > 0 {
			if f.label = label(v[i-1]); f.label != "" {
				name = f.label
			}
		}
		out[i] = f.take(e, field, f.cell(v, i, name), depth+1)
	}
	f.label = ""
	f.argv(out, key)
	f.lines(out)
	return out
}

// object visits the members in the order of their keys. A value whose name is next to it ({"name": "DB_PASSWORD",
// "value": "…"}) belongs to that name.
func (f *document) object(v map[string]any, field, outer string, depth int) []member {
	if head := tableHead(v); head != nil {
		return f.table(v, head, field, depth)
	}
	named := cmp.Or(f.label, siblingName(v))
	f.label = ""
	around := f.prior
	of, members := max(around, f.given, markOf(v)), inside(outer, around)
	if named == "" && members == typedPrior {
		named = outer
	}
	if credential(named) {
		of = max(of, typedPrior)
	}
	program := f.program
	f.program = programOf(v)
	out := make([]member, 0, len(v))
	for _, k := range slices.Sorted(maps.Keys(v)) {
		key := k
		switch f.prior = members; {
		case private(v, k):
			f.prior = certainPrior
		case isValueKey(k), k == "v" && v["k"] != nil:
			f.prior, key = max(of, members).of(k), cmp.Or(named, k)
		case value.InList(k, describing):
			f.prior = noPrior
		}
		at := joinField(field, k)
		m := member{key: f.add(node{field: field, key: outer, text: k, isKey: true})}
		m.value = f.take(v[k], at, key, depth+1)
		out = append(out, m)
	}
	f.prior, f.program = around, program
	return out
}

// siblingName returns the name that the members of an object give its value; of several names, the strongest.
func siblingName(v map[string]any) string {
	best := ""
	better := func(name string) {
		if name != "" && (best == "" || value.KeyStrength(name) > value.KeyStrength(best)) {
			best = name
		}
	}
	for _, k := range []string{"name", "Name", "key", "Key", "k", "variable", "field", "id"} {
		if s, ok := v[k].(string); ok && len(s) < 128 {
			better(s)
		}
	}
	for _, k := range []string{"element", "selector", "label", "placeholder", "question", "uid", "ref", "locator",
		"target"} {
		if s, ok := v[k].(string); ok && len(s) < 128 {
			better(fieldName(s))
		}
	}
	return best
}

// fieldName returns what a form field is for: "Password field" is for a password.
func fieldName(s string) string {
	s = strings.TrimRight(s, " *:?]'\")")
	for _, kind := range []string{" field", " input", " box", " textbox", " text box", " entry"} {
		s = strings.TrimSuffix(s, kind)
	}
	return s
}

// pairKey returns the key of a list element: in ["X-Api-Key", "…"] the first element names the second, as in
// ["--password", "…"].
func pairKey(list []any, i int, key string) string {
	if i == 0 {
		return key
	}
	if flag, ok := list[i-1].(string); ok && len(flag) <= 64 && strings.HasPrefix(flag, "--") &&
		!strings.Contains(flag, "=") && value.KeyStrength(flag) >= value.TokenKey {
		return flag
	}
	if len(list) != 2 {
		return key
	}
	if name, ok := list[0].(string); ok && len(name) <= 64 && value.KeyStrength(name) >= value.TokenKey {
		return name
	}
	return key
}

// tableHead returns the column names of a table that has a column for secrets.
func tableHead(v map[string]any) []string {
	for _, k := range []string{"columns", "fields", "headers", "header", "cols", "names", "keys"} {
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
			secret = secret || value.KeyStrength(head[i]) >= value.TokenKey
		}
		if secret {
			return head
		}
	}
	return nil
}

// table visits an object with the columns and rows of a table: a cell belongs to the name of its column.
func (f *document) table(v map[string]any, head []string, field string, depth int) []member {
	out := make([]member, 0, len(v))
	for _, k := range slices.Sorted(maps.Keys(v)) {
		at := joinField(field, k)
		m := member{key: f.add(node{field: field, text: k, isKey: true})}
		if rows, ok := v[k].([]any); ok && depth < denylist.MaxDepth-2 {
			m.value = f.rows(rows, head, at, k, depth)
		} else {
			m.value = f.take(v[k], at, k, depth+1)
		}
		out = append(out, m)
	}
	return out
}

func (f *document) rows(rows []any, head []string, field, key string, depth int) any {
	out := make([]any, len(rows))
	flat := flatRow(rows, head)
	for i, r := range rows {
		if flat {
			out[i] = f.take(r, field, head[i], depth+2)
			continue
		}
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

// flatRow reports whether a list is the only row of a table, next to its header.
func flatRow(rows []any, head []string) bool {
	if len(rows) != len(head) {
		return false
	}
	same := true
	for i, r := range rows {
		s, ok := r.(string)
		if !ok {
			return false
		}
		same = same && s == head[i]
	}
	return !same
}

func isValueKey(k string) bool {
	switch strings.ToLower(k) {
	case "value", "val", "text", "default", "content", "data", "defaultvalue", "default_value":
		return true
	}
	return false
}

// built converts a copy made by take back to plain decoded JSON.
func built(v any) any {
	switch v := v.(type) {
	case *node:
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

// freeKey returns a unique key for a member whose key became the same placeholder as another one.
func freeKey(object map[string]any, key string) string {
	free := key
	for n := 2; ; n++ {
		if _, taken := object[free]; !taken {
			return free
		}
		free = fmt.Sprintf("%s (%d)", key, n)
	}
}
