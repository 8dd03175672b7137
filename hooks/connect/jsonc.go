package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// document is JSON, perhaps with comments, of which every byte that we do not edit stays the same. Inserted values
// follow the indentation and line endings of the file.
type document struct {
	root    hujson.Value
	newline string
	indent  string
}

// parse reads a settings file; an empty one is an empty object.
func parse(data []byte) (*document, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	bom := []byte("\xef\xbb\xbf")
	if bytes.HasPrefix(data, bom) {
		return nil, fmt.Errorf("%w: it begins with a byte order mark", ErrConflict)
	}
	root, err := parseJSON(data)
	if err != nil {
		return nil, fmt.Errorf("%w: it is not JSON: %s", ErrConflict, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrConflict)
	}
	d := &document{root: root, newline: "\n", indent: indentOf(data)}
	if bytes.Contains(data, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	return d, nil
}

// indentOf returns the indentation of the first indented line.
func indentOf(data []byte) string {
	for line := range strings.Lines(string(data)) {
		rest := strings.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && strings.HasPrefix(rest, `"`) {
			return line[:n]
		}
	}
	return "  "
}

func (d *document) bytes() []byte { return d.root.Pack() }

func (d *document) top() *hujson.Object { return d.root.Value.(*hujson.Object) }

// member returns the value of a member, or nil.
func member(o *hujson.Object, name string) *hujson.Value {
	for i := range o.Members {
		if key, ok := o.Members[i].Name.Value.(hujson.Literal); ok && key.String() == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// once returns an error if an object has several members of a name: most programs read only the last one.
func once(o *hujson.Object, name string) error {
	found := 0
	for _, m := range o.Members {
		if key, ok := m.Name.Value.(hujson.Literal); ok && key.String() == name {
			found++
		}
	}
	if found > 1 {
		return fmt.Errorf("%w: %q is there %d times; put all into one of them", ErrConflict, name, found)
	}
	return nil
}

// object returns the object with this name, and creates it if it is missing.
func (d *document) object(o *hujson.Object, name string, depth int) (*hujson.Object, error) {
	if err := once(o, name); err != nil {
		return nil, err
	}
	if v := member(o, name); v != nil {
		if inner, ok := v.Value.(*hujson.Object); ok {
			return inner, nil
		}
		return nil, fmt.Errorf("%w: %q is not an object", ErrConflict, name)
	}
	inner := &hujson.Object{}
	d.insert(o, name, hujson.Value{Value: inner}, depth)
	return inner, nil
}

// array returns the array with this name, and creates it if it is missing.
func (d *document) array(o *hujson.Object, name string, depth int) (*hujson.Array, error) {
	if err := once(o, name); err != nil {
		return nil, err
	}
	if v := member(o, name); v != nil {
		if inner, ok := v.Value.(*hujson.Array); ok {
			return inner, nil
		}
		return nil, fmt.Errorf("%w: %q is not an array", ErrConflict, name)
	}
	inner := &hujson.Array{}
	d.insert(o, name, hujson.Value{Value: inner}, depth)
	return inner, nil
}

// insert adds a member at the end of o, whose members are depth levels deep.
func (d *document) insert(o *hujson.Object, name string, v hujson.Value, depth int) {
	var last *hujson.Value
	if n := len(o.Members); n > 0 {
		last = &o.Members[n-1].Value
	}
	key := hujson.Value{Value: hujson.String(name)}
	v.BeforeExtra = hujson.Extra(" ")
	d.space(&key.BeforeExtra, &v.AfterExtra, &o.AfterExtra, last, depth)
	o.Members = append(o.Members, hujson.ObjectMember{Name: key, Value: v})
}

// push adds an element at the end of a, whose elements are depth levels deep.
func (d *document) push(a *hujson.Array, v hujson.Value, depth int) {
	var last *hujson.Value
	if n := len(a.Elements); n > 0 {
		last = &a.Elements[n-1]
	}
	d.space(&v.BeforeExtra, &v.AfterExtra, &a.AfterExtra, last, depth)
	a.Elements = append(a.Elements, v)
}

// space puts a new last entry on its own line. Comments that followed the previous last entry stay with it; a trailing
// comma is kept.
func (d *document) space(before, after, end *hujson.Extra, last *hujson.Value, depth int) {
	comments := bytes.TrimRight(*end, " \t\r\n")
	*before = append(bytes.Clone(comments), d.newline+strings.Repeat(d.indent, depth)...)
	*end = hujson.Extra(d.newline + strings.Repeat(d.indent, depth-1))
	if last != nil && last.AfterExtra != nil {
		*after = hujson.Extra{}
	}
}

// line encodes a Go value on a single line, so that our entry takes one line of the user's file.
func line(v any) (hujson.Value, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return hujson.Value{}, err
	}
	value, err := hujson.Parse(bytes.TrimSpace(b.Bytes()))
	if err != nil {
		return value, err
	}
	for inner := range value.All() {
		spread(inner)
	}
	return value, nil
}

// spread adds spaces after colons and commas: {"a": 1, "b": [2, 3]}.
func spread(v *hujson.Value) {
	space := hujson.Extra(" ")
	switch v := v.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			v.Members[i].Value.BeforeExtra = space
			if i > 0 {
				v.Members[i].Name.BeforeExtra = space
			}
		}
	case *hujson.Array:
		for i := range v.Elements {
			if i > 0 {
				v.Elements[i].BeforeExtra = space
			}
		}
	}
}

