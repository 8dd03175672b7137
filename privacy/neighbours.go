package privacy

import "strings"

const maxAlike = 16 // values of one name

// alike redacts the values that share the name with the first: the new one of
// a planned change, the others of a list.
func (s *scanner) alike(a assignment, rule string) {
	quote := byte(0)
	if a.end < len(s.text) {
		quote = s.text[a.end]
	}
	if quote != '"' && quote != '\'' {
		return
	}
	list := a.start > 1 && s.text[a.start-2] == '['
	for end, n := a.end, 0; n < maxAlike; n++ {
		i := blanks(s.text, end+1)
		switch {
		case strings.HasPrefix(s.text[i:], "-> ") || strings.HasPrefix(s.text[i:], "=> "):
			i = blanks(s.text, i+3)
		case list && i < len(s.text) && s.text[i] == ',':
			for i++; i < len(s.text) && isSpace(s.text[i]) && i-end < 64; i++ {
			}
		default:
			return
		}
		if i >= len(s.text) || s.text[i] != quote {
			return
		}
		end = closing(s.text, i+1, quote, 0, maxJudged)
		if v := s.text[i+1 : end]; len(v) >= 4 && !dummy(v) {
			s.add(i+1, end, rule)
		}
	}
}

// hasAccount reports whether an account is named shortly before a name, which
// its password then follows.
func (s *scanner) hasAccount(at int) bool {
	for i := max(0, at-80); i < at; i++ {
		switch s.text[i] | 0x20 {
		case 'u':
			if beginsFold(s.text[i:at], "user") {
				return true
			}
		case 'l':
			if beginsFold(s.text[i:at], "login") {
				return true
			}
		case '@' | 0x20:
			if s.text[i] == '@' {
				return true
			}
		}
	}
	return false
}

// accountName returns the length of the name of NAME:PASSWORD, with the colon.
func accountName(v string) int {
	if i := strings.IndexByte(v, ':'); i > 0 && wordLike(v[:i]) && len(v)-i > 4 && v[i+1] != '/' {
		return i + 1
	}
	return 0
}

// namesPassword is a quick look for names that can be those of passwords.
func namesPassword(name string) bool {
	for i := range len(name) {
		rest, found := name[i:], false
		switch rest[0] | 0x20 {
		case 'p':
			found = beginsFold(rest, "pas") || beginsFold(rest, "pw") || beginsFold(rest, "psk")
		case 's':
			found = beginsFold(rest, "senha")
		case 'w':
			found = beginsFold(rest, "wort") || beginsFold(rest, "woord")
		case 'c':
			found = beginsFold(rest, "clave")
		}
		if found {
			return true
		}
	}
	return false
}
