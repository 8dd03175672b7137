package public

import (
	"slices"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// listed reports whether a word that only the judge found has another meaning in what programs print: it is in a
// listing of files, processes or Git's objects, is the year of a date, or names an option.
func listed(s *scan.Scanner, from, to int) bool {
	line := s.Text[value.LineStart(s.Text, from, assign.MaxLine):from]
	v := s.Text[from:to]
	switch {
	case fileLine(line), objectLine(line + v), processLine(line), yearOfDate(line, v), namesOption(line, v):
		return true
	case port(s.Text[from:min(len(s.Text), to+len("/tcp"))]), objectID(s, from, to), checksum(s, from, to):
		return true
	case value.Integer(v) && len(v) <= len("65535") && portColumn(s, from):
		return true
	}
	return line == "" && assign.LineEnd(s, to) && inSortedList(s, from, to)
}

// fileLine reports whether a line starts like one of ls -l or tar tv: with the mode of a file, before which find -ls
// and ls -is write up to two numbers.
func fileLine(line string) bool {
	n := 0
	for w := range strings.FieldsSeq(strings.TrimLeft(line, "│├└─\u00a0 [")) { // tree -p draws lines
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

// objectID reports whether a value is the id of an object that begins its line, like another one above or below it, as
// git rev-list prints them.
func objectID(s *scan.Scanner, from, to int) bool {
	v := s.Text[from:to]
	if len(v) != 40 || from > 0 && s.Text[from-1] != '\n' || !value.CountKinds(v).Hex {
		return false
	}
	below, _, _ := strings.Cut(s.Text[min(len(s.Text), assign.EndOfLine(s.Text, to)+1):], "\n")
	above := s.Text[value.LineStart(s.Text, max(0, from-1), assign.MaxLine):max(0, from-1)]
	for _, line := range []string{above, below} {
		id, _, _ := strings.Cut(strings.TrimRight(line, "\r"), " ")
		if len(id) == len(v) && id != v && value.CountKinds(id).Hex {
			return true
		}
	}
	return false
}

// checksum reports whether a value is what md5sum or sha256sum prints before the name of a file.
func checksum(s *scan.Scanner, from, to int) bool {
	const shortest = 32 // hexadecimal digits
	if to-from < shortest || from > 0 && s.Text[from-1] != '\n' || !value.CountKinds(s.Text[from:to]).Hex {
		return false
	}
	name := s.Text[to:assign.EndOfLine(s.Text, to)]
	return (strings.HasPrefix(name, "  ") || strings.HasPrefix(name, " *")) && strings.ContainsAny(name, "./")
}

// portColumn reports whether the cell at an offset is in a column of ports, of a table with bars.
func portColumn(s *scan.Scanner, from int) bool {
	const tallest = 100 // rows
	start := value.LineStart(s.Text, from, assign.MaxLine)
	nth := strings.Count(s.Text[start:from], "|")
	header := start
	for range tallest {
		above := value.LineStart(s.Text, max(0, header-1), assign.MaxLine)
		if above >= header-1 || strings.IndexByte(s.Text[above:header-1], '|') < 0 {
			break
		}
		header = above
	}
	if nth == 0 || header == start {
		return false
	}
	at, end := assign.NthCell(s.Text, header, assign.EndOfLine(s.Text, header), '|', nth)
	return at >= 0 && slices.ContainsFunc(strings.Fields(value.LowerASCII(s.Text[at:end])),
		func(w string) bool { return value.InList(w, " port ports porta portas porte puerto puertos порт ") })
}

// processLine reports whether a line of ps or top ends where its command begins: behind the processor time that a
// process took.
func processLine(line string) bool {
	const least = 3 // numbers in front of that time
	fields := strings.Fields(line[:strings.LastIndexByte(line, ' ')+1])
	numbers := 0
	for _, w := range fields {
		if value.Integer(w) {
			numbers++
		}
	}
	if numbers < least {
		return false
	}
	minutes, rest, _ := strings.Cut(fields[len(fields)-1], ":")
	return minutes != "" && len(rest) >= 2 && strings.Trim(minutes+rest, "0123456789:.") == ""
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
	return strings.Trim(v, value.SmallLetters+"0123456789-") == "" && strings.IndexByte(v, '-') > 0
}

// inSortedList reports whether a word is a line of a list of single words in alphabetical order, as programs print
// names of programs, files and branches.
func inSortedList(s *scan.Scanner, from, eol int) bool {
	const around = 2 // lines on each side, all of which must be in order
	start := value.LineStart(s.Text, from, 200)
	lines := []string{s.Text[start:eol]}
	for at := start; len(lines) <= around; {
		if at == 0 {
			return false
		}
		above := value.LineStart(s.Text, at-1, 200)
		lines = append([]string{strings.TrimRight(s.Text[above:at-1], "\r")}, lines...)
		at = above
	}
	if strings.HasPrefix(s.Text[eol:], "\r\n") {
		eol++
	}
	for at := eol; len(lines) <= 2*around; {
		at = min(len(s.Text), at+1)
		line, _, _ := strings.Cut(s.Text[at:min(len(s.Text), at+200)], "\n")
		lines = append(lines, strings.TrimRight(line, "\r"))
		at += len(line)
	}
	return slices.IsSorted(lines) && !slices.ContainsFunc(lines, func(l string) bool { return l == "" || !scan.Solid(l) })
}
