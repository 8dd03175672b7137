// Package wordlist looks up words in lists that are written as one string, with spaces between the words: " red green
// blue ". It is called for nearly every line that passes the gate, so it allocates almost nothing.
package wordlist

import "strings"

// In reports whether a list contains a word.
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

// Read returns the lists in a text by their names: a line "= name" starts one, # a comment.
func Read(text string) map[string]string {
	lists, name := map[string]string{}, ""
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "=":
			name = words[1]
			lists[name] = " "
		default:
			lists[name] += strings.Join(words, " ") + " "
		}
	}
	return lists
}

// Lower is strings.ToLower for names: every byte keeps its position.
func Lower(s string) string {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			continue
		}
		var room [192]byte // avoids allocating short words twice
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
