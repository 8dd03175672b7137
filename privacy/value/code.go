package value

import "strings"

// Expression reports whether a value consists of names and small numbers with operators of code between or before them:
// endline+1, 2*limit, uint8_t*, %NL80211_ATTR, #uint8_t.
func Expression(v string) bool {
	v = strings.TrimRight(strings.TrimLeft(v, "%#&*"), "*&")
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune("+*", r) }) {
		part = strings.TrimPrefix(part, ".")
		smallNumber := len(part) <= 3 && Integer(part)
		if part == "" || !smallNumber && !codeName(part) {
			return false
		}
	}
	return v != ""
}

// masked reports whether a value is a member of something and the name of a mask: cp.flags&userFlag.
func masked(v string) bool {
	member, mask, ok := strings.Cut(v, "&")
	return ok && Dotted(member) && codeName(mask)
}

// codeName reports whether a text is written like a name in code: without digits, as words, in capitals, or in small
// letters with one digit.
func codeName(s string) bool {
	if !Identifier(s) {
		return false
	}
	digits := CountKinds(s).Digits
	return digits == 0 || CamelWords(s) || LowerASCII(s) == s && digits == 1 || strings.ToUpper(s) == s
}

// HexNumber reports whether a value is a hexadecimal number from code.
func HexNumber(v string) bool {
	v = strings.TrimLeft(v, "-")
	return len(v) > 2 && len(v) <= 18 && v[0] == '0' && v[1]|0x20 == 'x' && hexDashes(strings.ReplaceAll(v[2:], "_", ""))
}

// validation reports whether a value is validation rules of a form: required|min:12.
func validation(v string) bool {
	first, _, more := strings.Cut(v, "|")
	return more && InList(first, " required nullable sometimes string confirmed min max filled bail ")
}

// formatVerb reports whether a value starts with a formatting verb of C or Go: %s, %lu, %-8d.
func formatVerb(v string) bool {
	rest := strings.TrimLeft(v[1:], "-+0123456789.*")
	rest = strings.TrimLeft(rest, "lhz")
	if rest == "" || strings.IndexByte("sdiuxXqvc", rest[0]) < 0 {
		return false
	}
	alone := len(rest) == 1 || !WordByte(rest[1])
	sized := len(v)-len(rest) > 1 // between the percent sign and the letter
	return alone || sized || strings.Count(v, "%") > 1
}

// Identifier reports whether a value is written like a name in a program, perhaps with those that it is a member of.
func Identifier(s string) bool {
	for i := range len(s) {
		if !WordByte(s[i]) && s[i] != '.' && s[i] != ':' && s[i] != '}' {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// Selector reports whether a value is a CSS selector: "#add-password".
func Selector(v string) bool {
	return (v[0] == '#' || v[0] == '.') && PlainWords(v[1:])
}

// Integer reports whether a value is a whole number.
func Integer(v string) bool { return strings.Trim(v, "-0123456789") == "" }

// VersionLike reports whether a value is a version or a range of versions.
func VersionLike(v string) bool {
	if i := strings.IndexAny(v, "^~"); i > 0 && (v[i-1] == ':') {
		v = v[i:] // npm:^1.2.3
	}
	v = strings.TrimLeft(v, "^~<>=v ")
	if v == "" || v[0] < '0' || v[0] > '9' || !strings.Contains(v, ".") {
		return false
	}
	return strings.Trim(LowerASCII(v), "0123456789.-+<>=abcdehilnprtuvx ") == ""
}

// CodeLike reports whether an unquoted value is an expression rather than text.
func CodeLike(v string) bool {
	if strings.ContainsAny(v, "(){}[]<>") || Dotted(v) || masked(v) {
		return true
	}
	return strings.ContainsAny(v, "+*") && Expression(v) || strings.Contains(v, "::") ||
		strings.Contains(v, "||")
}
