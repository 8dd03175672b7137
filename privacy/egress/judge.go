package egress

import (
	"math"
	"strings"

	"keepmum/lazyregexp"
)

// harmless matches what may be in a secret's place: a reference, a placeholder, a type, a constant, a call, a path, a
// short number.
var harmless = lazyregexp.New(`(?i)^(?:\$[{(]?[a-z_].*|\{.*|<.*|\[.*|%[a-z({].*|@\w+\(.*|\*+|x{3,}|\.{3,}|-+|_+|#+|` +
	`true|false|null|none|nil|undefined|string|number|boolean|bool|bytes?|object|any|str|int\d*|uint\d*|error|` +
	`(?:process|os|env|secrets|vars|config|cfg|settings|self|this|args|opts|options|req|request|ctx|params)\.[\w.\[\]()'"]+|` +
	`[a-z_][\w.]*\(.*|/?(?:[\w.-]+/)+[\w.-]*|\d{1,8}(?:\.\d+)*[a-z%]{0,2}|\^?\d+\.\d+[\w.-]*|https?://[^?@]*|[\w.-]+\.(?:go|ts|tsx|js|py|rs|rb|java|md|json|toml|ya?ml|txt|sh|sql|css|html))$`)

// secretValue checks a value in a secret's place, quoted or not.
func secretValue(v string) bool {
	v = strings.Trim(v, `.,:;!?()[]{}"'`+"`")
	return len(v) >= 5 && !harmless.MatchString(v) && !words(v)
}

// literal checks a quoted value; if quoted, even a plain word is a password.
func literal(v string) bool {
	return !harmless.MatchString(v) && strings.Count(v, " ") < 3 && len(strings.TrimSpace(v)) >= 4
}

// ownWord checks a plain word after "password =": a name related to passwords or input is code, any other word may be
// the password.
func ownWord(v string) bool {
	return !harmless.MatchString(v) && !codeName.MatchString(v)
}

var codeName = lazyregexp.New(
	`(?i)pass|pwd|secret|user|input|config|value|field|param|string|text|hash|prompt|required|optional|default|hidden|get|read|args|form|self|this|\.\w+$|^\w+\.\w+`,
)

// serial checks groups of characters joined by hyphens, as in licences and keys: capitals, or letters among digits. A
// UUID alone is only an identifier.
func serial(v string) bool {
	if uuid.MatchString(v) || version.MatchString(v) {
		return false
	}
	st := shapeOf(v)
	if strings.ToUpper(v) == v && strings.Count(v, "-") >= 3 && st.longest >= 4 {
		return true
	}
	return st.digits >= 6 && st.digitRuns >= 2 && st.longest >= 4 && st.wordy*2 < len(v)
}

// flagValue checks the argument of -u or --token.
func flagValue(v string) bool {
	if user, pass, both := strings.Cut(v, ":"); both && user != "" && len(pass) >= 4 {
		return !harmless.MatchString(pass) && !allDigits(pass)
	}
	return secretValue(v) && mixed(v)
}

// credentials checks the user part of a URL; a user name alone is harmless.
func credentials(v string) bool {
	user, pass, both := strings.Cut(v, ":")
	if both {
		return strings.Trim(pass, string(rune(blank))) != "" && !harmless.MatchString(pass)
	}
	return len(user) >= 12 && mixed(user)
}

// mixed reports whether v has something that words lack.
func mixed(v string) bool { return !plain(v) }

// plain reports whether v could be prose or a name in code: letters of one style joined by the usual characters, with
// digits only at the end.
func plain(v string) bool { return words(strings.TrimRight(v, "0123456789")) }

// words is plain without digits: after a name like "password", a single digit at the end can make a word a password.
func words(v string) bool {
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("_-./:*&?!#=", r) }) {
		if !nameLike(part) {
			return false
		}
	}
	return true
}

// nameLike accepts word, Word, WORD and someURLWords of usual lengths.
func nameLike(s string) bool {
	capitals, runs, lower := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case !letter(s[i]):
			return false
		case upper(s[i]):
			capitals, lower = capitals+1, 0
			if capitals == 2 {
				runs++
			}
		default:
			capitals, lower = 0, lower+1
		}
		if lower > 20 || capitals > 20 {
			return false
		}
	}
	return runs <= 1
}

