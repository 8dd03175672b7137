package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/text/unicode/norm"
)

const (
	slugBytes = 60
	hashChars = 6
)

// Slug turns a title into a name for files and ids: lower-case ASCII letters and digits with single hyphens, up to 60
// characters, never empty, never a name that a file system reserves.
func Slug(title string) string {
	s := plainSlug(title)
	if s == "" || reserved(s) {
		return hashed(s, title)
	}
	return s
}

func plainSlug(title string) string {
	var b strings.Builder
	gap := false
	title = gateMark.ReplaceAllString(title, " ") // a gate mark in a name looks like a key to the gate
	for _, r := range strings.ToLower(norm.NFKD.String(title)) {
		if r >= 0x80 {
			continue
		}
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return cutSlug(b.String(), slugBytes)
}

// cutSlug cuts at a hyphen, if there is one in the second half.
func cutSlug(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if at := strings.LastIndexByte(s[:n+1], '-'); at > n/2 {
		return s[:at]
	}
	return s[:n]
}

// hashed appends a short hash of what distinguishes this text from others.
func hashed(slug string, parts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	tail := hex.EncodeToString(h[:])[:hashChars]
	if slug == "" {
		return tail
	}
	return cutSlug(slug, slugBytes-hashChars-1) + "-" + tail
}

// reserved reports whether Windows reserves a name for a device.
func reserved(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt")) && s[3] >= '0' && s[3] <= '9'
}
