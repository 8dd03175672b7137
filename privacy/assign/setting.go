package assign

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// ConfigLine reports whether a name and its value are a line of a settings file, or a member of JSON with quoted name
// and value: not code.
func ConfigLine(s *scan.Scanner, from int, a Assignment) bool {
	if a.Sep == Colon && a.Quoted && strings.HasSuffix(s.Text[:from], `"`) && strings.HasPrefix(s.Text[a.End:], `"`) {
		return true
	}
	if a.Sep != Colon && a.Sep != Equals || a.Quoted {
		return false
	}
	start := value.LineStart(s.Text, from, 96)
	if i := strings.LastIndex(s.Text[start:from], `\n  `); i >= 0 && strings.HasPrefix(s.Text[a.End:], `\n`) {
		start += i + len(`\n`) // of a literal that contains a file
	} else if !LineEnd(s, a.End) {
		return false
	}
	before := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(s.Text[start:from], " \t-@/#;\"'["), "old: "), "set ")
	return before == "" && strings.IndexByte(s.Text[from:a.Start], '(') < 0
}

// EnvironmentLine reports whether NAME=value, without blanks and quotes, is a line of an environment file.
func EnvironmentLine(s *scan.Scanner, from, to int, a Assignment) bool {
	if a.Sep != Equals || a.Start > to+2 || a.Start == to+2 != a.Quoted || !Capitals(s.Text[from:to]) {
		return false
	}
	before := strings.TrimLeft(s.Text[value.LineStart(s.Text, from, 40):from], " \t+-\"'")
	before = strings.TrimRight(before, " \"'")
	return before == "" || value.InList(strings.ToLower(before), " export set - environment= echo env arg ") ||
		value.EndsWithAny(before, " -e", " export", " --env", " --build-arg")
}

// RestOfLine returns the end of a line that continues without blanks; otherwise the end of the word.
func RestOfLine(s *scan.Scanner, at int) int {
	end := at
	for end < len(s.Text) && end-at < MaxJudged && s.Text[end] > ' ' {
		end++
	}
	_, end = value.Trimmed(s.Text, at, end, "", "\"',;") // of the list or literal that contains the line
	return end
}

// Capitals reports whether a name is written like an environment variable.
func Capitals(name string) bool {
	for i := range len(name) {
		if c := name[i]; !value.WordByte(c) || c >= 'a' && c <= 'z' {
			return false
		}
	}
	return len(name) > 2
}

// LineEnd reports whether nothing follows on a line.
func LineEnd(s *scan.Scanner, at int) bool {
	return at >= len(s.Text) || s.Text[at] == '\n' || s.Text[at] == '\r'
}

const maxHelp = 64 // bytes of a value that are read to see whether it is help

// HelpText reports whether what follows an option describes it, in a list of options or in a sentence: "--no-password
// never ask".
func HelpText(s *scan.Scanner, n *scan.Called, a Assignment) bool {
	if !strings.HasSuffix(s.Text[:n.From], "--") {
		return false
	}
	v := s.Text[a.Start:min(a.End, a.Start+maxHelp)]
	if value.InList(n.Words[0], " no ask test show prompt ") || nonASCIILetters(v) {
		return true
	}
	next := SkipBlanks(s.Text, a.End)
	if next == a.End || next == len(s.Text) || s.Text[next] <= ' ' {
		return false // the line ends
	}
	if a.Sep == Equals {
		return next > a.End+1 && strings.ToUpper(v) == v && value.CountKinds(v).Digits == 0
	}
	return strings.HasPrefix(s.Text[n.To:], "   ") && s.Text[next] != '-'
}

// InSection reports whether the lines above a name, up to a header in brackets, are settings: blanks around an equals
// sign mean nothing there.
func InSection(s *scan.Scanner, from int) bool {
	const most, longest = 12, 200 // lines; bytes of one
	for at, n := value.LineStart(s.Text, from, longest), 0; at > 0 && n < most; n++ {
		above := value.LineStart(s.Text, at-1, longest)
		line := strings.TrimSpace(s.Text[above : at-1])
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			return true
		}
		name, val, ok := strings.Cut(line, "=")
		comment := line == "" || line[0] == '#' || line[0] == ';'
		setting := ok && WordLike(strings.TrimSpace(name)) && !strings.ContainsAny(val, "(){}[]\"'")
		if !comment && !setting {
			return false
		}
		at = above
	}
	return false
}

// nonASCIILetters reports whether a value has letters, and none of them is ASCII: no generator writes such a token.
func nonASCIILetters(v string) bool {
	for i := range len(v) {
		if value.WordByte(v[i]) {
			return false
		}
	}
	return v != "" && v[0] >= 0xC3
}
