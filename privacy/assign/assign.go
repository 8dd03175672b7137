package assign

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Assignment is a value found after a name.
type Assignment struct {
	Sep          Sep
	Quoted       bool
	Line         bool // a line of settings, not of code
	AfterVerb    bool // words such as "is" lead to it
	Spaced       bool // blanks around an equals sign: code, not an environment file
	Setter       bool // the name is that of a function that sets a password
	OuterCapital bool // the name is written like an environment variable
	Env          bool // the name is an environment variable, on a line of its own
	Words        bool // several words
	outer        byte // the byte before the name
	depth        int  // backslashes before that byte
	MaxLength    int  // how far a value is followed
	Start, End   int
}

// Sep is what is between a name and its value.
type Sep uint8

const (
	NoSep   Sep = iota
	Equals      // = and similar signs
	Colon       // :
	Comma       // the next argument
	Call        // name("value")
	Column      // a table cell
	Element     // <name>value</name>
	Sibling     // name="NAME" value="VALUE"
	Blank       // nothing but blanks or filler words
	Compare     // == "value"
)

// NameAt returns the bounds of the name around an offset.
func NameAt(text string, at int) (from, to int) {
	from, to = at, at
	for from > 0 && at-from < scan.MaxName && (scan.TokenByte(text[from-1]) || text[from-1] == '.') {
		from--
	}
	for to < len(text) && to-at < scan.MaxName && scan.TokenByte(text[to]) {
		to++
	}
	if from >= 1 && text[from-1] == '\\' && from < at && strings.IndexByte("nrt", text[from]) >= 0 {
		from++ // the n of \n is no part of the name
	}
	for from < at && (text[from] == '-' || text[from] == '.') {
		from++
	}
	return from, to
}

// SetContext records what is before a name, and how often it is escaped.
func (a *Assignment) SetContext(text string, from int) {
	if from == 0 {
		return
	}
	a.outer = text[from-1]
	for i := from - 2; i >= 0 && text[i] == '\\'; i-- {
		a.depth++
	}
}

// WithoutSeparator reads the value after a type, after words such as "is" and "for the server is", or after only
// blanks.
func (a Assignment) WithoutSeparator(text string, j int) (Assignment, bool) {
	if at, ok := SkipType(text, j); ok {
		a.Sep = Equals
		return a.Value(text, at)
	}
	a.Sep = Blank
	k := skipFillers(text, j)
	if next, ok := skipPurpose(text, j); ok {
		k = next
	}
	a.AfterVerb = k > j
	return a.Value(text, k)
}

// SkipClosers skips what may close a name: quotes, escaped or not, and brackets.
func SkipClosers(text string, i int) int {
	for n := 0; i < len(text) && n < 8; n++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && strings.IndexByte("\"'\\`", text[i+1]) >= 0:
			i++
		case c == '"', c == '\'', c == '`', c == ']', c == '*':
			i++
		case c == '&':
			w := quoteEntity(text[i:])
			if w == 0 {
				return i
			}
			i += w
		default:
			return i
		}
	}
	return i
}

// quoteEntity returns the length of an HTML entity for a quote.
func quoteEntity(s string) int {
	return value.PrefixLength(s, "&quot;", "&#34;", "&#39;", "&apos;", "&#x22;", "&#x27;")
}

// SkipBlanks skips blanks and tabs, up to [scan.MaxBlank] of them.
func SkipBlanks(text string, i int) int {
	for end := min(len(text), i+scan.MaxBlank); i < end && (text[i] == ' ' || text[i] == '\t'); {
		i++
	}
	return i
}

// SkipType skips a type between a name and its equals sign, as in "var token string =", "token: str =" and
// "TOKEN: &'static str =".
func SkipType(text string, i int) (int, bool) {
	if n := registryType(text[i:]); n > 0 {
		return SkipBlanks(text, i+n), true
	}
	if strings.HasPrefix(text[i:], "As ") {
		i += len("As ")
	}
	from := i
	i = typeEnd(text, i)
	if i == from || text[i-1] == '(' {
		return 0, false
	}
	j := SkipBlanks(text, i)
	switch rest := text[j:]; {
	case j == i || strings.HasPrefix(rest, "=="):
		return 0, false
	case strings.HasPrefix(rest, ":="):
		return j + 2, true
	}
	return j + 1, strings.HasPrefix(text[j:], "=")
}

