package place

import (
	"keepmum/privacy/assign"
	"strings"
)

// StdinPasswords returns each line of a text as a password; chpasswd reads NAME:PASSWORD.
func StdinPasswords(text string) (lines []string) {
	for v := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		if i := strings.IndexByte(v, ':'); i > 0 && assign.WordLike(v[:i]) {
			v = v[i+1:]
		}
		if len(v) >= 4 && len(v) < 128 && v[0] != '-' && !strings.ContainsAny(v, "…%\"") {
			lines = append(lines, `password: "`+v+`"`)
		}
	}
	return lines
}
