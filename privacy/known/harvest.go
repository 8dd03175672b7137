package known

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
	"keepmum/privacy/value"
)

var (
	userinfo = lazyregexp.New(`[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:@/"'<>]{0,128}:([^\s@/"'<>]{3,256})@[^\s"'<>]{1,512}`)
	netrcKey = lazyregexp.New(`(?m)\bpassword[ \t]+(\S{6,256})`)
	// secretWord matches variable names that mean a secret.
	secretWord = lazyregexp.New(
		`(?:passw(?:or)?d|passphrase|passwd|pwd$|pass$|secret|token|api_?key|apikey|access_?key|private_?key|signing|encryption|_key$|^key$|credential|_auth$|^auth$|authtoken|connection_?string|dsn$|(?:database|db|redis|mongo|mongodb|postgres|amqp|broker)_?ur[il]$|salt$|_pin$|jwt|webhook)`,
	)
	// harmlessName matches names that mean something else about a secret. PWD and OLDPWD are directories, which a shell
	// passes to every program.
	harmlessName = lazyregexp.New(
		`(?:_(?:ttl|expires?|expiry|expiration|timeout|length|size|name|count|path|file|dir|enabled|limit|type|version|header|prefix|algorithm|alg|rounds|min|max|age|host|port|region|mode|policy|provider|issuer|audience|scopes?|realm|endpoint|backend|store|class|format|label|hint|strategy|driver|user|username|email)|public_?key|publishable_?key|key_?id|^(?:old)?pwd)$`,
	)
)

// Harvest returns the secrets in a text: values whose names say so, values that look random, and the credentials in
// addresses.
func Harvest(text string) []string {
	var h Harvester
	if len(text) > scan.MaxHarvested {
		text = text[:scan.MaxHarvested]
	}
	if plain := unpacked(text); plain != "" {
		text += "\n" + plain
	}
	lines := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		h.assignments(line)
		if lines++; lines <= MaxWordLines {
			h.bare(strings.TrimSpace(line))
		}
	}
	if strings.Contains(text, "://") {
		for _, m := range userinfo.FindAllStringSubmatch(text, scan.MaxHarvest) {
			h.Add(m[0])
			h.addSecret(m[1])
		}
	}
	if strings.Contains(text, "password") {
		for _, m := range netrcKey.FindAllStringSubmatch(text, scan.MaxHarvest) {
			h.addSecret(m[1])
		}
	}
	for token := range strings.FieldsFuncSeq(text, notInToken) {
		if token = strings.Trim(token, ".=-"); looksRandom(token) {
			h.Add(token)
		}
	}
	return h.Values
}

// MaxWordLines limits how many lines are searched for single words: the output of a command that prints one secret.
const MaxWordLines = 40

// bare adds a word that is a whole line.
func (h *Harvester) bare(word string) {
	if len(word) <= 128 && !strings.ContainsAny(word, " \t=") &&
		(passwordLike(word) || value.Random(word) || JumbledLetters(word)) {
		h.addSecret(strings.Trim(word, "\"'"))
	}
}

// passwordLike reports whether a value mixes letters with digits or symbols like a password, and unlike names, versions
// and addresses.
func passwordLike(v string) bool {
	v = strings.Trim(v, "\"'")
	return value.LettersAndDigits(v) && !judge.HostLike(v) || value.SymbolPassword(v) && judge.HasSymbol(v) ||
		jumbledCase(v)
}

// jumbledCase reports whether a value looks generated: letters of both cases, with a digit or two, in an order that no
// name has.
func jumbledCase(v string) bool {
	if len(v) < 8 || len(v) > 40 {
		return false
	}
	n := value.CountKinds(v)
	mixed := n.Other == 0 && n.Upper >= 2 && n.Lower >= 2 && n.Digits > 0
	return mixed && value.CrossEntropy(v) >= value.DrawnPiece && !value.CamelWords(v)
}

func notInToken(r rune) bool {
	return r >= 0x80 || !value.Alphanumeric(byte(r)) && !strings.ContainsRune("+/_.~-", r)
}

// maxAssignments limits how many pairs one line can contain.
const maxAssignments = 64

// assignments finds NAME=value, name: value and "name": "value" in a line.
func (h *Harvester) assignments(line string) {
	from := 0
	for range maxAssignments {
		at := strings.IndexAny(line[from:], "=:")
		if at < 0 {
			return
		}
		at += from
		from = at + 1
		name := NameBefore(line[:at])
		if name == "" {
			continue
		}
		value := strings.TrimLeft(line[from:], "=>: \t")
		if strings.HasPrefix(line[at:], "://") || value == "" {
			continue
		}
		if length := h.assignment(name, value); length > 0 {
			from = len(line) - len(value) + length
		}
	}
}

