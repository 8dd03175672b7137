package judge

import (
	"strings"
	"unicode"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Label reports whether the value of a name is a label that people read next to a field, as in translation files.
func Label(s *scan.Scanner, n *scan.Called, a Assignment) bool {
	if a.Sep != Equals && a.Sep != Colon {
		return false
	}
	v := s.Text[a.Start:min(a.End, a.Start+maxLabel)]
	if n.Strength < value.PasswordKey && (nonASCIILetters(v) || mostlyNonLatin(v)) || labelCase(v) && confirms(n.Words) {
		return true
	}
	if !a.Quoted {
		v, _, _ = strings.Cut(s.Text[a.Start:min(len(s.Text), a.Start+maxLabel)], "\n")
	}
	return labelPhrase(v)
}

const maxLabel = 64 // bytes of a label

// mostlyNonLatin reports whether a value is letters, most of them from alphabets beyond ASCII: no generator writes such
// a token.
func mostlyNonLatin(v string) bool {
	plain, distant := 0, 0
	for _, c := range v {
		switch {
		case c >= 0x80 && !unicode.Is(unicode.Latin, c):
			distant++
		case unicode.IsLetter(c):
			plain++
		default:
			return false
		}
	}
	return distant > plain
}

// nonASCIILetters reports whether a value has letters, and none of them is ASCII: no generator writes such a token.
func nonASCIILetters(v string) bool {
	for i := range len(v) {
		if value.WordByte(v[i]) {
			return false
		}
	}
	return v != "" && v[0] >= 0xC3
}

// confirms reports whether a name belongs to the second field for a new password.
func confirms(words []string) bool {
	for _, w := range words {
		if value.InList(w, " confirm confirmation retype ") {
			return true
		}
	}
	return false
}

// labelCase reports whether a value is one word, written like a label.
func labelCase(v string) bool {
	small := 0
	for i, c := range v {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsMark(c), i > 0 && unicode.IsUpper(c):
			return false
		case i == 0 && unicode.IsLower(c):
			return false
		}
		small++
	}
	return small > 1
}

// labelPhrase reports whether a value is a few words, one of which is "password" or similar: "Aktuelles Passwort".
func labelPhrase(v string) bool {
	const most = 5 // words
	if strings.IndexByte(v, ' ') < 0 {
		return false
	}
	words, said := 0, false
	for w := range strings.FieldsSeq(v) {
		for _, c := range w {
			if !unicode.IsLetter(c) && !unicode.IsMark(c) {
				return false
			}
		}
		words++
		said = said || value.LabelWord(w) || NamesPassword(w) && value.KeyStrength(w) == value.PasswordKey
	}
	return said && words <= most
}
