package privacy

import "strings"

// maxKeyed is how long a value may be to be read together with its key.
const maxKeyed = 64 << 10

// member scans a leaf, by what is known of its place.
func memberSpans(set *ruleSet, l *leaf, strict bool) []span {
	switch {
	case l.told():
		return []span{whole(l.text, keyRule(l.key))}
	case l.asked:
		return append(namedSpans(set, l, strict), answered(l.text)...)
	}
	return namedSpans(set, l, strict)
}

// named scans a leaf. The value of an object member is read together with its
// key, as "key: value": all that is known of names holds for it too.
func namedSpans(set *ruleSet, l *leaf, strict bool) []span {
	if l.isKey || l.key == "" || len(l.key) > maxName || len(l.text) > maxKeyed {
		return set.scan(l.text, strict, 0)
	}
	if keySecret(l) {
		return []span{whole(l.text, keyRule(l.key))}
	}
	// Only the first line stands beside the key: what knows lines (a hexdump,
	// a diff) must see the others, and that one, as they are.
	first, _, more := strings.Cut(l.text, "\n")
	prefix := l.key + ": "
	var out []span
	for _, s := range set.scan(prefix+first, strict, 0) {
		s.start, s.end = max(0, s.start-len(prefix)), s.end-len(prefix)
		if s.end > 0 {
			out = append(out, s)
		}
	}
	if _, n := gutterOf(first); more || n > 0 {
		out = append(out, set.scan(l.text, strict, 0)...)
	}
	return out
}

// whole is the span of a text without the blanks around it.
func whole(text, rule string) span {
	from := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	return span{start: from, end: from + len(strings.TrimSpace(text)), rule: rule}
}

func keyRule(key string) string {
	if keyStrength(key) == passwordKey {
		return rulePassword
	}
	return ruleSecret
}

// keySecret reports whether the key of a member makes its whole value secret.
func keySecret(l *leaf) bool {
	k := keyStrength(l.key)
	if path, _, ok := strings.Cut(l.key, "/"); k == notSecret || ok && openPath(path) {
		return false
	}
	v := strings.TrimSpace(l.text)
	if len(v) < 6 || len(v) > maxValue || namedID(l.key, v) || dummy(v) || publicForm(v) || saysSealed(v) {
		return false
	}
	if l.number {
		return k == passwordKey
	}
	a := assignment{sep: colon, quoted: true}
	switch k {
	case passwordKey:
		return passwordText(v, a) || strings.Count(v, " ") == 0 && !pathLike(v) && len(v) <= 64
	case tokenKey:
		return tokenValue(v, a)
	case weakKey:
		return random(v)
	}
	return false
}
