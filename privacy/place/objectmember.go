package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Marks are statements of an object's members about its value, without spaces.
var Marks = []struct {
	Text string
	k    value.Strength
}{
	{`"type":"securestring"`, value.PasswordKey}, {`"type":"concealed"`, value.PasswordKey},
	{`"type":"secret"`, value.PasswordKey}, {`"type":"password"`, value.PasswordKey},
	{`"sensitive":true`, value.PasswordKey}, {`"secret":true`, value.PasswordKey}, {`"masked":true`, value.PasswordKey},
	{`/secrets/`, value.PasswordKey},
}

// Jwk redacts the private members of a JSON Web Key.
func Jwk(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByJWK] {
		return
	}
	from, to := max(0, end-2_000), min(len(s.Text), end+4_000)
	s.Reached[scan.ByJWK] = to
	for _, member := range []string{`"d":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `"k":`} {
		for at := from; ; {
			i := strings.Index(s.Text[at:to], member)
			if i < 0 {
				break // a set holds several keys
			}
			at += i + len(member)
			if a, ok := (judge.Assignment{Sep: judge.Colon, MaxLength: scan.MaxValue}).Value(s.Text, at); ok && a.Quoted &&
				a.End-a.Start >= 16 {
				scan.Add(s, a.Start, a.End, "private-key")
			}
		}
	}
}
