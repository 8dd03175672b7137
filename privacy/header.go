package privacy

import "strings"

// header redacts the credential of an HTTP header.
func (s *scanner) header(end int) {
	if end <= s.headerEnd {
		return
	}
	_, to := nameAt(s.text, end)
	i := blanks(s.text, closers(s.text, to))
	if i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' && s.text[i] != ',' {
		return
	}
	if strings.HasPrefix(s.text[i:], "==") {
		return
	}
	if strings.HasPrefix(s.text[i:], "=>") {
		i++
	}
	i = blanks(s.text, i+1)
	for i < len(s.text) && strings.IndexByte("\"'`\\[(b", s.text[i]) >= 0 && i < end+48 {
		i++
	}
	line := s.text[i:min(len(s.text), i+maxValue)]
	if stop := strings.IndexAny(line, "\r\n\"'`"); stop >= 0 {
		line = line[:stop]
	}
	s.headerEnd = i + len(line)
	line = strings.TrimRight(line, "\\ ,)")
	if strings.HasSuffix(strings.ToLower(s.text[:end][max(0, end-6):]), "cookie") {
		s.cookies(i, line)
		return
	}
	scheme, rest, two := strings.Cut(line, " ")
	if !two {
		if name := lowerASCII(s.text[max(0, end-len("authorization")):end]); name == "authorization" && (typedByHand(line) || chosen(line)) {
			s.add(i, i+len(line), "http-credential")
		}
		return // one word: the name decides
	}
	if !in(strings.ToLower(scheme), " bearer basic token apikey bot digest key negotiate aws4-hmac-sha256 ") {
		if ownScheme(scheme, rest) {
			s.add(i+len(scheme)+1, i+len(line), "http-credential")
		}
		return
	}
	skipped := 0
	if user, password, ok := strings.Cut(rest, " "); ok && strings.EqualFold(scheme, "basic") && !strings.Contains(password, " ") {
		skipped, rest = len(user)+1, password // as the files of HTTP clients write it
	}
	if c := strings.IndexAny(rest, " ,;"); c >= 0 {
		rest = rest[:c]
	}
	if strings.HasSuffix(rest, "=") && plainWords(rest[:len(rest)-1]) {
		return // Digest username="…"
	}
	if len(rest) >= 6 && !dummy(rest) && !codeLike(rest) && (!plainWords(rest) || len(rest) >= 20) {
		at := i + len(scheme) + 1 + skipped
		s.add(at, at+len(rest), "http-credential")
	}
}

// ownScheme reports whether a vendor's own scheme stands before a credential: it is
// written as a name, and what follows it can only be drawn.
func ownScheme(scheme, rest string) bool {
	if len(scheme) < 3 || len(scheme) > 32 || strings.Trim(scheme, letters+"0123456789-_") != "" || lowerASCII(scheme) == scheme && keyStrength(scheme) == notSecret || len(rest) < 16 || strings.IndexByte(rest, ' ') >= 0 {
		return false
	}
	return uuidLike(rest) || hexKey(rest) || random(rest) || keyStrength(scheme) >= weakKey && (chosen(rest) || handWritten(rest))
}

// cookies redacts the values of cookies, not the attributes.
func (s *scanner) cookies(at int, line string) {
	for _, pair := range strings.SplitAfter(line, ";") {
		name, value, ok := strings.Cut(strings.TrimSuffix(pair, ";"), "=")
		if ok && len(value) >= 6 && !dummy(value) && !codeLike(value) && cookieSecret(strings.TrimSpace(name), value) {
			s.add(at+len(name)+1, at+len(name)+1+len(value), "http-credential")
		}
		at += len(pair)
	}
}

func cookieSecret(name, value string) bool {
	switch strings.ToLower(name) {
	case "path", "domain", "expires", "max-age", "samesite", "priority", "version", "comment":
		return false
	}
	return keyStrength(name) != notSecret && !plainWords(value) || chosen(value) || random(value)
}

// jwt redacts a JSON Web Token, or what is left of one.
func (s *scanner) jwt(end int) {
	from := end - 3
	if from < s.jwtEnd || s.text[from:end] != "eyJ" || from > 0 && !freeBefore(s.text, from) {
		return
	}
	i, dots := end, 0
	for i < len(s.text) && i-from < 16<<10 && (tokenByte(s.text[i]) || s.text[i] == '.' || s.text[i] == '+' || s.text[i] == '/' || s.text[i] == '=') {
		if s.text[i] == '.' {
			dots++
		}
		i++
	}
	s.jwtEnd = i
	head := s.text[from:i]
	cut := i == len(s.text) || s.text[i] == '\n'
	if dots >= 1 && strings.IndexByte(head, '.') >= 12 && (strings.Contains(head, ".ey") || dots == 2 && len(head) > 60) || cut && len(head) >= 40 && jsonHead(head) || len(head) >= 40 && strings.HasPrefix(head, "eyJhdXRocyI6") {
		s.add(from, i, "jwt")
	}
}

// jsonHead reports whether base64 begins like the header of a token.
func jsonHead(s string) bool {
	for _, p := range []string{"eyJhbGci", "eyJ0eXAi", "eyJraWQi", "eyJhdWQi", "eyJpc3Mi", "eyJzdWIi", "eyJlbmMi"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