// madeUp reports whether v looks like what people enter when a form requires a letter, a digit and a special character.
func madeUp(v string) bool {
	st := shapeOf(v)
	special := strings.ContainsAny(v[:len(v)-1], "!@#$^&*?~")
	return special && st.digits >= 1 && st.longest >= 2 && !harmless.MatchString(v) &&
		!strings.ContainsAny(v, "/{}[]<>\\|")
}

// lowBar checks a word near the name of a secret, with a low threshold.
func lowBar(v string) bool {
	if allDigits(v) {
		return len(v) >= 12
	}
	if anyUUID.MatchString(v) {
		return true
	}
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("./%", r) }) {
		if lowBarPart(part) {
			return true
		}
	}
	return random(v)
}

func lowBarPart(s string) bool {
	st := shapeOf(s)
	switch {
	case len(s) < 12 || version.MatchString(s):
		return st.digits >= 3 && st.digitRuns >= 2 && st.turns >= 4
	case hexadecimal.MatchString(s):
		return true
	case st.longest >= 20:
		return true
	}
	return st.digits >= 3 && (st.digitRuns >= 2 || st.longDigits >= 5) || st.turns*3 >= len(s) && st.wordy*2 < len(s)
}

// random checks a word that stands alone by its shape: how often it changes between letters, capitals and digits, how
// much of it reads like words, and how evenly it uses its characters. The parts of a path are checked one by one.
func random(v string) bool {
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == '.' || r == '/' || r == '%' || r == '=' }) {
		if randomPart(strings.Trim(part, "=-_+~")) {
			return true
		}
	}
	return false
}

func randomPart(s string) bool {
	if len(s) < 12 || version.MatchString(s) || uuid.MatchString(strings.Trim(s, "=")) {
		return false
	}
	st, n := shapeOf(s), len(s)
	scattered := st.turns*5 >= n && entropy(s) >= 3
	switch {
	case hexPart(s), st.longest >= 24, st.digits >= 8 && n >= 20:
		return true
	case scattered && (st.digitRuns >= 3 || st.digits >= 1 && n >= 16 && st.wordy*2 < n):
		return true
	}
	return n >= 18 && st.turns*3 >= n && st.wordy*9 < 4*n
}

// hexPart reports whether s is, or ends in, a long hexadecimal number or a UUID with a prefix, the form of many
// vendors' tokens.
func hexPart(s string) bool {
	if anyUUID.MatchString(s) {
		return true
	}
	last := s[strings.LastIndexAny(s, "_-")+1:]
	return len(last) >= 20 && hexadecimal.MatchString(last)
}

var (
	anyUUID     = lazyregexp.New(`[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}`)
	hexadecimal = lazyregexp.New(`^(?:0x)?[0-9a-fA-F]+$`)
	uuid        = lazyregexp.New(`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)
	// version also matches dates and times.
	version = lazyregexp.New(`^(?:v?\d+[-_]\d+[-_\d]*\w{0,8}|\d{4}-\d\d-\d\d\S{0,20}|\d{8}T?\d{0,6}Z?)$`)
)

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// shape counts properties of a word in one pass.
type shape struct {
	digits     int
	digitRuns  int
	longDigits int // longest run of digits
	longest    int // longest run of letters of one case
	turns      int // changes between kinds of characters
	wordy      int // bytes in runs of at least three lower-case letters
}

func shapeOf(s string) shape {
	var st shape
	for i := 0; i < len(s); {
		k, from := kind(s[i]), i
		for i < len(s) && kind(s[i]) == k {
			i++
		}
		st.add(k, i-from, from > 0)
	}
	return st
}

func (st *shape) add(k byte, n int, turn bool) {
	if turn && k != '-' {
		st.turns++
	}
	switch k {
	case 'd':
		st.digits, st.digitRuns, st.longDigits = st.digits+n, st.digitRuns+1, max(st.longDigits, n)
	case 'l':
		st.longest = max(st.longest, n)
		if n >= 3 {
			st.wordy += n + 1 // including the capital before it
		}
	case 'U':
		st.longest = max(st.longest, n)
	}
}

func kind(c byte) byte {
	switch {
	case digit(c):
		return 'd'
	case upper(c):
		return 'U'
	case letter(c):
		return 'l'
	}
	return '-'
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func upper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// entropy returns the entropy of the characters of s, in bits.
func entropy(s string) float64 {
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	var h float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}
