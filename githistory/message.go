package githistory

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// binaryShare is the maximum share of unprintable characters in a text.
const binaryShare = 0.1

// colours matches how a terminal is told to change colours or to move. Some messages are pasted from one.
var colours = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// messageText returns a message as UTF-8 text, without the lines that name people, or "" if it is not text.
func messageText(raw []byte, encoding string) string {
	text := colours.ReplaceAllString(decode(raw, encoding), "")
	odd, all := 0, 0
	text = strings.Map(func(r rune) rune {
		all++
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == utf8.RuneError || unicode.IsControl(r) && r != '\r':
			odd++
			return unicode.ReplacementChar
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
	if float64(odd) > binaryShare*float64(all) {
		return ""
	}
	return withoutPeople(strings.ReplaceAll(text, string(unicode.ReplacementChar), "?"))
}

// decode converts from the single-byte encodings that commits used before UTF-8.
func decode(raw []byte, encoding string) string {
	switch strings.ToLower(encoding) {
	case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252", "cp1252":
		runes := make([]rune, len(raw))
		for i, b := range raw {
			runes[i] = rune(b)
		}
		return string(runes)
	}
	return strings.ToValidUTF8(string(raw), string(unicode.ReplacementChar))
}

var (
	// byLine matches a line that names someone who contributed to a commit.
	byLine = lazyregexp.New(
		`(?i)^\s*(?:signed-off|co-authored|co-developed|authored|committed|reviewed|acked|tested|reported|suggested|` +
			`helped|mentored|approved|paired|requested|cherry-picked|reported-and-tested|reviewed-and-tested|based-on-patch)-by\s*:|^\s*(?:cc|thanks-to)\s*:`)
	// addressLine matches any other line of that form with an address.
	addressLine = lazyregexp.New(`^\s*[A-Za-z][\w-]*\s*:.*<[^<>\s]+@[^<>\s]+>`)
)

// withoutPeople removes the lines that name people, such as Signed-off-by. A message combined from several has them in
// the middle.
func withoutPeople(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if named := strings.ContainsRune(line, ':') && (byLine.MatchString(line) || addressLine.MatchString(line)); !named {
			kept = append(kept, strings.TrimRight(line, " \t"))
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// plainPath returns a path as valid text.
func plainPath(p string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return '?'
		}
		return r
	}, filepath.ToSlash(p))
}
