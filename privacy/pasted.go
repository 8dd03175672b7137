package privacy

import (
	"strings"

	"keepmum/privacy/shell"
)

// maxPasted is how many lines below a command are read as what it printed.
const maxPasted = 12

// pasted reads a command at a prompt in a text, "$ pass show work/db": where it
// prints secrets by its nature, the words below it that stand alone are some.
func (s *scanner) pasted(end int) {
	if start := end - len("$ "); start > 0 && s.text[start-1] != '\n' && s.text[start-1] != ' ' && s.text[start-1] != ':' && s.text[start-1] != '#' {
		return
	}
	s.printed(end, "$ ")
}

// printed reads a command line and what is below it.
func (s *scanner) printed(end int, prompt string) {
	line, rest, ok := strings.Cut(s.text[end:min(len(s.text), end+2_000)], "\n")
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
		switch {
		case strings.Contains(word, " ") || word == "":
		case n == 0 || strings.HasPrefix(word, "-----") || len(word) >= 8 && !plainWords(word):
			if from := at + len(word) - len(strings.TrimLeft(word, " ")); len(strings.TrimSpace(word)) >= 6 && !dummy(strings.TrimSpace(word)) && !pathLike(strings.TrimSpace(word)) {
				s.add(from, at+len(word), ruleSecret)
			}
		}
		at, rest = at+len(line)+1, after
	}
}

// keyTable redacts the values of the table that vault kv get prints.
func (s *scanner) keyTable(end int) {
	rest := s.text[end:min(len(s.text), end+2_000)]
	line, rest, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(line) != "Value" {
		return
	}
	at := end + len(line) + 1
	for n := 0; n < 40; n++ {
		line, after, more := strings.Cut(rest, "\n")
		words := fieldSpans(s.text, at, at+len(strings.TrimRight(line, "\r")))
		if len(words) == 0 {
			return
		}
		if len(words) == 2 && n > 0 {
			from, to := words[1][0], words[1][1]
			if v := s.text[from:to]; len(v) >= 6 && !dummy(v) && !pathLike(v) && (mixed(v) || chosen(v) || keyStrength(s.text[words[0][0]:words[0][1]]) >= tokenKey) && !dated(v) && strings.Trim(v, "0123456789dhms") != "" && !in(s.text[words[0][0]:words[0][1]], " created_time version lease_id lease_duration request_id accessor token_accessor entity_id ") {
				s.add(from, to, ruleSecret)
			}
		}
		if at, rest = at+len(line)+1, after; !more {
			return
		}
	}
}

// dated reports whether a value begins as a time does.
func dated(v string) bool {
	return len(v) >= 10 && v[4] == '-' && v[7] == '-' && integer(v[:4])
}
