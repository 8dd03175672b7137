package privacy

import "strings"

func digit(c byte) bool { return c >= '0' && c <= '9' }

// beginsFold reports whether s begins with a prefix in small ASCII letters,
// however s is written.
func beginsFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if c := s[i]; c != prefix[i] && (c < 'A' || c > 'Z' || c|0x20 != prefix[i]) {
			return false
		}
	}
	return true
}

// lower folds case for comparison with lower-case tables.
func lower(s string) string { return strings.ToLower(s) }
