package privacy

import (
	"strings"

	"keepmum/privacy/place"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// prior says how surely a value is secret because of what is around it, apart from its key.
type prior uint8

const (
	noPrior      prior = iota
	randomPrior        // secret if it looks random
	typedPrior         // secret if it looks random or made up by a person
	certainPrior       // secret whatever it looks like
)

// told reports whether the prior of a node makes its whole text secret.
func (l *node) told() bool {
	if l.prior == noPrior || l.isKey {
		return false
	}
	v := strings.TrimSpace(l.text)
	switch {
	case len(v) < 4 || len(v) > scan.MaxValue || value.Placeholder(v):
		return false
	case l.prior == certainPrior:
		return true
	case l.number || len(v) < 6:
		return false
	case l.prior == typedPrior && value.LettersAndDigits(v):
		return true
	}
	return value.SymbolPassword(v) || value.Random(v)
}

// of returns the prior of a member that holds the value of its object.
func (s prior) of(key string) prior {
	if value.InList(value.LowerASCII(key), " text content contents default ") {
		return min(s, typedPrior) // it may be words about the value
	}
	return s
}

// inside returns the prior of the members of an object under a key: the members of "passwords" are passwords, except
// those that describe them.
func inside(key string, around prior) prior {
	if key == "" || strings.ContainsAny(key, "/ ") { // a file name or a package
		return around
	}
	switch k := value.KeyStrength(key); {
	case k < value.TokenKey:
		return around
	case strings.HasSuffix(strings.TrimSuffix(value.LowerASCII(key), "s"), "token"):
		return max(around, randomPrior) // parsers have tokens too
	default:
		return max(around, typedPrior)
	}
}

// describing lists members that describe a secret.
const describing = " type kind name id description title label message format pattern example examples placeholder " +
	"hint url uri path href host hostname user username email ref $ref status version created updated algorithm " +
	"integrity resolved digest checksum hash sha sha1 sha256 sha512 etag license "

// markOf returns what other members of an object say about its value.
func markOf(v map[string]any) prior {
	for _, k := range []string{"type", "Type", "sensitive", "Sensitive", "secret", "masked", "id"} {
		said := ""
		switch e := v[k].(type) {
		case string:
			if len(e) > 256 {
				continue
			}
			said = `"` + value.LowerASCII(k) + `":"` + value.LowerASCII(e) + `"`
		case bool:
			if !e {
				continue
			}
			said = `"` + value.LowerASCII(k) + `":true`
		default:
			continue
		}
		for _, m := range place.Marks {
			if strings.Contains(said, m.Text) {
				return certainPrior
			}
		}
	}
	return noPrior
}

// private reports whether a standard makes a member of an object secret: the data of a Kubernetes Secret, the private
// parts of a JSON Web Key.
func private(v map[string]any, key string) bool {
	if _, ok := v["kty"].(string); ok && value.InList(key, " d p q dp dq qi k ") {
		return true
	}
	return (key == "data" || key == "stringData") && v["kind"] == "Secret"
}

// credential reports whether a header or cookie with this name grants access.
func credential(name string) bool {
	return value.InList(value.LowerASCII(name), " authorization auth cookie session ")
}

// label returns what a list element says about the next one: "Password:".
func label(e any) string {
	if m, ok := e.(map[string]any); ok {
		e = m["text"]
	}
	text, ok := e.(string)
	if !ok || len(text) > 64 {
		return ""
	}
	name, ok := strings.CutSuffix(strings.TrimSpace(text), ":")
	if !ok || value.KeyStrength(name) < value.TokenKey {
		return ""
	}
	return name
}

// given returns the prior of the values that a tool is called with, from its name: the input of set_secret is a secret.
func given(tool string) prior {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		tool = tool[i+2:]
	}
	var room [value.MaxWords]string
	words := value.NameWords(tool, room[:0])
	does, what := false, noPrior
	for i, w := range words {
		does = does || value.InList(w,
			" set create add put update write store save upsert rotate register insert edit import new change ")
		if last := i == len(words)-1 ||
			value.InList(words[i+1],
				" value values version field item entry set create add put update write store save "); !last {
			continue
		}
		switch strings.TrimSuffix(w, "s") {
		case "secret", "credential", "password", "passwd", "passphrase":
			what = certainPrior
		case "token", "key", "parameter", "variable", "var", "env", "kv":
			what = max(what, typedPrior)
		}
	}
	if !does {
		return noPrior
	}
	return what
}

// keeps reports whether a tool's input names a place where only secrets are stored.
func keeps(input any) bool {
	m, _ := input.(map[string]any)
	for _, k := range []string{"path", "secret_path", "secretPath", "key", "name"} {
		s, _ := m[k].(string)
		for _, start := range []string{"secret/", "secrets/", "/secret/", "kv/", "op://"} {
			if strings.HasPrefix(s, start) && !strings.ContainsAny(s[strings.LastIndexByte(s, '/'):], ".") {
				return true
			}
		}
	}
	return false
}
