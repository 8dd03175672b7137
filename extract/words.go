package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a text, as a position.
type token struct {
	lower      string
	start, end int
	quiet      bool // in a quotation or in code, so not the speaker's own word
	code       bool // an identifier
}

const maxWord = 80 // bytes; anything longer is not a word

// tokenize splits s into words. An apostrophe or a dot inside belongs to the word, a hyphen does not; text in
// backquotes is one word.
func tokenize(s string) []token {
	const usual = 6 // average bytes of a word and its space
	out := make([]token, 0, len(s)/usual+1)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '`':
			end := closing(s, i)
			if end > i+1 {
				out = append(out, token{lower: lowered(s[i+1 : end]), start: i, end: end + 1, quiet: true, code: true})
				i = end
			}
			i++
		case wordRune(r):
			end := wordEnd(s, i)
			out = append(out, newToken(s, i, end))
			i = end
		default:
			i += n
		}
	}
	return out
}

// closing returns the position of the backquote that closes the one at i, on the same line.
func closing(s string, i int) int {
	for j := i + 1; j < len(s) && s[j] != '\n'; j++ {
		if s[j] == '`' {
			return j
		}
	}
	return -1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// wordEnd includes characters that join the parts of an identifier, a path or a contraction, if a letter or digit
// follows.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			next, _ := utf8.DecodeRuneInString(s[i+n:])
			if !strings.ContainsRune("'’./:@", r) || !wordRune(next) || (r == ':' && !unicode.IsDigit(next)) {
				return i
			}
		}
		i += n
	}
	return i
}

func newToken(s string, start, end int) token {
	text := s[start:end]
	if len(text) > maxWord {
		return token{start: start, end: end, quiet: true}
	}
	return token{lower: lowered(text), start: start, end: end, code: looksLikeCode(text)}
}

// lowered converts to lower case and unifies apostrophes.
func lowered(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "’", "'")
}

// looksLikeCode recognises names of files, functions and settings.
func looksLikeCode(s string) bool {
	inner, letters := false, false
	for i, r := range s {
		upper := i > 0 && unicode.IsUpper(r)
		inner = inner || upper || unicode.IsDigit(r) || strings.ContainsRune("._/:@", r)
		letters = letters || unicode.IsLetter(r)
	}
	return letters && inner
}
