package privacy

import "strings"

// accountValue reports whether a value can be the name of an account, and is none of
// those that forms show beside its field.
func accountValue(v string) bool {
	if v == "" || len(v) > 64 || strings.ContainsAny(v, " <>\n") {
		return false
	}
	if in(v, " root admin guest postgres ") {
		return true
	}
	return v[0] >= 'a' && v[0] <= 'z' && !labelWord(v) && !in(v, kindWords) && !in(v, examples) || digit(v[0]) || strings.IndexByte(v, '@') > 0
}
