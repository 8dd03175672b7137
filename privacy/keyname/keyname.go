// Package keyname answers one question: how surely does the name of a value mean that the value is a secret?
// DB_PASSWORD does, primaryKey does not.
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
		case i > from && c <= 'Z' && (name[i-1] >= 'a' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'):
			words = append(words, low[from:i])
			from = i
		}
	}
	if from < len(name) {
		words = append(words, low[from:])
	}
	return words
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
	for strip := 0; strip < 3 && len(words) > 1 && qualifies(words[len(words)-1]); strip++ {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return NotSecret
	}
	if n := len(words); n > 1 && words[n-1] == "key" && (wordlist.In(words[n-2], " wlan wifi wpa wep preshared ") || n > 2 && words[n-2] == "shared" && words[n-3] == "pre") {
		return Password
	}
	if words[0] == "wireless" && len(words) > 2 && words[len(words)-1] == "key" {
		return Password // password of a wireless network in OpenWrt's settings
	}
	if n := len(words); n > 1 && wordlist.In(words[n-1], " sha md ") {
		if words = words[:n-1]; n > 2 && words[n-2] == "double" {
			words = words[:n-2]
		}
		if OfWords(words, name) == Password {
			return Token // "salt" in other contexts is not a cryptographic salt
		}
		return NotSecret
	}
	for i, w := range words[1:] {
		if w == "api" && wordlist.In(words[i], " chiave chave clave llave cle klucz schluessel nyckel sleutel ") {
			return Token
		}
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	if last == "id" && before == "key" && !slices.Contains(words, "access") {
		return NotSecret
	}
	if k := wordStrength(last, before, len(words) > 1); k != NotSecret || len(last) > 2 {
		return k
	}
	return spelled(name)
}

func wordStrength(last, before string, compound bool) Strength {
	if last != "pass" {
		last = strings.TrimSuffix(last, "s")
	}
	switch last {
	case "password", "passwd", "paswd", "pswd", "passwort", "pwd", "passphrase", "passcode", "psw", "pword", "pas", "requirepas", "masterauth", "clave", "mdp", "haslo", "heslo", "parola", "contrasena", "pgpassword", "psk", "kennwort", "wachtwoord", "senha":
		return Password
	case "pass", "pw":
		if wordlist.In(before, " proxy fastcgi uwsgi by render two multi first second third last next final debug single shader compiler optimization to kee last ") {
			return NotSecret
		}
		if !compound && last == "pass" {
			return Token // "PASS: TestX", "pass 2"
		}
		return Password
	case "passe", "word", "phrase":
		if last == "passe" && before == "de" || last != "passe" && wordlist.In(before, " pass secret ") {
			return Password
		}
		return NotSecret
	case "key":
		return keyKind(before)
	case "token":
		if wordlist.In(before, " page next prev previous continuation cursor sync resume start end max min num count total input output prompt completion special cancel stop pad eos bos unk sep cls mask bad ") {
			return NotSecret
		}
		return Token
	case "secret":
		if wordlist.In(before, " client session jwt app auth cookie shared webhook signing api consumer nextauth credential ") {
			return Password // people make these up too
		}
		if before == "hashed" {
			return NotSecret
		}
		return Token
	case "credential", "cred", "apikey", "totp", "pat", "seed", "mnemonic", "pepper", "salt":
		return rarely(last, before, compound)
	case "id":
		if before == "key" || before == "secret" {
			return Token
		}
		if wordlist.In(before, " session sess sid webhook hook app ") {
			return Weak
		}
		return NotSecret
	case "auth", "authorization", "bearer", "private", "session", "sess", "sessionid", "jsessionid", "phpsessid", "sid", "cookie", "jwt", "signature", "api", "access", "login", "license", "licence", "hmac", "webhook", "appid":
		return Weak
	}
	if k := foreign(last, before, compound); k != NotSecret {
		return k
	}
	return joinedStrength(last)
}

// foreign handles words of other languages.
func foreign(last, before string, compound bool) Strength {
	switch last {
	case "motdepasse", "jelszo", "salasana", "losenord", "adgangskode", "kodeord", "sifre", "geslo", "lozinka", "parool", "slaptazodi":
		return Password
	case "segreta", "segreto", "secreta", "secreto", "secrete", "geheim", "geheimni", "hemlig":
		if wordlist.In(before, " chiave chave clave llave cle klucz schluessel nyckel sleutel codice ") {
			return Token
		}
	case "chiave", "chave", "llave", "klucz", "schluessel", "nyckel", "sleutel":
		if compound {
			return Weak
		}
	}
	return NotSecret
}

// rarely handles words that mean a secret only in some names.
func rarely(last, before string, compound bool) Strength {
	switch {
	case last == "salt" && !wordlist.In(before, " hash nonce auth in "):
		return NotSecret
	case last == "pat" && !compound, last == "seed" && !wordlist.In(before, " wallet hd master recovery nats nkey "):
		return Weak
	}
	return Token
}

