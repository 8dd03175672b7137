package privacy

import (
	"keepmum/privacy/keyname"
	"keepmum/privacy/wordlist"
)

// The detectors ask these of nearly every line, so they have short names here.

type strength = keyname.Strength

const (
	notSecret   = keyname.NotSecret
	weakKey     = keyname.Weak
	tokenKey    = keyname.Token
	passwordKey = keyname.Password

	maxWords = keyname.MaxWords
)

func keyStrength(name string) strength { return keyname.Of(name) }

func wordsStrength(words []string, name string) strength { return keyname.OfWords(words, name) }

func nameWords(name string, words []string) []string { return keyname.Words(name, words) }

func in(word, list string) bool { return wordlist.In(word, list) }

func lowerASCII(s string) string { return wordlist.Lower(s) }
