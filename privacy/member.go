package privacy

import (
	"slices"
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/pair"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
	"keepmum/privacy/view"
)

// memberSpans scans a node with what is known about its place.
func memberSpans(set *scan.RuleSet, l *node, o scan.Options) []scan.Span {
	switch {
	case l.told():
		return []scan.Span{whole(l.text, pair.KeyRule(l.key))}
	case l.asked:
		return slices.Concat(namedSpans(set, l, o), pair.Answered(l.text), joinedAnswer(set, l.text, o))
	}
	return namedSpans(set, l, o)
}

// joinedAnswer judges words joined by a dash, alone or with a word before them, as the value of a password.
func joinedAnswer(set *scan.RuleSet, text string, o scan.Options) []scan.Span {
	const most = 2
	v := strings.TrimRight(text, " \t\r\n.!\"'`")
	at := strings.LastIndexAny(v, " \n\"'`") + 1
	if len(strings.Fields(v)) > most || strings.IndexByte(v[at:], '-') < 1 {
		return nil
	}
	return valueSpans(set, "password: ", v, at, o)
}

// valueSpans scans what is in a text from an offset on as the value behind a prefix.
func valueSpans(set *scan.RuleSet, prefix, text string, at int, o scan.Options) (out []scan.Span) {
	for _, s := range set.Read(prefix+text[at:], o) {
		s.Start, s.End = at+max(0, s.Start-len(prefix)), at+s.End-len(prefix)
		if s.End > at {
			out = append(out, s)
		}
	}
	return out
}

// namedSpans scans a node. It reads the value of an object member together with its key, as "key: value", so that
// everything known about names applies.
func namedSpans(set *scan.RuleSet, l *node, o scan.Options) []scan.Span {
	if l.key == "" || len(l.key) > scan.MaxName || len(l.text) > pair.MaxKeyed {
		return set.Read(l.text, o)
	}
	if l.isKey {
		return keySpans(set, l, o)
	}
	if keySecret(l) {
		return []scan.Span{whole(l.text, pair.KeyRule(l.key))}
	}
	// Only the first line is next to the key. Detectors that work on lines (a hexdump, a diff) must see all lines as
	// they are.
	first, _, more := strings.Cut(l.text, "\n")
	out := valueSpans(set, l.key+": ", first, 0, o)
	_, n := view.GutterOf(first)
	if more || n > 0 || value.InList(l.key, " output stdout stderr content text ") { // the key names no value
		out = append(out, set.Read(l.text, o)...)
	}
	return out
}

// keySpans scans the key of an object's member. In an object that is named for secrets, a key that is made up or random
// is a secret, too: {"passwords": {"Zq!kd83": …}}.
func keySpans(set *scan.RuleSet, l *node, o scan.Options) []scan.Span {
	v := strings.TrimSpace(l.text)
	made := value.SymbolPassword(withoutSyntax(v)) || value.Random(v)
	if inside(l.key, noPrior) == noPrior || !made || value.Placeholder(v) || public.Form(v) {
		return set.Read(l.text, o)
	}
	return append(set.Read(l.text, o), whole(l.text, pair.KeyRule(l.key)))
}

// withoutSyntax returns a key without signs of programs, which in a key that is a password are only signs.
func withoutSyntax(v string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("(){}[]<>'`/\\=;|", r) {
			return -1
		}
		return r
	}, v)
}

// whole returns the span of a text without surrounding blanks.
func whole(text, rule string) scan.Span {
	from := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	return scan.Span{Start: from, End: from + len(strings.TrimSpace(text)), Rule: rule}
}

// keySecret reports whether the key of a member makes its whole value secret.
func keySecret(l *node) bool {
	k := value.KeyStrength(l.key)
	path, _, ok := strings.Cut(l.key, "/")
	if k == value.NotSecret || ok && path == "checksum" {
		return false
	}
	v := strings.TrimSpace(l.text)
	if len(v) < 6 || len(v) > scan.MaxValue {
		return false
	}
	if public.NamedID(l.key, v) || value.Placeholder(v) || public.Form(v) {
		return false
	}
	if l.number {
		return k == value.PasswordKey
	}
	return formed(k, l.key, v)
}

// formed reports whether a member's value has the form of a secret, for a key of this strength.
func formed(k value.Strength, key, v string) bool {
	switch k {
	case value.PasswordKey:
		return strings.Count(v, " ") == 0 && !value.PathLike(v) && len(v) <= 64 || judge.SecretMember(k, key, v)
	case value.TokenKey:
		return judge.SecretMember(k, key, v)
	}
	return k == value.WeakKey && value.Random(v)
}