// registryType returns the length of the type that Windows prints between a name of its registry and the value.
func registryType(text string) int {
	kind, _, _ := strings.Cut(text[:min(len(text), 16)], " ")
	if kind == "REG_SZ" || kind == "REG_EXPAND_SZ" {
		return len(kind)
	}
	return 0
}

// typeEnd returns where a type ends. A blank is part of it only before the length of an array and after a lifetime:
// [u8; 16], &'a str.
func typeEnd(text string, i int) int {
	end, inside := min(len(text), i+48), 0
	for i = borrowed(text, i); i < end; i++ {
		switch c := text[i]; {
		case value.WordByte(c), strings.IndexByte("*?.|()", c) >= 0:
		case c == '[':
			inside++
		case c == ']':
			inside--
		case strings.HasPrefix(text[i:], "::"): // of a path
			i++
		case inside <= 0 || strings.IndexByte(" ;", c) < 0:
			return i
		}
	}
	return i
}

// borrowed returns where a type starts of which there is a reference: after "&" or "&'static ".
func borrowed(text string, i int) int {
	if !strings.HasPrefix(text[i:], "&") {
		return i
	}
	i++
	if lifetime, _, ok := strings.Cut(text[i:min(len(text), i+24)], " "); ok && strings.HasPrefix(lifetime, "'") {
		return i + len(lifetime) + 1
	}
	return i
}

// skipFillers skips the words between a name and its value in a sentence.
func skipFillers(text string, i int) int {
	last, before := i, ""
	for range 6 {
		end := i
		for end < len(text) && end-i < 14 && text[end] != ' ' && text[end] != '\n' {
			end++
		}
		word := strings.ToLower(strings.Trim(text[i:end], ",:*\""))
		version := strings.HasSuffix(text[i:end], ":") && value.InList(word, " new old neu alt aktuell initial temp ")
		if end >= len(text) || text[end] != ' ' || !version && !isFiller(word) {
			return last
		}
		i = SkipBlanks(text, end)
		if word != "for" && (word != "with" || value.InList(before, " starts begins ends ")) {
			last = i // "for" is followed by what it opens, "with" by what sets it
		}
		before = word
	}
	return last
}

// isFiller reports whether a word may be between a name and its value in a sentence.
func isFiller(word string) bool {
	switch word {
	case "is", "it", "its", "was", "are", "to", "be", "set", "the", "my", "this", "value", "of", "for", "here",
		"equals", "as", "now", "it's", "would:", "still", "successfully", "created...", "created:", "has", "been",
		"reset", "changed", "updated", "you", "requested", "requested:", "-", "–", "ist", "lautet", "est", "es", "era",
		"ay", "0", "5", "7", "8", "9", "starts", "begins", "ends", "with":
		return true
	}
	return false
}

// skipPurpose skips "for the staging database is": what a sentence puts between the word for a secret and the secret.
func skipPurpose(text string, i int) (int, bool) {
	end := min(len(text), i+96)
	word, _, _ := strings.Cut(text[i:end], " ")
	if !value.InList(strings.ToLower(word),
		" for to of on at in für fuer von vom zum zur am auf der den dem de du des della dello del di do da van voor pour "+
			"en you that we i ") {
		return 0, false
	}
	for n := 0; n < 12 && i < end; n++ {
		word, _, more := strings.Cut(text[i:end], " ")
		if !more || strings.ContainsAny(word, "\n\"'(){};") || n > 0 && value.InList(value.LowerASCII(word), trailers) {
			return 0, false
		}
		next := SkipBlanks(text, i+len(word))
		if value.InList(strings.ToLower(word), " is = was: are ist lautet lautet: est es é è era será sarà ") ||
			n > 0 && strings.HasSuffix(word, ":") {
			return next, true
		}
		i = next
	}
	return 0, false
}

// trailers lead to numbers in changelogs.
const trailers = " closes: fixes: refs: see: bug: bugs: issue: issues: "
