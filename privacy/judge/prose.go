package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// ASCII reports whether a text has no letters of other alphabets.
func ASCII(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		b := text[:8] // the compiler makes one load of it
		if (uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|
			uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// TechnicalTerm reports whether a word of a sentence is the name of a standard, a size, or contains an escaped line
// end.
func TechnicalTerm(v string) bool {
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
	return strings.Trim(strings.TrimRight(v, "0123456789"), "abcdefghijklmnopqrstuvwxyz") == ""
}