// spelled handles a name whose capitals hide its words, such as "secretKEy".
func spelled(name string) Strength {
	low := strings.ToLower(name)
	if i := strings.LastIndexAny(low, "_-."); i >= 0 {
		low = low[i+1:]
	}
	return joinedStrength(low)
}

// keyKind handles "<before> key".
func keyKind(before string) Strength {
	switch before {
	case "network", "unseal", "local", "api", "access", "secret", "private", "priv", "signing", "sign", "encryption", "encrypt",
		"enc", "decryption", "crypto", "cipher", "master", "auth", "account", "service", "shared", "deploy", "license",
		"licence", "storage", "app", "application", "admin", "session", "hmac", "jwt", "aes", "rsa", "webhook",
		"client", "consumer", "subscription", "integration", "developer", "dev", "rest", "root", "vault", "recovery",
		"security", "authentication", "wallet":
		return Token
	case "site", "recv", "receive", "public", "pub", "primary", "foreign", "sort", "partition", "cache", "object",
		"index", "map", "hash", "group", "range", "dict", "config", "lookup", "search", "idempotency", "natural",
		"unique", "composite", "candidate", "super", "row", "column", "field", "sub", "item", "data", "duplicate",
		"peer", "crashreporter", "registry", "hot", "tab", "arrow", "function", "press", "left", "right", "up", "down",
		"escape", "enter", "host", "known", "kernel":
		return NotSecret
	}
	return Weak
}

// joinedStrength handles names written as one word.
func joinedStrength(last string) Strength {
	if misspelt(last) {
		return Password
	}
	if last == "" || strings.IndexByte("detnylswk", last[len(last)-1]) < 0 {
		return NotSecret
	}
	for _, end := range []string{"password", "passwd", "passphrase", "passwort", "kennwort", "wachtwoord"} {
		if strings.HasSuffix(last, end) {
			return Password
		}
	}
	if strings.IndexByte("sw", last[len(last)-1]) >= 0 && wordlist.In(last, joinedPasses) || strings.HasSuffix(last, "pwd") && len(last) > 3 || strings.HasSuffix(last, "pas") && wordlist.In(last, " mypas thepas ourpas newpas oldpas rootpas wifipas ") || strings.HasSuffix(last, "pw") && len(last) > 3 && len(last) < 9 {
		return Password
	}
	for _, end := range []string{"secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey", "masterkey", "encryptionkey", "sharedkey", "accountkey", "licensekey", "appkey", "clientkey", "servicekey", "storagekey", "credential", "authtok"} {
		if strings.HasSuffix(last, end) {
			return Token
		}
	}
	if strings.HasSuffix(last, "key") && len(last) > 5 && !wordlist.In(last, " hotkey monkey turkey donkey jockey hockey whiskey pubkey publickey sitekey primarykey foreignkey cachekey sortkey objectkey mapkey ") {
		return Weak
	}
	return NotSecret
}

// joinedPasses are one-word names for passwords; others that end alike (bypass, compass) are not.
const joinedPasses = " privpas encpas storepas keypas dbpas userpas mysqlpas rootpas adminpas sshpas ftppas smtppas mailpas loginpas authpas httppas bindpas srcstorepas deststorepas truststorepas becomepas vaultpas dbpw userpw rootpw adminpw "

// qualifies reports whether a word may follow the one that says what a value is.
func qualifies(word string) bool {
	switch word {
	case "confirm", "confirmation", "repeat", "again", "verify", "bd", "bdd", "value", "val", "string", "str", "plain",
		"plaintext", "text", "raw", "base", "base64", "b64", "b", "prod", "production", "dev", "development",
		"staging", "stage", "test", "testing", "live", "default", "env", "environment", "old", "new", "current",
		"prev", "previous", "backup", "root", "admin", "user", "db", "database", "master", "main", "primary",
		"secondary", "var", "data", "hex", "encoded", "one", "two", "a", "mysql", "postgres", "redis", "smtp", "ftp",
		"internal", "external", "local", "remote", "global":
		return true
	}
	return false
}

// misspelt reports whether a word is one typing error away from "password" or "passwort".
func misspelt(word string) bool {
	if len(word) < 7 || len(word) > 9 || strings.IndexByte(word, 'w') < 0 || word[0] != 'p' && word[1] != 'p' {
		return false
	}
	return oneSlip(word, "password") || oneSlip(word, "passwort")
}

// oneSlip reports whether one letter is missing, added, wrong, or swapped with the next.
func oneSlip(word, right string) bool {
	from := 0
	for from < min(len(word), len(right)) && word[from] == right[from] {
		from++
	}
	a, b := word[from:], right[from:]
	switch {
	case len(a)+1 == len(b):
		return a == b[1:]
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(a) != len(b) || a == "":
		return false
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
