package place

import (
	"strconv"
	"strings"

	"keepmum/privacy/scan"
)

// keyBytes is how many numbers an ed25519 key pair has in the file format of wallets.
const keyBytes = 64

// KeyPairs redacts ed25519 key pairs that are a whole text or a whole line: [174,47,…].
func KeyPairs(s *scan.Scanner) {
	keyPair(s, 0, len(s.Text))
	for at := 0; at < len(s.Text); {
		to := LineEndFrom(s.Text, at)
		if s.Text[at] == '[' {
			keyPair(s, at, to)
		}
		at = to
	}
}

// keyPair redacts a part of a text if it is such a file.
func keyPair(s *scan.Scanner, from, to int) {
	t := strings.TrimSpace(s.Text[from:to])
	if len(t) > 8*keyBytes || len(t) < 2*keyBytes || t[0] != '[' || t[len(t)-1] != ']' ||
		strings.Count(t, ",") != keyBytes-1 {
		return
	}
	different := map[string]bool{}
	for n := range strings.SplitSeq(t[1:len(t)-1], ",") {
		n = strings.TrimSpace(n)
		if v, err := strconv.ParseUint(n, 10, 8); err != nil || v > 255 {
			return
		}
		different[n] = true
	}
	if len(different) > keyBytes/2 {
		from += strings.IndexByte(s.Text[from:], '[') + 1
		scan.Add(s, from, from+len(t)-2, "private-key")
	}
}
