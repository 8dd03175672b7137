package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// listed reports whether a word that only the judge found has another meaning in what programs print: it is in a
// listing of files or of Git's objects, is the year of a date, or names an option.
func listed(s *scan.Scanner, from, to int) bool {
	line := s.Text[value.LineStart(s.Text, from, maxLine):from]
	v := s.Text[from:to]
	return fileLine(line) || objectLine(line+v) || yearOfDate(line, v) || namesOption(line, v) ||
		port(s.Text[from:min(len(s.Text), to+len("/tcp"))])
}

// fileLine reports whether a line starts like one of ls -l or tar tv: with the mode of a file, before which find -ls
// and ls -is write up to two numbers.
func fileLine(line string) bool {
	n := 0
	for w := range strings.FieldsSeq(line) {
		if fileMode(w) {
			return true
		}
		if n++; n > 2 || !value.Integer(w) {
			return false
		}
	}
	return false
}

// fileMode reports whether a word is the mode of a file: drwxr-xr-x, with a sign for more rights behind it.
func fileMode(w string) bool {
	const kinds = "-bcdlps"
	rights := [...]string{"r-", "w-", "xsS-", "r-", "w-", "xsS-", "r-", "w-", "xtT-"}
	if len(w) < 1+len(rights) || len(w) > 2+len(rights) || strings.IndexByte(kinds, w[0]) < 0 {
		return false
	}
	if strings.Trim(w, "-") == "" {
		return false // a drawn line
	}
	for i, allowed := range rights {
		if strings.IndexByte(allowed, w[1+i]) < 0 {
			return false
		}
	}
	return len(w) == 1+len(rights) || strings.IndexByte(".+@", w[len(w)-1]) >= 0
}

// objectLine reports whether a line starts like one of git ls-tree, git ls-files -s or git log --raw: with the mode of
// an object.
func objectLine(line string) bool {
	mode, _, ok := strings.Cut(strings.TrimLeft(line, ":"), " ")
	return ok && value.InList(mode, " 000000 040000 100644 100755 120000 160000 ")
}

// yearOfDate reports whether a value is the year behind a time of day: Thu Nov 26 12:47:38 2026.
func yearOfDate(line, v string) bool {
	const clock = "00:00:00 "
	if len(v) != 4 || !value.Integer(v) || len(line) < len(clock) {
		return false
	}
	for i, c := range []byte(line[len(line)-len(clock):]) {
		if sign := clock[i]; sign == '0' && !value.Digit(c) || sign != '0' && c != sign {
			return false
		}
	}
	return true
}

// namesOption reports whether a value is the name of an option of a program: words with two dashes before them.
func namesOption(line, v string) bool {
	before, ok := strings.CutSuffix(line, "--")
	if !ok || before != "" && strings.IndexByte(" \t[|(,", before[len(before)-1]) < 0 {
		return false
	}
	return strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && strings.IndexByte(v, '-') > 0
}
