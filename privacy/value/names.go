package value

import (
	"strings"

	"keepmum/privacy/keyname"
	"keepmum/privacy/languages"
	"keepmum/privacy/wordlist"
)

// Short names for functions that the detectors call for nearly every line.

type Strength = keyname.Strength

const (
	NotSecret   = keyname.NotSecret
	WeakKey     = keyname.Weak
	TokenKey    = keyname.Token
	PasswordKey = keyname.Password

	MaxWords = keyname.MaxWords
)

// KeyStrength returns the strength of a name in any alphabet.
func KeyStrength(name string) Strength {
	if k := keyname.Of(name); k != NotSecret || strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 }) < 0 {
		return k
	}
	low := strings.ToLower(name)
	switch {
	case len(low) > longestForeignName:
		return NotSecret
	case containsWord(low, "password"):
		return PasswordKey
	case containsWord(low, "key"), containsWord(low, "name"):
		return TokenKey
	}
	return NotSecret
}

// longestForeignName limits the names in other alphabets, in bytes: a longer one is a sentence.
const longestForeignName = 64

// containsWord reports whether a text has a word of some kind of languages.txt; short ones could be in it by chance.
func containsWord(low, kind string) bool {
	const least = 6 // bytes; two letters of Chinese, three of Russian
	for _, w := range languages.ByKind()[kind] {
		if len(w) >= least && strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func WordsStrength(words []string, name string) Strength { return keyname.OfWords(words, name) }

func NameWords(name string, words []string) []string { return keyname.Words(name, words) }

func InList(word, list string) bool { return wordlist.In(word, list) }

func LowerASCII(s string) string { return wordlist.Lower(s) }
