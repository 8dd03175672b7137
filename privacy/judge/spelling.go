package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// DescribedSo reports whether a word, or the last of several, has the ending of a description.
func DescribedSo(v string) bool {
	v = value.LowerASCII(v)
	if described(v) {
		return true
	}
	return endsAs(v, "ed ing able ible ive ous ent ant ic ics ical al ful less ary ory ly ised ized tion tions ment "+
		"ness ity ism ist ology wide side only based free proof safe like style ready aware friendly specific date "+
		"time erd eld igd vol")
}

// endsAs reports whether a word ends with an entry of a list.
func endsAs(v, list string) bool {
	for end := range strings.SplitSeq(list, " ") {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}
