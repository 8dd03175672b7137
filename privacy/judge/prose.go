package judge

import (
	"strings"

	"keepmum/privacy/value"
)

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
