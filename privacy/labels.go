package privacy

import (
	"strings"
	"unicode"
)

// label reports whether the value of a name is what people read beside a field,
// as the files of translations say it.
func (s *scanner) label(n *called, a assignment) bool {
	if a.sep != equals && a.sep != colon {
		return false
	}
	v := s.text[a.start:min(a.end, a.start+maxLabel)]
	if n.strength < passwordKey && distantLetters(v) || wording(v) && confirms(n.words) {
		return true
	}
	if !a.quoted {
		v, _, _ = strings.Cut(s.text[a.start:min(len(s.text), a.start+maxLabel)], "\n")
	}
	return labelPhrase(v)
}

const maxLabel = 64 // bytes of a label

// distantLetters reports whether a value has letters, and none of them is of
// ASCII: no machine draws such a token.
func distantLetters(v string) bool {
	for i := range len(v) {
		if wordByte(v[i]) {
			return false
		}
	}
	return v != "" && v[0] >= 0xC3
}

// confirms reports whether a name is that of the second field for a new password.
func confirms(words []string) bool {
	for _, w := range words {
		if in(w, " confirm confirmation retype ") {
			return true
		}
	}
	return false
}

// wording reports whether a value is one word, written as labels are.
func wording(v string) bool {
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

// labelPhrase reports whether a value is a few words one of which says "password"
// or the like: "Aktuelles Passwort".
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
		said = said || labelWord(w) || namesPassword(w) && keyStrength(w) == passwordKey
	}
	return said && words <= most
}

// labelWord reports whether a value is one word that says "password", "token",
// "secret", "key" or "code" in a language of Latin letters, as the files of
// translations do; the word may have an ending.
func labelWord(v string) bool {
	const ending = 4 // letters
	word := strings.TrimRight(v, ":*?!. ")
	if len(word) < 4 || len(word) > 24 || strings.ContainsAny(word, " 0123456789_-./:@#$%&=+") {
		return false
	}
	low := strings.ToLower(word)
	if low[1:] != word[1:] && strings.ToUpper(word) != word {
		return false // no label has a capital inside
	}
	for stem := range strings.SplitSeq(labelStems(low[0]), " ") {
		if len(stem) > 3 && strings.HasPrefix(low, stem) && len(low)-len(stem) <= ending {
			return true
		}
	}
	return false
}

// labelStems are how those words begin, by their first byte.
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
