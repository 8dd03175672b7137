package privacy

import (
	"fmt"
	"regexp"
	"unicode/utf8"
)

const defaultMaxField = 512 << 10

var cutMark = regexp.MustCompile(`\[CUT:[0-9]{1,12} bytes\]$`)

// capped keeps the first limit bytes of a text. The token the cut goes through
// is dropped with the rest: half a key is still a key. A text that was cut
// before may be longer than the limit by what its placeholders added.
func capped(text string, limit int) string {
	if len(text) <= limit || len(text) <= 2*limit && cutMark.MatchString(text[len(text)-32:]) {
		return text
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	for floor := max(0, at-4096); at > floor && !isSpace(text[at-1]); {
		at--
	}
	return fmt.Sprintf("%s[CUT:%d bytes]", text[:at], len(text)-at)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
