package pair

import (
	"strings"
	"unicode"

	"keepmum/privacy/assign"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// notItsValue reports whether what follows a name is something else than its value.
func notItsValue(s *scan.Scanner, n *scan.Called, a assign.Assignment, strong value.Strength) bool {
	before, name, v := s.Text[:n.From], s.Text[n.From:n.To], s.Text[a.Start:a.End]
	switch {
	case a.Sep == assign.Blank && noName(before, v):
		return true
	case a.Sep == assign.Call && strings.HasPrefix(name, "keyring."), nextKey(s, a), ofPackage(s, n, a):
		return true
	}
	if strong < value.PasswordKey && fieldType(s, a) {
		return true
	}
	return public.AgentSession(n.Words, a, v) || fieldLabel(n.Words, v)
}

// fieldType reports whether a value is the type of a field: secret: PayloadU8,
func fieldType(s *scan.Scanner, a assign.Assignment) bool {
	v := s.Text[a.Start:a.End]
	if a.Sep != assign.Colon || a.Quoted || !strings.HasPrefix(s.Text[a.End:], ",") || !value.Identifier(v) {
		return false
	}
	var room [value.MaxWords]string
	return v[0] >= 'A' && v[0] <= 'Z' && len(value.NameWords(v, room[:0])) > 1 && value.CamelWords(v)
}

// noName reports whether a word with blanks behind it is the use of a variable, a directive of a grammar, a selector in
// a style sheet, or the value of a log line's member.
func noName(before, v string) bool {
	selector := value.EndsWithAny(before, ".", "#") && strings.IndexByte(".#", v[0]) >= 0
	return selector || value.EndsWithAny(before, "$", "%") || strings.HasSuffix(before, "=") && strings.Contains(v, "=")
}

// fieldLabel reports whether a name is that of a text of a program, and its value are letters: field_password: Heslo.
func fieldLabel(words []string, v string) bool {
	const texts = " field button label setting notice text title message error hint caption placeholder tooltip "
	return len(words) > 1 && value.InList(words[0], texts) && strings.IndexFunc(v, notALetter) < 0
}

func notALetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// nextKey reports whether a name is a value, and the key of the next member follows.
func nextKey(s *scan.Scanner, a assign.Assignment) bool {
	return a.Sep == assign.Comma && a.Quoted && strings.HasPrefix(strings.TrimLeft(s.Text[a.End:], "\"'"), ":")
}

// ofPackage reports whether a name is the file of a package with its checksum behind it, or a package with its version:
// /etc/pam.d/login 5afb…, passwd [1:4.13+dfsg1-1].
func ofPackage(s *scan.Scanner, n *scan.Called, a assign.Assignment) bool {
	const digest = 32 // hexadecimal digits of MD5
	if a.Sep != assign.Blank || a.Quoted {
		return false
	}
	v := s.Text[a.Start:a.End]
	if strings.HasPrefix(v, "[") && public.Form(strings.Trim(v, "[]")) {
		return true
	}
	path := s.Text[value.LineStart(s.Text, n.From, scan.MaxName):n.From]
	path = path[strings.LastIndexAny(path, " \t\"'")+1:]
	return len(v) >= digest && value.CountKinds(v).Hex && strings.HasPrefix(path, "/") && assign.LineEnd(s, a.End)
}
