package privacy

import (
	"strings"
)

// in reports whether a list, written as words between blanks, has a word.
func in(word, list string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		if i > 0 && list[i-1] == ' ' && i+len(word) < len(list) && list[i+len(word)] == ' ' {
			return true
		}
		at = i + 1
	}
}

// lowerASCII is strings.ToLower for names: every byte stays where it is.
func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			continue
		}
		var room [roomForName]byte // for what is short, there is no need to allocate it twice
		low := append(room[:0], s...)
		for ; i < len(low); i++ {
			if low[i] >= 'A' && low[i] <= 'Z' {
				low[i] |= 0x20
			}
		}
		return string(low)
	}
	return s
}

const roomForName = 192