// NameBefore returns the name at the end of a text, without quotes.
func NameBefore(text string) string {
	text = strings.TrimRight(text, " \t\"'")
	from := len(text)
	for from > 0 && len(text)-from < 80 && (value.Alphanumeric(text[from-1]) ||
		strings.IndexByte("_.-:/", text[from-1]) >= 0) {
		from--
	}
	return strings.TrimLeft(text[from:], "-./:0123456789")
}

// Harvester collects the secrets of one text. Its zero value is empty.
type Harvester struct {
	Values []string
	seen   map[string]bool
}

// Add adds a value, unless it is too short, was added before, or there are too many.
func (h *Harvester) Add(v string) {
	if len(v) >= scan.MinSecret && len(h.Values) < scan.MaxHarvest && !h.seen[v] {
		if h.seen == nil {
			h.seen = map[string]bool{}
		}
		h.seen[v] = true
		h.Values = append(h.Values, v)
	}
}

// addSecret adds a value that its place makes a secret.
func (h *Harvester) addSecret(v string) {
	if !HarmlessValue(v) {
		h.Add(v)
	}
	if plain, err := url.PathUnescape(v); err == nil && plain != v && !HarmlessValue(plain) {
		h.Add(plain)
	}
}

// assignment adds the value assigned to a name, and returns the length of a quoted value.
func (h *Harvester) assignment(name, text string) (length int) {
	if quote := text[0]; quote == '"' || quote == '\'' {
		end := quoteEnd(text, quote)
		v := text[1:end]
		h.value(name, v)
		if strings.Contains(v, `\`) {
			h.value(name, strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\/`, "/").Replace(v))
		}
		return end
	}
	// An unquoted value ends at the end of the line, at a comment, or at the next pair.
	text = strings.TrimSpace(text[:min(len(text), 4096)])
	first, _, more := strings.Cut(text, " ")
	h.value(name, strings.TrimRight(first, "\"',;}"))
	if before, _, ok := strings.Cut(text, " #"); ok {
		text = strings.TrimSpace(before)
	}
	if more && !strings.Contains(text, "=") {
		h.value(name, text)
	}
	return 0
}

// quoteEnd returns the position of the closing quote, or the end of the text.
func quoteEnd(text string, quote byte) int {
	for i := 1; i < len(text) && i < 4096; i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote:
			return i
		}
	}
	return min(len(text), 4096)
}

// value adds a value, if it or its name says that it is a secret, and what it encodes.
func (h *Harvester) value(name, v string) {
	secret := SecretName(name) || unlikely(v) && !harmlessName.MatchString(snake(name))
	if looksRandom(v) || secret && !HarmlessValue(v) {
		h.Add(v)
	}
	if plain, err := base64.StdEncoding.DecodeString(v); err == nil && len(plain) <= 128 &&
		(passwordLike(string(plain)) || SecretName(name)) && value.CountKinds(string(plain)).Other*2 < len(plain) {
		h.addSecret(string(plain)) // the form in a Kubernetes manifest
	}
}

// unlikely reports whether a value in a file of secrets is unlikely to be an ordinary setting: made up or random, many
// digits, or a phrase.
func unlikely(v string) bool {
	const digits = 10 // as many as in an account or telephone number
	return passwordLike(v) || JumbledLetters(v) || Phrase(v) || len(v) >= digits && strings.Trim(v, "0123456789") == ""
}

// SecretName reports whether a variable with this name holds a secret.
func SecretName(name string) bool {
	name = strings.NewReplacer("-", "_", ".", "_", ":", "_", "/", "_").Replace(snake(name))
	return secretWord.MatchString(name) && !harmlessName.MatchString(name)
}

// snake converts a camelCase name to lower case with underscores.
func snake(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(c)
	}
	return strings.ToLower(b.String())
}

// HarmlessValue reports whether a value is too common, or too clearly not a secret, to be redacted wherever it occurs.
func HarmlessValue(v string) bool {
	if len(v) < scan.MinSecret || len(v) > 4096 {
		return true
	}
	l := strings.ToLower(v)
	switch {
	case CommonWord(l), shortNumber(v), uuidNil(l), reference(v):
		return true
	case strings.Contains(v, "://"):
		return !userinfo.MatchString(v) && !strings.Contains(l, "hooks.") && !looksRandom(v[strings.LastIndexByte(v, '/')+1:])
	case isPath(v):
		return !looksRandom(v)
	case strings.HasSuffix(v, "()"), strings.Trim(l, l[:1]) == "": // xxxxxx, ******
		return true
	}
	return value.BeginsWithAny(l, "your_", "your-", "change_me", "changeme", "replace_", "example", "placeholder",
		"[redacted", "[excluded", "[withheld")
}

