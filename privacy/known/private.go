package known

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// maxPrivateWords limits the words of a line that counts as one value.
const maxPrivateWords = 4

// Private adds the values of a line that the user marked as private; they need not look like secrets.
func (h *Harvester) Private(line string) {
	words := strings.Fields(line)
	if len(line) <= 128 && len(words) <= maxPrivateWords {
		h.addSecret(strings.Trim(line, "\"'`,;.:! "))
	}
	if at := strings.IndexAny(line, "=:"); at > 0 && NameBefore(line[:at]) != "" {
		v := strings.Trim(line[at+1:], "\"'`=>,; ")
		if line[at] == '=' { // a sentence may go on: "keep code=heron99 for me"
			v, _, _ = strings.Cut(v, " ")
		}
		if !strings.ContainsAny(v, " \t") {
			h.addSecret(v)
		}
	}
	for _, w := range words {
		if w = strings.Trim(w, "\"'`.,;:!?()[]{}<>"); unusualWord(w) {
			h.addSecret(w)
		}
	}
}

// unusualWord reports whether a word among others is a value, because it is not a word of a language.
func unusualWord(w string) bool {
	n := value.CountKinds(w)
	letters := n.Lower + n.Upper
	switch {
	case passwordLike(w) || value.Random(w) || looksRandom(w):
		return true
	case n.Digits >= scan.MinSecret:
		return true
	case letters >= 10 && letters == len(w):
		return value.CrossEntropy(w) >= value.DrawnPiece && !value.CamelWords(w)
	}
	return strings.Count(w, "-") > 2
}