// decode reads a value of the document into out.
func decode(v hujson.Value, out any) error {
	v = v.Clone()
	v.Standardize()
	if err := json.Unmarshal(v.Pack(), out); err != nil {
		return errors.New("unexpected shape")
	}
	return nil
}

// removeMembers removes the members that match and reports whether there were any. The comments around them stay.
func removeMembers(o *hujson.Object, match func(name string, v *hujson.Value) bool) bool {
	kept, left := o.Members[:0], hujson.Extra(nil)
	for i := range o.Members {
		m := o.Members[i]
		key, _ := m.Name.Value.(hujson.Literal)
		if match(key.String(), &m.Value) {
			left = comments(left, m.Name.BeforeExtra, m.Name.AfterExtra, m.Value.BeforeExtra, m.Value.AfterExtra)
			continue
		}
		m.Name.BeforeExtra, left = following(left, m.Name.BeforeExtra), nil
		kept = append(kept, m)
	}
	removed := len(kept) < len(o.Members)
	if removed && len(kept) > 0 {
		keepComma(&kept[len(kept)-1].Value, o.Members[len(o.Members)-1].Value)
	}
	o.Members = kept
	if removed {
		o.AfterExtra = ending(left, o.AfterExtra, len(kept) == 0)
	}
	return removed
}

// removeElements does the same as removeMembers for an array.
func removeElements(a *hujson.Array, match func(v *hujson.Value) bool) bool {
	kept, left := a.Elements[:0], hujson.Extra(nil)
	for i := range a.Elements {
		e := a.Elements[i]
		if match(&e) {
			left = comments(left, e.BeforeExtra, e.AfterExtra)
			continue
		}
		e.BeforeExtra, left = following(left, e.BeforeExtra), nil
		kept = append(kept, e)
	}
	removed := len(kept) < len(a.Elements)
	if removed && len(kept) > 0 {
		keepComma(&kept[len(kept)-1], a.Elements[len(a.Elements)-1])
	}
	a.Elements = kept
	if removed {
		a.AfterExtra = ending(left, a.AfterExtra, len(kept) == 0)
	}
	return removed
}

// removeFrom removes what match removes of the members of an object at the top of a file, and the object if nothing is
// left in it. It returns cur if nothing is removed.
func removeFrom(cur []byte, object string, match func(name string, v *hujson.Value) bool) ([]byte, error) {
	if !mentionsUs(cur) {
		return cur, nil
	}
	d, err := parse(cur)
	if err != nil {
		return nil, err
	}
	v := member(d.top(), object)
	if v == nil {
		return cur, nil
	}
	if err := once(d.top(), object); err != nil {
		return nil, err
	}
	all, ok := v.Value.(*hujson.Object)
	if !ok || !removeMembers(all, match) && bytes.Equal(d.bytes(), cur) { // match may have emptied a part of a member
		return cur, nil
	}
	if bare(len(all.Members), all.AfterExtra) {
		removeMembers(d.top(), func(name string, _ *hujson.Value) bool { return name == object })
	}
	return d.bytes(), nil
}

// keepComma gives the new last entry the trailing comma of the old one.
func keepComma(now *hujson.Value, before hujson.Value) {
	if before.AfterExtra != nil && now.AfterExtra == nil {
		now.AfterExtra = hujson.Extra{}
	}
}

// comments adds the comments of a removed entry to those that were left before.
func comments(left hujson.Extra, around ...hujson.Extra) hujson.Extra {
	for _, extra := range around {
		if text := bytes.TrimRight(extra, " \t\r\n"); len(text) > 0 {
			left = following(left, text)
		}
	}
	return left
}

// following puts comments that are left before what follows them. A comment that ends with its line begins no other.
func following(left, extra hujson.Extra) hujson.Extra {
	last := left[bytes.LastIndexByte(left, '\n')+1:]
	open := bytes.Contains(last, []byte("//")) && !bytes.HasPrefix(bytes.TrimLeft(extra, " \t\r"), []byte("\n"))
	if open {
		left = append(left, '\n')
	}
	return append(left, extra...)
}

// ending returns what stands before the end of a list from which entries were removed: nothing, if nothing is left.
func ending(left, extra hujson.Extra, empty bool) hujson.Extra {
	extra = following(left, extra)
	if empty && len(bytes.TrimSpace(extra)) == 0 {
		return nil
	}
	return extra
}

// bare reports whether a list has neither entries nor comments.
func bare(entries int, extra hujson.Extra) bool {
	return entries == 0 && len(bytes.TrimSpace(extra)) == 0
}