// reference reports whether a value stands for another one: $NAME, <name>, {{name}}, %(name).
func reference(v string) bool {
	return value.BeginsWithAny(v, "$", "{{", "%(") || strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">")
}

func isPath(v string) bool {
	if strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/") || shell.HasDrive(v) {
		return true
	}
	return strings.HasPrefix(v, "/") && (strings.Count(v, "/") > 1 || IsPlainName(v[1:]))
}

// IsPlainName reports whether a text has only characters of file names.
func IsPlainName(v string) bool {
	return strings.Trim(v, value.Letters+"_.-") == ""
}

// CommonWord reports whether a value, in lower case, occurs in every project.
func CommonWord(v string) bool { return value.InList(v, commonWords) }

const commonWords = " 0.0.0.0 127.0.0.1 127.0.0.1:3000 always bearer boolean change-me change_me changeme client " +
	"config cookie database default development disabled docker enabled eu-central-1 eu-west-1 example export function " +
	"github gitlab hs256 import localhost localhost:3000 localhost:8080 master memory module not-set notset " +
	"number oauth2 object office offline online optional password postgres private production public redis " +
	"required return root@localhost rs256 secret server service session sha256 staging strict string system " +
	"testing undefined us-east-1 us-west-2 username verbose warning "

// shortNumber reports whether a value is a number with so few digits that it occurs everywhere.
func shortNumber(v string) bool { return len(v) < 8 && strings.Trim(v, "0123456789.") == "" }

func uuidNil(v string) bool { return strings.Trim(v, "0-") == "" }

// looksRandom reports whether a token was generated rather than made up by a person.
func looksRandom(v string) bool {
	if len(v) < 16 || len(v) > 4096 || isUUID(v) {
		return false
	}
	n := value.CountKinds(v)
	if n.Hex {
		return !checksum(v) && n.Digits > 0 && value.Entropy(v) > value.HarvestHex
	}
	if n.Digits < 2 || n.Upper+n.Lower < 4 || n.Other*4 > len(v) || strings.IndexFunc(v, notInRandom) >= 0 {
		return false
	}
	if n.Upper == 0 || n.Lower == 0 {
		return value.Entropy(v) >= value.HarvestOneCase && n.Digits*6 >= len(v)
	}
	return value.Entropy(v) >= value.HarvestMixed
}

// checksum reports whether a hexadecimal number is as long as a commit, short or whole, or a checksum: these are
// everywhere, so their name decides.
func checksum(hex string) bool { return len(hex) < 24 || len(hex) == 40 || len(hex) == 64 }

func notInRandom(r rune) bool { return notInToken(r) && r != '=' }

func isUUID(v string) bool {
	const length = 36
	if len(v) != length || !value.CountKinds(strings.ReplaceAll(v, "-", "")).Hex {
		return false
	}
	return v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

// Form is a form in which a value appears inside other text.
type Form struct {
	Text  string
	coded bool // base64, whose first and last characters depend on the neighbouring bytes
}

// Forms returns the forms in which a value appears inside other text.
func Forms(v string) []Form {
	out := []Form{{Text: v}}
	put := func(f Form) {
		if len(f.Text) >= scan.MinSecret && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	add := func(text string) { put(Form{Text: text}) }
	add(url.QueryEscape(v))
	add(url.PathEscape(v))
	add(jsonEscaped(v))
	add(strings.ReplaceAll(jsonEscaped(v), `\`, `\\`))
	add(strings.ReplaceAll(v, `'`, `'\''`))
	if len(v) >= 8 {
		for shift := range 3 {
			put(Form{base64Core(v, shift, base64.RawStdEncoding), true})
			put(Form{base64Core(v, shift, base64.RawURLEncoding), true})
		}
		add(hex.EncodeToString([]byte(v)))
		add(strings.ToUpper(hex.EncodeToString([]byte(v))))
	}
	return out
}

// base64Core returns the part of the base64 of a text with v at offset shift (modulo 3) that depends only on v.
func base64Core(v string, shift int, enc *base64.Encoding) string {
	coded := enc.EncodeToString(append(make([]byte, shift), v...))
	from := []int{0, 2, 3}[shift]
	to := (shift + len(v)) / 3 * 4
	if to <= from {
		return ""
	}
	return coded[from:to]
}

var jsonEscapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func jsonEscaped(v string) string { return jsonEscapes.Replace(v) }
