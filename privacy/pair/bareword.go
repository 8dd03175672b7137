package pair

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// TypedPassword reports whether a literal in the place of a password is one.
func TypedPassword(v string) bool {
	return len(v) >= 4 && len(v) <= 128 && !strings.ContainsAny(v, " <>(){}") && !value.PathLike(v) &&
		!value.Placeholder(v) && (value.Mixed(v) || value.RandomLetters(v))
}

// MaxKeyed is the maximum length of a value that is read together with its key.
const MaxKeyed = 64 << 10

func KeyRule(key string) string {
	if value.KeyStrength(key) == value.PasswordKey {
		return scan.RulePassword
	}
	return scan.RuleSecret
}

func Latin(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// randomKeyAt redacts the word at an offset if it can only be a key: random letters and digits, at least 24, or 32 of
// hex.
func randomKeyAt(s *scan.Scanner, at int) bool {
	for at < len(s.Text) && strings.IndexByte("\"'`", s.Text[at]) >= 0 {
		at++
	}
	to := at
	for to < len(s.Text) && to-at < 128 && scan.TokenByte(s.Text[to]) {
		to++
	}
	if v := s.Text[at:to]; (to == len(s.Text) || strings.IndexByte(" \t\r\n\"'`.,;)", s.Text[to]) >= 0) && randomKey(v) {
		scan.Add(s, at, to, scan.RuleSecret)
		return true
	}
	return false
}

// randomKey reports whether a token that only its place marks as a key has the form of one. Hex must have 32 digits:
// with 40 or 64 it is a hash.
func randomKey(v string) bool {
	if n := value.CountKinds(v); n.Hex {
		return len(v) == 32 && value.HexKey(v)
	}
	return len(v) >= 24 && judge.RandomToken(v) && !value.Placeholder(v) && !value.CamelWords(v) && !judge.PublicID(v)
}
