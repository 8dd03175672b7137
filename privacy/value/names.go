package value

import (
	"keepmum/privacy/keyname"
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

func KeyStrength(name string) Strength { return keyname.Of(name) }

func WordsStrength(words []string, name string) Strength { return keyname.OfWords(words, name) }

func NameWords(name string, words []string) []string { return keyname.Words(name, words) }

func InList(word, list string) bool { return wordlist.In(word, list) }

func LowerASCII(s string) string { return wordlist.Lower(s) }
