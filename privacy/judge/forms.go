package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// technicalTerm reports whether a word of a sentence is the name of a standard, a size, or contains an escaped line
// end.
func technicalTerm(v string) bool {
	if v != "" && strings.IndexByte("pti12sr", v[0]|0x20) >= 0 {
		for _, start := range []string{"pkcs#", "tpm2", "ieee80", "128-bit", "256-bit", "phase2-", "snmpv", "rfc"} {
			if value.BeginsFold(v, start) {
				return true
			}
		}
	}
	// a dash of a manual page
	return strings.Contains(v, "%0A") || strings.Contains(v, "%.4s") || strings.Contains(v, `\-`)
}

// HasSymbol reports whether a value has a symbol that joins no words.
func HasSymbol(v string) bool {
	return strings.ContainsAny(v, "!#$%^*?+~&") && value.CountKinds(v).Sorts() >= 3
}

// HostLike reports whether a value is a lower-case word and a number, like hosts, versions and accounts.
func HostLike(v string) bool {
	return strings.Trim(strings.TrimRight(v, "0123456789"), value.SmallLetters) == ""
}

// Capitalised reports whether a value looks chosen, in places that leave hardly any doubt: with a capital and
// lower-case letters one digit is enough, also at the end.
func Capitalised(v string) bool {
	n := value.CountKinds(v)
	return n.Upper > 0 && n.Lower > 2 && value.AlnumForm(v) && !TypeName(v)
}

// TypeName reports whether a value is written like the name of a type or function: words with capitals, the last of
// which is a word for a secret.
func TypeName(v string) bool {
	if !value.Identifier(v) || len(v) > 48 {
		return false
	}
	var room [value.MaxWords]string
	words := value.NameWords(v, room[:0])
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	if value.InList(words[0], " secret password hidden masked sensitive protected ") &&
		value.InList(last, " str string bytes field type text input value ") {
		return true
	}
	return value.CamelWords(v) && (words[0] == "test" ||
		value.InList(last, " key keys token tokens secret secrets password "))
}

// certainPassword reports whether a word to which a sentence leads can only be a secret.
func certainPassword(v string) bool {
	if len(v) < 7 || value.PathLike(v) || TypeName(v) || value.Placeholder(v) {
		return false
	}
	n := value.CountKinds(v)
	switch {
	case value.SymbolPassword(v) && HasSymbol(v) && !value.Expression(v):
		return true
	case value.LettersAndDigits(v) && !HostLike(v):
		return true
	case n.Digits > 0 && n.Upper > 0 && value.PunctuatedPassword(v):
		return true
	}
	return value.WordWithSymbol(v)
}

// randomToken is random with a higher threshold, for tokens that nothing assigns to a name: the shorter a token is, and
// the fewer digits it has, the more random it must be.
func randomToken(s string) bool {
	if !value.Random(s) {
		return false
	}
	n := value.CountKinds(s)
	switch {
	case len(s) < 20:
		return n.Digits >= 3 && value.CrossEntropy(s) >= value.DrawnLetters
	case n.Digits < 3:
		return value.CrossEntropy(s) >= value.DrawnLetters
	}
	return value.CrossEntropy(s) >= value.DrawnShort
}

// keyLike reports whether a value has the form of a vendor's key: long, of letters and digits, or hex.
func keyLike(v string) bool {
	if value.HexKey(v) || value.UUIDLike(v) {
		return true
	}
	if i := strings.IndexAny(v, ".:"); i >= 32 && value.UUIDLike(v[:i]) && len(v)-i > 12 {
		return true // an id and its key
	}
	n := value.CountKinds(v)
	lettersAndDigits := n.Other == 0 && n.Digits >= 4 && n.Runs >= 2
	return lettersAndDigits && len(v) >= 20 && !value.ReadsLikeWords(v) && !value.Repetitive(v)
}
