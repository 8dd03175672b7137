package value

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"keepmum/privacy/languages"
)

// Placeholder reports whether a value only stands for a secret: a template, a variable, an example.
func Placeholder(v string) bool {
	return v == "" || otherKind(v) || unreadable(v) || example(v) || label(v)
}

// otherKind reports whether a value has the form of something that is never a secret.
func otherKind(v string) bool {
	return strings.HasPrefix(v, "arn:") || validation(v) || VersionLike(v) || Template(v)
}

// unreadable reports whether a value was masked, abridged or encrypted.
func unreadable(v string) bool {
	return strings.HasSuffix(v, "...") || RepeatedCharacter(v) || abridged(v) || saysEncrypted(v)
}

// example reports whether a value was made up for an example.
func example(v string) bool { return patternedID(v) || countedUp(v) || ExampleWord(v) }

// countedUp reports whether a value is the digits of a hexadecimal number one after the other, from 0.
func countedUp(v string) bool {
	const digits = "0123456789abcdef"
	return len(v) >= len(digits) && strings.ReplaceAll(strings.ToLower(v), digits, "") == ""
}

// label reports whether a value is the label of a field in any language.
func label(v string) bool { return LabelWord(v) || nonLatinEnd(v) && foreignLabel(v) }

// nonLatinEnd reports whether the last letter of a value is not Latin.
func nonLatinEnd(v string) bool {
	v = strings.TrimRight(v, ")]:.!?")
	return v != "" && v[len(v)-1] >= 0x80
}

