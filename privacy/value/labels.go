package value

import (
	"strings"
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
	if low[1:] != word[1:] && strings.ToUpper(word) != word {
		return false // no label has a capital inside a word
	}
	for stem := range strings.SplitSeq(labelStems(low[0]), " ") {
		if len(stem) > 3 && strings.HasPrefix(low, stem) && len(low)-len(stem) <= ending {
			return true
		}
	}
	return false
}

// labelStems returns the stems of these words with a given first byte.
func labelStems(first byte) string {
	switch first {
	case 'a':
		return "adgangskod anahtar avain adgangsnøg atslēg"
	case 'b':
		return "belirteç"
	case 'c':
		return "contraseñ contrasen contrasinal clave cheie chiave"
	case 'f':
		return "fjalëkalim focalfaire facalfair"
	case 'g':
		return "geheim geslo gesla gizli"
	case 'h':
		return "heslo hesla hasło hasła haslo hemlighet hemmelighe"
	case 'j':
		return "jelsz jeton"
	case 'k':
		return "kodeord kennwort kennwört klucz klíč kľúč kulcs ključ"
	case 'l':
		return "lösenord lozink lykilorð losenord"
	case 'm':
		return "motdepasse"
	case 'n':
		return "nyckel nøgle nøkkel nenosiri noslēpum"
	case 'p':
		return "passord passwort passwört parol parool pasahitz pasvort passphras paslapt parolă parolă"
	case 'r':
		return "rahasia raktas"
	case 's':
		return "salasan salasõn slaptaž senha sandi segredo segreto secreto skrivnost salaisuu sekret saladus schlüssel sleutel sifre"
	case 't':
		return "titok titk tajn tajomstv tajemstv"
	case 'w':
		return "wachtwoord wagwoord"
	case 'z':
		return "zaporka zaporke"
	case 0xc5: // Ş, ş, ż
		return "şifr żeton"
	}
	return ""
}
