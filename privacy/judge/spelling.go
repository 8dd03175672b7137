package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// JoinedPassword reports whether a value is words that nobody but somebody who makes up a password joins: three to
// five, or two with capitals, none of which programs or messages use.
func JoinedPassword(v string) bool {
	i := strings.IndexAny(v, "-_.")
	if i < 1 || len(v) < 7 || len(v) > 64 || strings.Trim(v, value.Letters+v[i:i+1]) != "" {
		return false
	}
	parts, capitals := joinedParts(v, v[i:i+1])
	enough := parts >= 3 || capitals == 2 && v[i] != '-'
	if !enough || parts > 5 || value.Placeholder(v) || value.PathLike(v) || TypeName(v) {
		return false
	}
	own, all := rareWords(v)
	return all && own >= parts-1
}

// joinedParts counts the parts of a value and those with a capital; it counts none if one is empty.
func joinedParts(v, joint string) (parts, capitals int) {
	for part := range strings.SplitSeq(v, joint) {
		if part == "" {
			return 0, 0
		}
		parts++
		capitals += bit(part[0] <= 'Z')
	}
	return parts, capitals
}

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