// foreignLabel reports whether a value is a word for "password", "token" or "secret" in another alphabet, as in
// translation files.
func foreignLabel(v string) bool {
	v = strings.TrimRight(v, "!?")
	if strings.ContainsAny(v, "0123456789!#$%^*?+~&@_=") {
		return false
	}
	low := strings.ToLower(v)
	for _, w := range languages.ByKind()["label"] {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// Template reports whether a value is to be filled in elsewhere.
func Template(v string) bool {
	switch rest := v[1:]; v[0] {
	case '$':
		return variable(rest)
	case '<':
		inner, _, ok := strings.Cut(rest, ">")
		return ok && !RandomWithBrackets(inner)
	case '{':
		return strings.HasSuffix(v, "}")
	case '[':
		return strings.HasSuffix(v, "]")
	case '%':
		return formatted(v)
	case '@':
		return atReference(v)
	case '#':
		return strings.HasPrefix(rest, "{")
	case '&':
		return reference(rest)
	}
	return strings.HasPrefix(v, "__") && strings.HasSuffix(v, "__") || redactionMark(v)
}

// formatted reports whether a value starts with a format: %s, %d, or contains a variable: %NAME%, %(name)s, %{name}.
func formatted(v string) bool {
	return len(v) <= 3 || formatVerb(v) || strings.HasSuffix(v, "%") || strings.IndexByte("({", v[1]) >= 0
}

// atReference reports whether what is after an at sign names something: a variable, a package, a secret in a vault.
func atReference(v string) bool {
	return strings.HasPrefix(v, "@Microsoft.KeyVault(") || strings.HasSuffix(v, "@") || reference(v[1:]) || scoped(v[1:])
}

// redactionMark reports whether a value contains what another program puts in a secret's place.
func redactionMark(v string) bool {
	return strings.ContainsAny(v, "[<") && ContainsAny(v, "[REDACTED", "[redacted", "<redacted", "[WITHHELD", "[EXCLUDED",
		"[MASKED", "[FILTERED")
}

// variable reports whether a text after a dollar sign is an expansion, ${…} or $(…), the name of a variable, or starts
// with one followed by a member: cfg['key'], user->key.
func variable(name string) bool {
	if strings.HasPrefix(name, "{") || strings.HasPrefix(name, "(") {
		return true
	}
	if name = strings.TrimPrefix(name, "$"); reference(name) {
		return true
	}
	for _, member := range []string{"['", "[\"", "[$", "${", "->", "[&#", "</"} {
		if before, _, ok := strings.Cut(name, member); ok && Identifier(before) {
			return true
		}
	}
	return false
}

// reference reports whether a text can be a name in a program. No name there is a word with a capital, a long number
// and more letters: Otter1984sea.
func reference(name string) bool {
	rest := strings.TrimLeft(strings.TrimLeft(name, Capitals), SmallLetters)
	after := strings.TrimLeft(rest, "0123456789")
	long := len(name)-len(rest) >= 4 && len(rest)-len(after) >= 3
	return Identifier(name) && (name >= "_" || !long || after == "" || strings.Trim(after, SmallLetters) != "")
}

// scoped reports whether a value is a scoped name of a JavaScript package: vendor/package:nameOfIt.
func scoped(v string) bool {
	vendor, name, ok := strings.Cut(v, "/")
	pack, of, _ := strings.Cut(name, ":")
	if !ok || !PlainWords(vendor) || !PlainWords(pack) {
		return false
	}
	return of == "" || Identifier(of) && CamelWords(of)
}

// abridged reports whether only both ends of a value are shown: npm_…r3Xa.
func abridged(v string) bool {
	const head, tail = 12, 6
	for _, gap := range []string{"…", "..."} {
		if before, after, ok := strings.Cut(v, gap); ok && len(before) <= head && after != "" && len(after) <= tail &&
			GroupEnd(after, 0) == len(after) {
			return true
		}
	}
	return false
}

// patternedID reports whether a UUID was typed by a person: it has only a few different digits.
func patternedID(v string) bool {
	if !UUIDLike(v) {
		return false
	}
	seen := 0
	for i := range len(v) {
		if v[i] != '-' {
			seen |= 1 << (v[i] & 31)
		}
	}
	return bits.OnesCount(uint(seen)) <= TypedDigits
}

// RepeatedCharacter reports whether a value is almost entirely one repeated character.
func RepeatedCharacter(v string) bool {
	masks := 0
	for i := range len(v) {
		switch v[i] {
		case '*', '.', 'x', 'X', '-', '_', '#', '0':
			masks++
		}
	}
	_, size := utf8.DecodeRuneInString(v)
	if strings.Count(v, v[:size])*size == len(v) || len(v) > 4 && masks*10 >= len(v)*8 {
		return true
	}
	return masks > 3 && (strings.Contains(v, "****") || strings.Contains(v, "xxxxx") || strings.Contains(v, "XXXXX"))
}

// ExampleWord reports whether a value says itself that it is an example.
func ExampleWord(v string) bool {
	if len(v) > 64 {
		return false
	}
	low := strings.ToLower(v)
	if word := strings.Trim(low, "._-!"); len(word) <= longestExample && InList(word, Examples) {
		return true
	}
	if strings.Contains(v, "REDACTED") && CountKinds(v).Upper+CountKinds(v).Lower == len("REDACTED") {
		return true
	}
	if !hasPlaceholderWord(low) && !strings.Contains(low, "example") && !strings.HasSuffix(low, "xxx") {
		return false
	}
	if EndsWithAny(low, "examplekey", "example", "-xxx") || ContainsAny(low, "_here", "-here") {
		return true
	}
	// A stand-in consists of words. With digits or symbols it is in use somewhere, unless all of its words ask for
	// another value.
	if strings.ContainsAny(low, "!#$%^*?+~&") {
		return false
	}
	return CountKinds(low).Digits == 0 || numberedPlaceholder(low)
}

// numberedPlaceholder reports whether a value is only stand-in words and a number: your_token_2, dummy-key-1.
func numberedPlaceholder(low string) bool {
	words := 0
	for word := range strings.FieldsFuncSeq(low, func(r rune) bool { return strings.ContainsRune("-_. ", r) }) {
		word = strings.Trim(word, "0123456789")
		if word != "" && !InList(word, Examples) && !InList(word, standIns) {
			return false
		}
		words++
	}
	return words > 1 || words == 1 && InList(strings.Trim(low, "0123456789"), " example dummy placeholder redacted ")
}

// hasPlaceholderWord reports whether part of a value says that something else belongs there. The switch rules out
// nearly all positions at once.
func hasPlaceholderWord(low string) bool {
	for i := 0; i+4 <= len(low); i++ {
		var parts string
		switch low[i : i+2] {
		case "ch":
			parts = "changeme change_me change-me changeit"
		case "re":
			parts = "replace redacted"
		case "ge":
			parts = "generate- generate_ generate-me"
		case "yo":
			parts = "your_ your- yourpass yoursecret yourtoken yourapi youraccess"
		case "in":
			parts = "insert_ insert-"
		case "pl":
			parts = "placeholder"
		case "du":
			parts = "dummy"
		case "_h", "-h":
			parts = "_here -here"
		case "no":
			parts = "notarealkey not-a-real"
		case "to":
			parts = "todo"
		case "fi":
			parts = "fixme"
		default:
			continue
		}
		for part := range strings.SplitSeq(parts, " ") {
			if strings.HasPrefix(low[i:], part) {
				return true
			}
		}
	}
	return false
}

const longestExample = len("my-password")

// RandomWithBrackets reports whether a value with brackets is not code: the brackets do not enclose names, and what is
// between them is random.
func RandomWithBrackets(v string) bool {
	n := CountKinds(v)
	if len(v) < 8 || n.Upper+n.Lower < 4 || n.Sorts() < 3 || ContainsAny(strings.ToLower(v), "://", "redacted") {
		return false
	}
	last := v[len(v)-1]
	if strings.IndexByte("({[", last) >= 0 {
		return false // the start of an expression
	}
	if i := strings.IndexAny(v, "([{"); i > 0 && Identifier(v[:i]) && strings.IndexByte(")]}", last) >= 0 {
		return false // a call, or an encrypted value: ENC(…)
	}
	drawn := CrossEntropy(v)
	return drawn >= BracketsPaired || drawn >= BracketsBound && !balanced(v)
}

// balanced reports whether each bracket is closed by a matching one.
func balanced(v string) bool {
	var open []byte
	for i := range len(v) {
		switch c := v[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			last := len(open) - 1
			if last < 0 || strings.IndexByte("([{", open[last]) != strings.IndexByte(")]}", c) {
				return false
			}
			open = open[:last]
		}
	}
	return len(open) == 0
}

// Dotted reports whether a value is names joined by dots, such as a.b.c.
func Dotted(v string) bool {
	if !strings.Contains(v, ".") {
		return false
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(v, "?.", "."), ".") {
		if !Identifier(part) || CountKinds(part).Runs > 1 || CrossEntropy(part) > DrawnAtAll && len(part) > 10 {
			return false
		}
	}
	return true
}

// PlainWords reports whether a value consists only of letters and word separators.
func PlainWords(v string) bool {
	for i := range len(v) {
		switch c := v[i]; {
		case Letter(c):
		case c == '_', c == '-', c == ' ', c == '.', c == '/', c == ':', c == ',':
		default:
			return false
		}
	}
	return true
}

// SymbolPassword reports whether a value looks like a password that a person or a tool made: several kinds of
// characters, and not the form of code, a path, a version or a time.
func SymbolPassword(v string) bool {
	if len(v) < 8 || len(v) > 128 || strings.ContainsAny(v, "(){}[]<>\"'`/\\=;|") {
		return false
	}
	n := CountKinds(v)
	if strings.Contains(v, " ") && !strings.ContainsAny(v, "!#$%^*?+~&@_") {
		return false
	}
	return passwordKinds(v, n) && !Placeholder(v) && !CodeLike(v)
}

// passwordKinds reports whether the kinds of characters are those of a password.
func passwordKinds(v string, n kinds) bool {
	if n.Digits == 0 || n.Lower+n.Upper < 3 || strings.Contains(v, "...") {
		return false
	}
	symbols := n.Other
	for i := range len(v) {
		if strings.IndexByte("-_.:,", v[i]) >= 0 {
			symbols--
		}
	}
	if symbols > 0 && n.Sorts() >= 3 {
		return strings.Count(v, "@") == 0 || !strings.Contains(v[strings.IndexByte(v, '@'):], ".")
	}
	return Random(v) || HexKey(v)
}

// ReadsLikeWords reports whether a token reads like words: like a name rather than something random.
func ReadsLikeWords(v string) bool {
	n := CountKinds(v)
	if n.Sorts() == 4 && n.Runs > 1 && !strings.ContainsAny(v, " /.") {
		return false
	}
	if n.Digits == 0 && n.Upper+n.Lower > 0 && (len(v) < 20 || CrossEntropy(v) < WordyLetters) {
		return true
	}
	if strings.ContainsAny(v, " \t\n") {
		return true
	}
	if n.Runs <= 1 && n.Digits <= 4 && CrossEntropy(v) < WordyNumbered {
		return true
	}
	return !n.Hex && CrossEntropy(v) < WordyMixed && n.Digits*3 < len(v)
}
