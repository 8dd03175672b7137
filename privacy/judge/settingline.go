package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Literal reports whether the value of a name is taken as written, so that no sign in it makes it code: in quotes, on a
// line of settings, after a flag, in an element, in a cell, in a connection string.
func Literal(s *scan.Scanner, from int, a Assignment) bool {
	switch {
	case a.Sep == Equals && strings.HasSuffix(s.Text[max(0, from-len("%let ")):from], "%let "):
		return true // of SAS
	case a.Quoted, a.Env, a.Sep == Element, a.Sep == Column:
		return true

	case a.Sep == Equals && !a.Spaced && connects(s, from, a):
		return true
	}
	return a.Line && !a.Spaced || Flag(s, a) || a.Sep == Equals && !a.Spaced && optional(s, from)
}

// optional reports whether NAME=value is a flag, or in a list of options: --password=…, -o user=…,password=….
func optional(s *scan.Scanner, from int) bool {
	if from < 2 {
		return false
	}
	if s.Text[from-1] == '-' {
		return s.Text[from-2] == '-' || s.Text[from-2] == ' '
	}
	if s.Text[from-2:from] == "-D" {
		return true
	}
	before := s.Text[value.LineStart(s.Text, from, 80):from]
	if s.Text[from-1] == ' ' && before[0] == '/' && (strings.Contains(before, " set ") ||
		strings.Contains(before, " add ")) {
		return true // a line for a router: /ppp secret add name=… password=…
	}
	return s.Text[from-1] == ',' && !strings.ContainsAny(before, "({[") && strings.Contains(before, "=")
}

// connects reports whether a name is in a connection string.
func connects(s *scan.Scanner, from int, a Assignment) bool {
	if a.End >= len(s.Text) || strings.IndexByte("; \"'\n", s.Text[a.End]) < 0 || from > 1 && s.Text[from-2] == ',' ||
		from == 0 || s.Text[from-1] != ';' && s.Text[from-1] != ' ' {
		return false
	}
	before := value.LowerASCII(s.Text[value.LineStart(s.Text, from, 160):from])
	for _, w := range []string{"server=", "source=", "host=", "user id=", "uid=", "user=", "catalog=", "database=",
		"dbname=", "username="} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// dollarWord reports whether a value in single quotes that starts with a dollar sign is not a variable, but a word in
// which signs replace letters: $ommer24.
func dollarWord(s *scan.Scanner, v string, a Assignment) bool {
	if !a.Quoted || v[0] != '$' || s.Text[a.Start-1] != '\'' || !a.Env && !a.Line {
		return false
	}
	word := strings.TrimRight(v[1:], "0123456789")
	return len(v)-1-len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && len(word) > 2 &&
		!value.HasCodeWord(word, false) && !value.HasCodeWord("s"+word, false)
}

// betweenSettings reports whether the lines around a line are from a settings file, NAME = value without a sign of
// code, or there are no such lines.
func betweenSettings(s *scan.Scanner, from, end int) bool {
	start := value.LineStart(s.Text, from, 200)
	for at, n := start, 0; at > 0 && n < 2; n++ {
		next := value.LineStart(s.Text, at-1, 200)
		if !settingLine(strings.TrimSpace(s.Text[next : at-1])) {
			return false
		}
		at = next
	}
	rest := s.Text[end:min(len(s.Text), end+400)]
	n := 0
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); n > 2 {
			break
		}
		if n++; n > 1 && !settingLine(line) {
			return false
		}
	}
	return true
}

// settingLine reports whether a line can be in a settings file.
func settingLine(line string) bool {
	if line == "" || line == "}" || strings.IndexByte("[#;$", line[0]) >= 0 || line[len(line)-1] == ':' {
		return !strings.HasPrefix(line, "#include") && !strings.Contains(line, "](") && !strings.Contains(line, "():")
	}
	if name, ok := strings.CutSuffix(line, " {"); ok {
		kind, of, _ := strings.Cut(name, " ")
		return WordLike(kind) && (of == "" || WordLike(of)) &&
			!value.InList(kind,
				" else do try init finally for loop select default run then begin unsafe func function class struct interface "+
					"type enum namespace module package impl trait def fn test export async const static public private protected ")
	}
	name, val, ok := strings.Cut(line, "=")
	if !ok || len(line) > 160 {
		return false
	}
	name = strings.TrimSpace(name)
	root, _, dotted := strings.Cut(name, ".")
	if strings.Trim(name, value.Letters+"0123456789_.- ") != "" || strings.Count(name, " ") > 1 ||
		dotted && value.InList(root, " self this obj user args cfg config opts req ctx app p u c s r ") {
		return false
	}
	val = strings.TrimSpace(val)
	return !strings.ContainsAny(val, "(){}[]\"'`<>&|;") && !strings.Contains(val, "==") && val[len(val)-1] != ',' &&
		!value.InList(val, " True False None nil null self undefined ")
}

// SpacedSetting reports whether blanks around a separator mean nothing, because the line is a setting.
func SpacedSetting(s *scan.Scanner, chosen bool, from int, a Assignment) bool {
	switch {
	case !ConfigLine(s, from, a):
		return false
	case a.Sep == Colon:
		return true
	}
	return chosen && a.Spaced && !a.Arrow && betweenSettings(s, from, a.End)
}

// CapitalAndDigit reports whether a value has a capital and a digit, and can only be a password, or a name for one that
// somebody made up.
func CapitalAndDigit(v string) bool {
	n := value.CountKinds(v)
	return n.Upper > 0 && n.Digits > 0 && Capitalised(v) && !value.HasCodeWord(v, false)
}
