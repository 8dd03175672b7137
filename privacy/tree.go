package privacy

// Tree is a cleaned JSON value.
type Tree struct{ v any }

// IsZero reports whether there is no value.
func (t Tree) IsZero() bool { return t.v == nil }

// JSON returns the value as JSON text (object keys sorted).
func (t Tree) JSON() Clean { panic("not yet") }

// Text returns every string and number in the value, a line each, without keys: what a search index wants.
// A value that is itself a string is returned as it is.
func (t Tree) Text() Clean { panic("not yet") }

// Field returns the string at a path of object keys, the zero Clean when there is none.
func (t Tree) Field(path ...string) Clean { panic("not yet") }
