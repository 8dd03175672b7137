package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// maxLooks limits how many lines of one text are read this way; only a flood has more.
const maxLooks = 200

// look reports whether one more line may be read, and counts its cost.
func look(s *scan.Scanner, cost int) bool {
	s.Looks += cost
	return s.Looks <= maxLooks
}

// startsWord reports whether the last n bytes of a line start a word, rather than end a longer one.
func startsWord(line string, n int) bool {
	at := len(line) - n
	return at == 0 || !value.WordByte(line[at]) || !value.WordByte(line[at-1])
}

// operandSecret reports whether a word in a secret's position is a secret and not a placeholder from a manual. In a
// sentence about the command, another word follows.
func operandSecret(v string, last bool) bool {
	low := value.LowerASCII(v)
	switch {
	case len(v) < 4 || len(v) > 128 || value.Placeholder(v) || strings.IndexByte("-$<[{%*`(", v[0]) >= 0:
		return false
	case strings.IndexByte(v, ' ') >= 0:
		return phraseOperand(low)
	case !value.PlainWords(v):
		return !strings.ContainsAny(v, "<>")
	case strings.Contains(low, "pass") || strings.Contains(low, "secret"):
		return false
	case strings.ToUpper(v) == v:
		return len(v) >= 16 && strings.Trim(v, value.Capitals) == ""
	}
	return last && len(v) >= 6 && !ofSentence(v, low) && (judge.RareWords(v) || value.PunctuatedPassword(v))
}

// ofSentence reports whether a word is one of those in sentences about passwords.
func ofSentence(v, low string) bool {
	return value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.Examples) ||
		value.LabelWord(v)
}

// phraseOperand reports whether quoted words are a passphrase.
func phraseOperand(low string) bool {
	words := 0
	for word := range strings.FieldsSeq(low) {
		if value.StopWords[word] || value.InList(word, value.Examples) {
			return false
		}
		words++
	}
	return words > 1 && words <= 10
}
