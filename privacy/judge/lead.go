package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// CertainPassword reports whether a word to which a sentence leads can only be a secret.
func CertainPassword(v string) bool {
	if len(v) < 7 || value.PathLike(v) || TypeName(v) || value.Placeholder(v) {
		return false
	}
	n := value.CountKinds(v)
	switch {
	case value.SymbolPassword(v) && HasSymbol(v) && !value.Expression(v):
		return true
	case value.LettersAndDigits(v) && !HostLike(v):
		return true
	case n.Digits > 0 && n.Upper > 0 && value.PunctuatedPassword(v) && !nameAndNumber(v):
		return true
	}
	return value.WordWithSymbol(v)
}

// nameAndNumber reports whether a value is a name and its number: Build_42.
func nameAndNumber(v string) bool {
	i := strings.LastIndexAny(v, "_-.")
	return i > 0 && value.CountKinds(v).Other == 1 && value.Integer(v[i+1:]) && len(v)-i <= 4 &&
		value.CountKinds(v[:i]).Digits == 0
}
