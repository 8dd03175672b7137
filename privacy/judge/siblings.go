package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// AccountBefore reports whether an account is named shortly before a name, so that its password follows.
func AccountBefore(s *scan.Scanner, at int) bool {
	for i := max(0, at-80); i < at; i++ {
		switch s.Text[i] | 0x20 {
		case 'u':
			if value.BeginsFold(s.Text[i:at], "user") {
				return true
			}
		case 'l':
			if value.BeginsFold(s.Text[i:at], "login") {
				return true
			}
		case '@' | 0x20:
			if s.Text[i] == '@' {
				return true
			}
		}
	}
	return false
}

// AccountName returns the length of the name in NAME:PASSWORD, including the colon.
func AccountName(v string) int {
	if i := strings.IndexByte(v, ':'); i > 0 && WordLike(v[:i]) && len(v)-i > 4 && v[i+1] != '/' {
		return i + 1
	}
	return 0
}

const MaxAlike = 16 // values of one name

// SameNameValues redacts the values that have the same name as the first: the new one of a planned change, the others
// of a list.
func SameNameValues(s *scan.Scanner, a Assignment, rule string) {
	if a.End >= len(s.Text) || s.Text[a.End] != '"' && s.Text[a.End] != '\'' {
		return
	}
	quote := s.Text[a.End]
	list := a.Start > 1 && s.Text[a.Start-2] == '['
	for end, n := a.End, 0; n < MaxAlike && end < len(s.Text); n++ {
		i := skipToAlike(s.Text, end+1, list)
		if i >= len(s.Text) || s.Text[i] != quote {
			return
		}
		end = ClosingQuote(s.Text, i+1, quote, 0, MaxJudged)
		if v := s.Text[i+1 : end]; len(v) >= 4 && !value.Placeholder(v) {
			scan.Add(s, i+1, end, rule)
		}
	}
}

// skipToAlike skips the arrow of a change or the comma of a list; without one it returns the length of the text.
func skipToAlike(text string, at int, list bool) int {
	i := SkipBlanks(text, at)
	switch {
	case strings.HasPrefix(text[i:], "-> "):
		return SkipBlanks(text, i+3)
	case list && strings.HasPrefix(text[i:], ","):
		return skipAny(text, i+1, max(0, at+62-i), " \t\r\n")
	}
	return len(text)
}
