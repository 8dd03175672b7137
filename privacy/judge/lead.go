package judge

import (
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
	case n.Digits > 0 && n.Upper > 0 && value.PunctuatedPassword(v):
		return true
	}
	return value.WordWithSymbol(v)
}
