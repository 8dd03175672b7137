// Package keyname answers one question: how surely does the name of a value mean that the value is a secret?
// DB_PASSWORD does, primaryKey does not. The words are in names.txt.
package keyname

import (
	"slices"
	"strings"

	"keepmum/privacy/wordlist"
)

// Strength says how surely a name makes its value a secret.
type Strength uint8

const (
	NotSecret Strength = iota
	Weak               // secret if the value looks random
	Token              // secret if the value does not look like words
	Password           // chosen by people: secret whatever it looks like
)

// MaxWords is how many words of a name fit without allocating.
const MaxWords = 8

// Words splits a name into lower-case words and appends them to words.
func Words(name string, words []string) []string {
	low := wordlist.Lower(name)
	from := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c|0x20 < 'a' || c|0x20 > 'z':
			if i > from {
				words = append(words, low[from:i])
			}
			from = i + 1
		case i > from && c <= 'Z' && startsWord(name, i):
			words = append(words, low[from:i])
			from = i
		}
	}
	if from < len(name) {
		words = append(words, low[from:])
	}
	return words
}

// startsWord reports whether a capital starts a word: it follows a small letter, or one follows it.
func startsWord(name string, i int) bool {
	return name[i-1] >= 'a' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
}

// Of returns the strength of a name; its last words decide.
func Of(name string) Strength {
	if len(name) > 128 {
		name = name[len(name)-128:]
	}
	var room [MaxWords]string
	return OfWords(Words(name, room[:0]), name)
}

// OfWords is [Of] for a name that is already split.
func OfWords(words []string, name string) Strength {
	if len(words) == 0 {
		return NotSecret
	}
	words = deciding(words)
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case last == "key" && ofNetwork(words):
		return Password
	case before != "" && wordlist.In(last, " sha md "):
		return ofDigest(words[:len(words)-1], name)
	case foreignKey(words):
		return Token
	case before == "key" && last == "id" && !slices.Contains(words, "access"):
		return NotSecret
	}
	if k := wordStrength(last, before); k != NotSecret || len(last) > 2 {
		return k
	}
	return spelled(name)
}

// deciding returns the words of a name without those that may follow the one that says what its value is.
func deciding(words []string) []string {
	for strip := 0; strip < 3 && len(words) > 1 && names().ignored[words[len(words)-1]]; strip++ {
		words = words[:len(words)-1]
	}
	return words
}

// ofNetwork reports whether a key is the password of a wireless network; OpenWrt's settings start with "wireless".
func ofNetwork(words []string) bool {
	n := len(words)
	switch {
	case n > 2 && (words[0] == "wireless" || words[n-3] == "pre" && words[n-2] == "shared"):
		return true
	case n > 1:
		return wordlist.In(words[n-2], " wlan wifi wpa wep preshared ")
	}
	return false
}

// ofDigest returns the strength of the name of a digest: the digest of a password is like a token, because the password
// can be guessed from it.
func ofDigest(words []string, name string) Strength {
	if n := len(words); n > 1 && words[n-1] == "double" {
		words = words[:n-1]
	}
	if OfWords(words, name) == Password {
		return Token
	}
	return NotSecret
}

// foreignKey reports whether a name speaks of the key of an API in another language: "chave api".
func foreignKey(words []string) bool {
	for i, w := range words[1:] {
		if w == "api" && wordlist.In(words[i], " chiave chave clave llave cle klucz schluessel nyckel sleutel ") {
			return true
		}
	}
	return false
}

// wordStrength returns the strength of a last word, given the word before it.
func wordStrength(last, before string) Strength {
	if last != "pass" {
		last = strings.TrimSuffix(last, "s")
	}
	for _, r := range names().rules[last] {
		if r.after == nil || r.after[before] || r.after["*"] && before != "" {
			return r.strength
		}
	}
	return joinedStrength(last)
}

// spelled handles a name whose capitals hide its words, such as "secretKEy".
func spelled(name string) Strength {
	low := strings.ToLower(name)
	return joinedStrength(low[strings.LastIndexAny(low, "_-.")+1:])
}

// joinedStrength handles names written as one word.
func joinedStrength(last string) Strength {
	switch {
	case last == "" || strings.IndexByte("detnylswk", last[len(last)-1]) < 0:
		return NotSecret // this is the last letter of none of the endings below
	case endsIn(last, passwordEnds), joinedPass(last):
		return Password
	case endsIn(last, tokenEnds):
		return Token
	case strings.HasSuffix(last, "key") && len(last) > len("mykey") && !wordlist.In(last, otherKeys):
		return Weak
	}
	return NotSecret
}

// passwordEnds and tokenEnds are the endings of names that are written as one word.
var (
	passwordEnds = []string{"password", "passwd", "passphrase", "passwort", "kennwort", "wachtwoord"}
	tokenEnds    = []string{"secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey",
		"masterkey", "encryptionkey", "sharedkey", "accountkey", "licensekey", "appkey", "clientkey", "servicekey",
		"storagekey", "credential", "authtok"}
)

func endsIn(word string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// otherKeys are words that end in "key" and mean no secret.
const otherKeys = " hotkey monkey turkey donkey jockey hockey whiskey pubkey publickey sitekey primarykey foreignkey " +
	"cachekey sortkey objectkey mapkey "

// joinedPas are the words in "pass" that mean a password, without their last letter.
const joinedPas = " privpas encpas storepas keypas dbpas userpas mysqlpas rootpas adminpas sshpas ftppas smtppas " +
	"mailpas loginpas authpas httppas bindpas srcstorepas deststorepas truststorepas becomepas vaultpas mypas " +
	"thepas ourpas newpas oldpas wifipas "

// joinedPass reports whether a word, in the singular, ends in a short form of "password". Of those in "pass", which
// then has lost its last letter, only some do: bypass and compass do not.
func joinedPass(word string) bool {
	if len(word) <= len("pwd") {
		return false
	}
	if strings.HasSuffix(word, "pwd") || strings.HasSuffix(word, "pw") && len(word) < 9 {
		return true
	}
	return strings.HasSuffix(word, "pas") && wordlist.In(word, joinedPas)
}
