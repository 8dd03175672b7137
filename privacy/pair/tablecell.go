package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// alternatives reports whether a line is a literal in code, usually of a pattern.
func alternatives(line string) bool {
	line = strings.TrimRight(strings.TrimLeft(line, " \tr"), " ,)\r")
	if len(line) < 2 || line[0] != '\'' && line[0] != '"' || line[len(line)-1] != line[0] {
		return false
	}
	return strings.IndexByte(line[1:len(line)-1], line[0]) < 0
}

// cell judges one cell of a row.
func cell(s *scan.Scanner, at int, row, delimiter string, nth int, k value.Strength) {
	at, row = nthCell(at, row, delimiter, nth)
	singleWord(s, at, row, k)
}

// singleWord redacts a single word, if it looks like a secret of its name.
func singleWord(s *scan.Scanner, at int, text string, k value.Strength) {
	const around = " \t\r\n\"'`*"
	v := strings.TrimLeft(text, around)
	at += len(text) - len(v)
	v = strings.TrimRight(v, around)
	if strings.ContainsAny(v, " \t") || judge.TypeName(v) || value.LabelWord(v) || strings.Contains(v, "://") {
		return
	}
	if strings.HasPrefix(v, ":") && value.Identifier(v[1:]) {
		return
	}
	if secretWord(v, k) {
		scan.Add(s, at, at+len(v), assign.RuleOf(k))
	}
}

// secretWord reports whether a word looks like a secret of a name of this strength.
func secretWord(v string, k value.Strength) bool {
	switch {
	case value.SymbolPassword(v):
		return true
	case k == value.TokenKey:
		return len(v) >= 20 && value.Random(v) || value.LettersAndDigits(v) && !judge.HostLike(v)
	case k == value.PasswordKey:
		return value.AlnumPassword(v) || value.Random(v) || value.RandomLetters(v)
	}
	return false
}
