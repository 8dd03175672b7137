package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
	"keepmum/privacy/value"
)

// maxPasted limits how many lines below a command are read as its output.
const maxPasted = 12

// PastedCommand reads a command at a prompt in a text, "$ pass show work/db". If the command prints secrets, the words
// that stand alone below it are secrets.
func PastedCommand(s *scan.Scanner, end int) {
	start := end - len("$ ")
	if isPrompt(s.Text[value.LineStart(s.Text, start, maxPrompt):start]) {
		printed(s, end, "$ ")
	}
}

// maxPrompt is the length of the longest prompt that is read.
const maxPrompt = 80

// isPrompt reports whether a command follows the text before "$ " in its line: nothing, a blank, a colon, or where the
// shell is, "kim@quay:~", "[kim@quay ~]".
func isPrompt(before string) bool {
	if before == "" || strings.IndexByte(" :#", before[len(before)-1]) >= 0 {
		return true
	}
	return strings.ContainsAny(before, "@~") && strings.Count(before, " ") <= 1
}

// printed reads a command line and the lines below it.
func printed(s *scan.Scanner, end int, prompt string) {
	line, rest, ok := strings.Cut(s.Text[end:min(len(s.Text), end+2_000)], "\n")
	if !ok || len(line) > 300 || !shell.PrintsSecret(line) {
		return
	}
	at := end + len(line) + 1
	for n := 0; n < maxPasted && rest != ""; n++ {
		line, after, _ := strings.Cut(rest, "\n")
		word := strings.TrimRight(line, "\r ")
		if word == "" && n > 0 || strings.HasPrefix(word, prompt) || strings.HasPrefix(word, "```") {
			return
		}
		if printedSecret(word, n == 0) {
			scan.Add(s, at, at+len(word), scan.RuleSecret)
		}
		at, rest = at+len(line)+1, after
	}
}

// printedSecret reports whether a line of output is a secret: a word that stands alone; the first may be a plain one.
func printedSecret(line string, first bool) bool {
	if strings.Contains(line, " ") || !first && (len(line) < 8 || value.PlainWords(line)) {
		return false
	}
	word := strings.TrimSpace(line)
	return len(word) >= 6 && !value.Placeholder(word) && !value.PathLike(word)
}

// dated reports whether a value starts like a time.
func dated(v string) bool {
	return len(v) >= 10 && v[4] == '-' && v[7] == '-' && value.Integer(v[:4])
}

// StdinPasswords returns each line of a text as a password; chpasswd reads NAME:PASSWORD.
func StdinPasswords(text string) (lines []string) {
	for v := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		if i := strings.IndexByte(v, ':'); i > 0 && assign.WordLike(v[:i]) {
			v = v[i+1:]
		}
		if len(v) >= 4 && len(v) < 128 && v[0] != '-' && !strings.ContainsAny(v, "…%\"") {
			lines = append(lines, `password: "`+v+`"`)
		}
	}
	return lines
}
