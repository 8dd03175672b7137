package place

import (
	"strings"
	"sync"

	"keepmum/privacy/assign"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// program is a word from commands.rules with its rule.
type program struct {
	word string
	*rules.Command
}

// programs are those with a rule in commands.rules.
var programs = sync.OnceValue(func() (out []program) {
	for _, c := range rules.Commands() {
		for _, w := range c.Words {
			if c.Place.Kind == "" {
				out = append(out, program{w, c})
			}
		}
	}
	return out
})

// Commands returns the words that trigger Command.
func Commands() []string {
	out := []string{"htpasswd -", "to-securestring"}
	for _, p := range programs() {
		out = append(out, p.word)
	}
	return out
}

// Command redacts the secrets in the rest of a command line.
func Command(s *scan.Scanner, end int) {
	word := s.Text[max(0, end-4):end]
	if end < s.Reached[scan.ByCommand] && (word == s.CommandWord || s.CommandBytes > len(s.Text)+scan.MaxValue) {
		return
	}
	stop := strings.IndexAny(s.Text[end:min(len(s.Text), end+400)], "\n|;")
	if stop < 0 {
		stop = min(len(s.Text), end+400) - end
	}
	s.Reached[scan.ByCommand], s.CommandWord = end+stop, word
	s.CommandBytes += stop
	name := strings.ToLower(s.Text[max(0, end-32):end])
	words := commandWords(s.Text, end, end+stop)
	if len(words) == 0 {
		return
	}
	switch {
	case strings.HasSuffix(name, "htpasswd -"):
		if len(words) > 3 && strings.Contains(s.Text[words[0][0]:words[0][1]], "b") {
			argument(s, words[3][0], words[3][1])
		}
		return
	case strings.HasSuffix(name, "securestring"):
		secureString(s, words)
		return
	}
	for _, p := range programs() {
		if strings.HasSuffix(name, p.word) && strings.Contains(s.Text[end:end+stop], p.Only) {
			arguments(s, p, words)
		}
	}
}

// arguments redacts the words that a program's rule selects.
func arguments(s *scan.Scanner, p program, words [][2]int) {
	for i, w := range words {
		if value.WordByte(s.Text[w[0]-1]) {
			continue // the name of the program continues, as in mariadb-plugin
		}
		if s.Text[w[0]:w[1]] == "&&" {
			return // another program
		}
		w[0], _ = value.Trimmed(s.Text, w[0], w[1]-1, "\"'", "")
		word := s.Text[w[0]:w[1]]
		if p.Argument == i+1 && !(p.word[0] == '+' && word[0] == '+') &&
			!(p.Alone && !begins(s, words[0][0]-len(p.word), p.word)) {
			argument(s, w[0], w[1])
		}
		if i+1 < len(words) && value.InList(word, " "+p.Flags+" ") {
			argument(s, words[i+1][0], words[i+1][1])
		}
		gluedArgument(s, p, w[0], w[1])
	}
}

// gluedArgument redacts the part of a word that follows a flag or an equals sign.
func gluedArgument(s *scan.Scanner, p program, at, to int) {
	word, from := s.Text[at:to], 0
	if n := value.PrefixLength(word, strings.Fields(p.Glued)...); n > 0 && len(word) > n+3 {
		from = n
	}
	n := strings.IndexByte(word[from:], '=')
	switch {
	case p.Pairs && (from > 0 || n > 0 && strings.IndexByte("-[", word[0]) < 0):
		argument(s, at+from+n+1, to)
	case from > 0:
		argument(s, at+from, to)
	}
}

// secureString redacts the text that ConvertTo-SecureString converts.
func secureString(s *scan.Scanner, words [][2]int) {
	for _, w := range words {
		switch c := s.Text[w[0]]; {
		case c == '"' || c == '\'':
			to := assign.ClosingQuote(s.Text, w[0]+1, c, 0, 256)
			if v := s.Text[w[0]+1 : to]; len(v) >= 4 && !value.Placeholder(v) && !strings.Contains(v, "$(") {
				scan.Add(s, w[0]+1, to, scan.RulePassword)
			}
			return
		case strings.IndexByte("-$([<", c) < 0 &&
			strings.Contains(value.LowerASCII(s.Text[words[0][0]:words[len(words)-1][1]]), "-asplaintext"):
			argument(s, w[0], w[1])
			return
		}
	}
}

// argument redacts one word of a command line that is a password.
func argument(s *scan.Scanner, from, to int) {
	from, to = value.Trimmed(s.Text, from, to, "'\"", "'\"`],")
	v := s.Text[from:to]
	if strings.IndexByte(v, ' ') >= 0 && strings.ContainsAny(v, "$%<>") {
		return // composed of other values
	}
	name, _, named := strings.Cut(v, "=")
	other := named && !value.Mixed(name) || strings.ContainsAny(v, "/(){}") && !value.KeyWithSlashes(v)
	if len(v) < 4 || value.Placeholder(v) || v[0] == '-' || other {
		return
	}
	scan.Add(s, from, to, scan.RulePassword)
}

// commandWords returns the bounds of the words of a command; a quoted word may contain spaces.
func commandWords(text string, from, to int) [][2]int {
	var out [][2]int
	for w := range assign.EachField(text, from, to) {
		if n := len(out); n > 0 && w[0] < out[n-1][1] {
			continue
		}
		if end := quotedEnd(text[:to], w[0]); end > w[1] {
			w[1] = end
		}
		out = append(out, w)
	}
	return out
}

// quotedEnd returns the end of a quoted word, whose quote may follow a flag or an equals sign; 0 if it is not quoted.
func quotedEnd(text string, at int) int {
	open := at
	for open < len(text) && text[open] > ' ' && text[open] != '"' && text[open] != '\'' {
		open++
	}
	if open >= len(text) || text[open] <= ' ' {
		return 0
	}
	if flag := text[at] == '-' && open-at < 4; open > at && text[open-1] != '=' && !flag {
		return 0
	}
	shut := strings.IndexByte(text[open+1:], text[open])
	if shut < 0 {
		return 0
	}
	if end := open + 1 + shut + 1; end == len(text) || strings.IndexByte(" \t\r\n|;&)", text[end]) >= 0 {
		return end
	}
	return 0
}

// begins reports whether a word, exactly as written, starts its line or is a flag.
func begins(s *scan.Scanner, at int, word string) bool {
	if !strings.HasPrefix(s.Text[max(at, 0):], word) {
		return false
	}
	return at <= 0 || s.Text[at-1] == '\n' || s.Text[at-1] == '-'
}
