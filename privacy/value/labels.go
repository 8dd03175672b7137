package value

import (
	"strings"
	"unicode/utf8"
)

// LabelWord reports whether a value is one word for "password", "token", "secret", "key" or "code" in a language with
// Latin letters, as in translation files. The word may have an ending.
func LabelWord(v string) bool {
	const ending = 4 // letters
	word := strings.TrimRight(v, ":*?!. ")
	if len(word) < 4 || len(word) > 24 || strings.ContainsAny(word, " 0123456789_-./:@#$%&=+") {
		return false
	}
	low := strings.ToLower(word)
	_, first := utf8.DecodeRuneInString(word)
	_, lowFirst := utf8.DecodeRuneInString(low)
	if low[lowFirst:] != word[first:] && strings.ToUpper(word) != word {
		return false // no label has a capital inside a word
	}
	for stem := range strings.SplitSeq(labelStems[low[0]], " ") {
		if len(stem) > 3 && strings.HasPrefix(low, stem) && len(low)-len(stem) <= ending {
			return true
		}
	}
	return false
}

// labelStems are the stems of these words by their first byte.
var labelStems = [256]string{
	'a': "adgangskod anahtar avain adgangsnøg atslēg",
	'b': "belirteç",
	'c': "contraseñ contrasen contrasinal clave cheie chiave",
	'f': "fjalëkalim focalfaire facalfair",
	'g': "geheim geslo gesla gizli",
	'h': "heslo hesla hasło hasła haslo hemlighet hemmelighe",
	'j': "jelsz jeton",
	'k': "kodeord kennwort kennwört klucz klíč kľúč kulcs ključ",
	'l': "lösenord lozink lykilorð losenord",
	'm': "motdepasse",
	'n': "nyckel nøgle nøkkel nenosiri noslēpum",
	'p': "passord passwort passwört parol parool pasahitz pasvort passphras paslapt parolă parolă",
	'r': "rahasia raktas",
	's': "salasan salasõn slaptaž senha sandi segredo segreto secreto skrivnost salaisuu sekret saladus " +
		"schlüssel sleutel sifre",
	't':  "titok titk tajn tajomstv tajemstv",
	'w':  "wachtwoord wagwoord",
	'z':  "zaporka zaporke",
	0xc5: "şifr żeton", // Ş, ş, ż
}
