// Package wordlist compares words with lists that are written as one string, the
// words between blanks: " red green blue ". It is asked of nearly every line that
// passes the gate, and allocates next to nothing.
package wordlist

import "strings"

// In reports whether a list has a word.
func In(word, list string) bool {
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

// Lower is strings.ToLower for names: every byte stays where it is.
func Lower(s string) string {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			continue
		}
		var room [192]byte // for what is short, there is no need to allocate it twice
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
