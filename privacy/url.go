package privacy

import "strings"

// url takes the password out of scheme://user:password@host, and a lone token
// out of scheme://token@host.
func (s *scanner) url(end int) {
	if end < s.urlEnd {
		return
	}
	n := strings.IndexByte(s.text[end:min(len(s.text), end+maxAuthority)], '@')
	if n < 0 || strings.IndexByte(s.text[end:end+n], '\n') >= 0 {
		return // of another line
	}
	stop, at := s.authority(end)
	s.urlEnd = stop

	if at < 0 {
		return
	}
	user := s.text[end:at]
	colon := strings.IndexByte(user, ':')
	if colon < 0 {
		if len(user) >= 16 && (random(user) || hexKey(user)) {
			s.add(end, at, "url-password")
		}
		return
	}
	secret := user[colon+1:]
	if strings.HasSuffix(user[:colon], "[") {
		return // how an address is written: [user[:password]@]host
	}
	if len(secret) < 4 || secret == user[:colon] || exampleWord(secret) || templated(secret) || monotone(secret) || in(strings.ToLower(secret), urlExamples) || strings.ContainsAny(secret, "<>{}()") && !tangled(secret) {
		return
	}
	s.add(end+colon+1, at, "url-password")
}

// urlExamples are passwords of documentation.
const urlExamples = " password pass passwd pwd secret changeme xxx test user username mypassword passwort kennwort contrasena senha wachtwoord "

const maxAuthority = 512 // bytes of a link in which a password is looked for

// authority returns where an authority ends and where its last @ is. A
// password may hold a slash or an @ that should have been escaped.
func (s *scanner) authority(from int) (stop, at int) {
	at = -1
	slash := -1
	i := from
	for limit := min(len(s.text), from+maxAuthority); i < limit; i++ {
		c := s.text[i]
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\' || c == ')' && at < 0 && strings.IndexByte(s.text[from:i], ':') < 0 || c >= 0x80 && (slash >= 0 || at >= 0) {
			break
		}
		if c == '@' && (slash < 0 || at < 0 && strings.IndexByte(s.text[from:slash], ':') >= 0) && (at < 0 || slash < 0) {
			at = i
		}
		if (c == '/' || c == '?' || c == '#') && slash < 0 {
			slash = i
		}
	}
	if at >= 0 && slash >= 0 && slash < at && !s.slashedPassword(from, slash, at) {
		at = -1
	}
	return i, at
}

// slashedPassword tells "user:pa/ss@host" from "host:80/path@version".
func (s *scanner) slashedPassword(from, slash, at int) bool {
	colon := strings.IndexByte(s.text[from:slash], ':')
	if colon < 0 {
		return false
	}
	head, all := s.text[from+colon+1:slash], s.text[from+colon+1:at]
	odd := s.text[slash] != '/' && mixed(all) && strings.IndexByte(all, '/') < 0
	return (head == "" || countKinds(head).digits < len(head)) && (odd || random(all))
}
