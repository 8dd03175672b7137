package privacy

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
)

const (
	minSecret  = 6
	maxHarvest = 512 // values taken from one text
)

// namedValue finds NAME=value, name: value and "name": "value".
var (
	namedValue = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.:/-]{0,80})["']?[ \t]{0,8}[:=]>?[ \t]{0,8}(?:"((?:[^"\\\n]|\\.){1,1000})"|'([^'\n]{1,1000})'|([^\s"',;][^\n]{0,1000}))`)
	userinfo   = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:@/"'<>]{0,128}:([^\s@/"'<>]{3,256})@[^\s"'<>]{1,512}`)
	netrcKey   = regexp.MustCompile(`(?m)\bpassword[ \t]+(\S{6,256})`)
	aToken     = regexp.MustCompile(`[A-Za-z0-9+/_.~=-]{16,1000}`)
	// secretWord is what makes the name of a variable the name of a secret.
	secretWord = regexp.MustCompile(`(?:passw(?:or)?d|passphrase|passwd|pwd$|pass$|secret|token|api_?key|apikey|access_?key|private_?key|signing|encryption|_key$|^key$|credential|_auth$|^auth$|authtoken|connection_?string|dsn$|(?:database|db|redis|mongo|mongodb|postgres|amqp|broker)_?ur[il]$|salt$|_pin$|jwt|webhook)`)
	// harmlessName is what makes it the name of something else about a secret.
	harmlessName = regexp.MustCompile(`(?:_(?:ttl|expires?|expiry|expiration|timeout|length|size|name|count|path|file|dir|enabled|limit|type|version|header|prefix|algorithm|alg|rounds|min|max|age|url|host|port|region)|public_?key|publishable_?key|key_?id)$`)
	uuidShape    = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	hexOnly      = regexp.MustCompile(`^[0-9a-fA-F]+$`)
)

// harvest returns the values in a text that are secrets: those of names that
// say so, those that look random, and the credentials in addresses.
func harvest(text string) []string {
	h := harvester{seen: map[string]bool{}}
	if len(text) > maxScript*4 {
		text = text[:maxScript*4]
	}
	for _, m := range namedValue.FindAllStringSubmatch(text, 4*maxHarvest) {
		h.assignment(m)
	}
	for _, m := range userinfo.FindAllStringSubmatch(text, maxHarvest) {
		h.add(m[0])
		h.addSecret(m[1])
	}
	for _, m := range netrcKey.FindAllStringSubmatch(text, maxHarvest) {
		h.addSecret(m[1])
	}
	for _, token := range aToken.FindAllString(text, 4*maxHarvest) {
		if token = strings.Trim(token, ".=-"); looksRandom(token) {
			h.add(token)
		}
	}
	return h.values
}

type harvester struct {
	values []string
	seen   map[string]bool
}

func (h *harvester) add(v string) {
	if len(v) >= minSecret && len(h.values) < maxHarvest && !h.seen[v] {
		h.seen[v] = true
		h.values = append(h.values, v)
	}
}

// addSecret adds a value whose place says that it is a secret.
func (h *harvester) addSecret(v string) {
	if !harmlessValue(v) {
		h.add(v)
	}
	if plain, err := url.PathUnescape(v); err == nil && plain != v && !harmlessValue(plain) {
		h.add(plain)
	}
}

func (h *harvester) assignment(m []string) {
	name := m[1]
	for i, v := range m[2:] {
		if v == "" {
			continue
		}
		if i == 0 && strings.Contains(v, `\`) {
			h.value(name, strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\/`, "/").Replace(v))
		}
		if i == 2 { // without quotes: to the end, to a comment, or to the next pair
			v = strings.TrimSpace(v)
			first, _, _ := strings.Cut(v, " ")
			h.value(name, strings.TrimRight(first, "\"',;}"))
			if before, _, ok := strings.Cut(v, " #"); ok {
				v = strings.TrimSpace(before)
			}
			if strings.Contains(v, "=") && strings.Contains(v, " ") {
				continue
			}
		}
		h.value(name, v)
	}
}

func (h *harvester) value(name, v string) {
	if secretName(name) && !harmlessValue(v) || looksRandom(v) {
		h.add(v)
	}
}

// secretName reports whether a variable of this name holds a secret.
func secretName(name string) bool {
	name = strings.NewReplacer("-", "_", ".", "_", ":", "_", "/", "_").Replace(snake(name))
	return secretWord.MatchString(name) && !harmlessName.MatchString(name)
}

// snake writes a camelCase name with underscores, in lower case.
func snake(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(c)
	}
	return lower(b.String())
}

