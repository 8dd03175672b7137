package value

import "strings"

// Data reports whether a word is plain data and no secret that somebody chose: a number with its unit, a date, the name
// of a constant, a colour.
func Data(v string) bool {
	if v == "" || v[0] == '#' || strings.HasPrefix(v, "--") {
		return true
	}
	n := CountKinds(v)
	return n.Lower <= len("ms") && strings.Trim(v, "0123456789.:_-+/TZsmhd") == "" || n.Lower == 0 && constant(v)
}

// constant reports whether a word is written like a constant or the number of a ticket: SHOP_TOKEN, AES-256-GCM.
func constant(v string) bool {
	return strings.Trim(v, Capitals+"0123456789_-") == ""
}
