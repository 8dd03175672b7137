package assign

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// AccountBefore reports whether an account is named shortly before a name, so that its password follows.
func AccountBefore(s *scan.Scanner, at int) bool {
	for i := max(0, at-80); i < at; i++ {
		switch s.Text[i] | 0x20 {
		case 'u':
			if value.BeginsFold(s.Text[i:at], "user") {
				return true
			}
		case 'l':
			if value.BeginsFold(s.Text[i:at], "login") {
				return true
			}
		case '@' | 0x20:
			if s.Text[i] == '@' {
				return true
			}
		}
	}
	return false
}

// AccountName returns the length of the name in NAME:PASSWORD, including the colon.
func AccountName(v string) int {
	i := strings.IndexByte(v, ':')
	if i > 0 && WordLike(v[:i]) && len(v)-i > 4 && v[i+1] != '/' && !value.InList(value.LowerASCII(v[:i]), schemes) {
		return i + 1
	}
	return 0
}

// schemes say what follows their colon, and are no accounts.
const schemes = " arn auth aws azure basic bearer docker env file gcp git github gitlab http https image md5 npm " +
	"oauth oauth2 page pkg read repo role scope sha1 sha256 sha512 token urn uuid vault write "
