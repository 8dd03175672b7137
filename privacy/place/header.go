package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Header redacts the credential of an HTTP header.
func Header(s *scan.Scanner, end int) {
	if end <= s.Reached[scan.ByHeader] {
		return
	}
	i := headerValue(s.Text, end)
	if i < 0 {
		return
	}
	line := s.Text[i:min(len(s.Text), i+scan.MaxValue)]
	if stop := strings.IndexAny(line, "\r\n\"'`"); stop >= 0 {
		line = line[:stop]
	}
	s.Reached[scan.ByHeader] = i + len(line)
	line = strings.TrimRight(line, "\\ ,)")
	if strings.HasSuffix(strings.ToLower(s.Text[:end][max(0, end-6):]), "cookie") {
		cookies(s, i, line)
		return
	}
	scheme, rest, two := strings.Cut(line, " ")
	if !two {
		if name := value.LowerASCII(s.Text[max(0, end-len("authorization")):end]); name == "authorization" &&
			(value.LettersAndDigits(line) || value.SymbolPassword(line)) {
			scan.Add(s, i, i+len(line), RuleHTTP)
		}
		return // a single word: its name decides
	}
	if !value.InList(strings.ToLower(scheme), " bearer basic token apikey bot digest key negotiate aws4-hmac-sha256 ") {
		return
	}
	credential(s, i+len(scheme)+1, rest, strings.EqualFold(scheme, "basic"))
}

// credential redacts what follows the scheme of a header.
func credential(s *scan.Scanner, at int, v string, basic bool) {
	if user, password, ok := strings.Cut(v, " "); ok && basic && !strings.Contains(password, " ") {
		at, v = at+len(user)+1, password // the form in files of HTTP clients
	}
	if c := strings.IndexAny(v, " ,;"); c >= 0 {
		v = v[:c]
	}
	if len(v) < 6 || value.Placeholder(v) || value.CodeLike(v) || basic && public.ExampleBasic(v) {
		return
	}
	if !value.PlainWords(v) || len(v) >= 20 {
		scan.Add(s, at, at+len(v), RuleHTTP)
	}
}

// headerValue returns the start of the value of the header whose name ends at end, -1 if there is none.
func headerValue(text string, end int) int {
	_, to := assign.NameAt(text, end)
	i := assign.SkipBlanks(text, assign.SkipClosers(text, to))
	if i >= len(text) || strings.IndexByte(":=,", text[i]) < 0 || strings.HasPrefix(text[i:], "==") {
		return -1
	}
	if strings.HasPrefix(text[i:], "=>") {
		i++
	}
	i = assign.SkipBlanks(text, i+1)
	for i < len(text) && strings.IndexByte("\"'`\\[(b", text[i]) >= 0 && i < end+48 {
		i++
	}
	return i
}

// cookies redacts the values of cookies, not the attributes.
func cookies(s *scan.Scanner, at int, line string) {
	for _, pair := range strings.SplitAfter(line, ";") {
		name, val, ok := strings.Cut(strings.TrimSuffix(pair, ";"), "=")
		if ok && len(val) >= 6 && !value.Placeholder(val) && !value.CodeLike(val) &&
			cookieSecret(strings.TrimSpace(name), val) {
			scan.Add(s, at+len(name)+1, at+len(name)+1+len(val), RuleHTTP)
		}
		at += len(pair)
	}
}

func cookieSecret(name, val string) bool {
	switch strings.ToLower(name) {
	case "path", "domain", "expires", "max-age", "samesite", "priority", "version", "comment":
		return false
	}
	return value.KeyStrength(name) != value.NotSecret && !value.PlainWords(val) || value.SymbolPassword(val)
}

// JWT redacts a JSON Web Token, complete or not.
func JWT(s *scan.Scanner, end int) {
	from := end - 3
	if from < s.Reached[scan.ByJWT] || s.Text[from:end] != "eyJ" || from > 0 && !scan.FreeBefore(s.Text, from) {
		return
	}
	i := end
	for i < len(s.Text) && i-from < 16<<10 && (scan.TokenByte(s.Text[i]) || strings.IndexByte(".+/=", s.Text[i]) >= 0) {
		i++
	}
	s.Reached[scan.ByJWT] = i
	if jwtForm(s.Text[from:i], i == len(s.Text) || s.Text[i] == '\n') {
		scan.Add(s, from, i, RuleJWT)
	}
}

// jwtForm reports whether a text is a JSON Web Token or, if the rest is cut off, its first part.
func jwtForm(token string, cut bool) bool {
	if strings.IndexByte(token, '.') >= 12 {
		if strings.Contains(token, ".ey") || strings.Count(token, ".") == 2 && len(token) > 60 {
			return true
		}
	}
	return len(token) >= 40 && (cut && jsonHead(token) || strings.HasPrefix(token, "eyJhdXRocyI6"))
}

// jsonHead reports whether base64 starts like the header of a JSON Web Token.
func jsonHead(s string) bool {
	return value.BeginsWithAny(s, "eyJhbGci", "eyJ0eXAi", "eyJraWQi", "eyJhdWQi", "eyJpc3Mi", "eyJzdWIi", "eyJlbmMi")
}
