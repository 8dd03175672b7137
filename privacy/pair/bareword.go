package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/value"
)

// TypedPassword reports whether a literal in the place of a password is one.
func TypedPassword(v string) bool {
	if len(v) < 4 || len(v) > 128 || strings.ContainsAny(v, " <>(){}") || value.PathLike(v) || value.Placeholder(v) {
		return false
	}
	return value.Mixed(v) || value.RandomLetters(v)
}

// AccountPassword reports whether what follows an account can only be its password; in quotes, that is also rare words
// with dashes between them.
func AccountPassword(v string, quoted bool) bool {
	joined := strings.IndexByte(v, '-') > 0 && judge.RareWords(v)
	return value.PunctuatedPassword(v) || judge.Capitalised(v) || quoted && (value.AlnumPassword(v) || joined)
}

// LiteralSecret reports whether a value in a secret's position is meant literally: not a placeholder, variable, path or
// mask.
func LiteralSecret(v string) bool {
	switch {
	case value.Placeholder(v) || strings.IndexByte("-$<[{%*`(", v[0]) >= 0:
		return false
	case strings.ToUpper(v) == v && value.PlainWords(v) && strings.ContainsAny(v, "-_"):
		return false // AUTH-PASSWORD, as in manuals
	}
	return strings.IndexByte(v, ' ') >= 0 || !value.PathLike(v)
}

// MaxKeyed is the maximum length of a value that is read together with its key.
const MaxKeyed = 64 << 10

// KeyRule returns the rule that is named for the value of a key.
func KeyRule(key string) string { return assign.RuleOf(value.KeyStrength(key)) }