// harmlessValue reports whether a value is too common, or too clearly no
// secret, to be taken out wherever it stands.
func harmlessValue(v string) bool {
	if len(v) < minSecret || len(v) > 4096 {
		return true
	}
	l := lower(v)
	switch {
	case commonWords[l], isNumberBelow(v, 10), uuidNil(l):
		return true
	case strings.HasPrefix(v, "$") || strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "%("):
		return true
	case strings.Contains(v, "://"):
		return !userinfo.MatchString(v) && !strings.Contains(l, "hooks.") && !looksRandom(v[strings.LastIndexByte(v, '/')+1:])
	case strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1, strings.HasPrefix(v, "./"), strings.HasPrefix(v, "~/"):
		return !looksRandom(v)
	case strings.Trim(l, l[:1]) == "": // xxxxxx, ******
		return true
	}
	for _, p := range []string{"your_", "your-", "change_me", "changeme", "replace_", "example", "placeholder", "[redacted", "[excluded", "[withheld"} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	return false
}

// commonWords are values that stand in every project.
var commonWords = map[string]bool{
	"production": true, "development": true, "staging": true, "localhost": true, "postgres": true, "default": true, "enabled": true, "disabled": true,
	"secret": true, "password": true, "undefined": true, "public": true, "private": true, "master": true, "online": true, "offline": true, "testing": true,
	"example": true, "username": true, "root@localhost": true, "bearer": true, "string": true, "number": true, "boolean": true, "object": true, "required": true,
	"optional": true, "config": true, "server": true, "client": true, "module": true, "return": true, "import": true, "export": true, "function": true,
	"verbose": true, "warning": true, "us-east-1": true, "us-west-2": true, "eu-west-1": true, "eu-central-1": true, "sha256": true, "hs256": true, "rs256": true,
	"github": true, "gitlab": true, "docker": true, "redis": true, "oauth2": true, "always": true, "strict": true, "cookie": true, "session": true, "memory": true,
	"database": true, "service": true, "system": true, "office": true, "change-me": true, "change_me": true, "changeme": true, "not-set": true, "notset": true,
	"0.0.0.0": true, "127.0.0.1": true, "127.0.0.1:3000": true, "localhost:3000": true, "localhost:8080": true,
}

func isNumberBelow(v string, digits int) bool {
	return len(v) < digits-2 && strings.Trim(v, "0123456789.") == ""
}

func uuidNil(v string) bool { return strings.Trim(v, "0-") == "" }

// looksRandom reports whether a token was made by a generator, not by a person.
func looksRandom(v string) bool {
	if len(v) < 16 || len(v) > 4096 || uuidShape.MatchString(v) {
		return false
	}
	var digits, upper, lowers, others int
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lowers++
		case strings.IndexByte("+/_.~=-", c) >= 0:
			others++
		default:
			return false
		}
	}
	if hexOnly.MatchString(v) { // commits and checksums are everywhere; judged by their name
		return len(v) >= 24 && len(v) != 40 && len(v) != 64 && digits > 0 && entropy(v) > 3
	}
	if digits < 2 || upper+lowers < 4 || others*4 > len(v) {
		return false
	}
	if upper == 0 || lowers == 0 {
		return entropy(v) >= 3.6 && digits*6 >= len(v)
	}
	return entropy(v) >= 3.5
}

// forms are the ways a value is written inside other things.
func forms(v string) []string {
	out := []string{v}
	add := func(f string) {
		if len(f) >= minSecret && f != v {
			out = append(out, f)
		}
	}
	add(url.QueryEscape(v))
	add(url.PathEscape(v))
	add(jsonEscaped(v))
	add(strings.ReplaceAll(jsonEscaped(v), `\`, `\\`))
	add(strings.ReplaceAll(v, `'`, `'\''`))
	if len(v) >= 8 {
		for shift := range 3 {
			add(base64Core(v, shift, base64.RawStdEncoding))
			add(base64Core(v, shift, base64.RawURLEncoding))
		}
	}
	return distinct(out)
}

// base64Core is the part of the base64 of any text with v in it at an offset
// of shift (modulo 3) that depends on v alone.
func base64Core(v string, shift int, enc *base64.Encoding) string {
	coded := enc.EncodeToString(append(make([]byte, shift), v...))
	from := []int{0, 2, 3}[shift]
	to := (shift + len(v)) / 3 * 4
	if to <= from {
		return ""
	}
	return coded[from:to]
}

func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	out := list[:0]
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

var jsonEscapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func jsonEscaped(v string) string { return jsonEscapes.Replace(v) }
