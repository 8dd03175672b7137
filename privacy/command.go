package privacy

import "strings"

// commands are programs that take a password as an argument with no name.
var commands = []string{"mysql", "mariadb", "redis-cli", "7z ", "zip -p", "openssl", "htpasswd -"}

// command redacts such arguments in the rest of a command line.
func (s *scanner) command(end int) {
	word := s.text[max(0, end-4):end]
	if end < s.commandEnd && word == s.commandWord {
		return
	}
	stop := strings.IndexAny(s.text[end:min(len(s.text), end+400)], "\n|;")
	if stop < 0 {
		stop = min(len(s.text), end+400) - end
	}
	s.commandEnd, s.commandWord = end+stop, word
	name := strings.ToLower(s.text[lineStart(s.text, end, 12):end])
	words := fieldSpans(s.text, end, end+stop)
	for i, w := range words {
		word := s.text[w[0]:w[1]]
		next := [2]int{}
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case hasAnySuffix(name, "mysql", "mariadb", "7z ") && strings.HasPrefix(word, "-p") && len(word) > 5:
			s.argument(w[0]+2, w[1])
		case strings.HasSuffix(name, "redis-cli") && (word == "-a" || word == "--pass"),
			strings.HasSuffix(name, "openssl") && (word == "-k" || word == "-K"),
			strings.HasSuffix(name, "zip -p") && i == 0 && word != "":
			if i == 0 && strings.HasSuffix(name, "zip -p") {
				next = w
			}
			s.argument(next[0], next[1])
		case strings.HasSuffix(name, "openssl") && strings.HasPrefix(word, "pass:"):
			s.argument(w[0]+5, w[1])
		case strings.HasSuffix(name, "htpasswd -") && i == 3 && strings.Contains(s.text[words[0][0]:words[0][1]], "b"):
			s.argument(w[0], w[1])
		}
	}
}

func hasAnySuffix(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// argument redacts one word of a command line that is a password.
func (s *scanner) argument(from, to int) {
	for from < to && (s.text[from] == '\'' || s.text[from] == '"') {
		from++
	}
	for to > from && (s.text[to-1] == '\'' || s.text[to-1] == '"' || s.text[to-1] == '`') {
		to--
	}
	v := s.text[from:to]
	if len(v) < 4 || dummy(v) || v[0] == '-' || strings.ContainsAny(v, "/(){}=") || plainWords(v) && in(v, " protocol prefix port password ") {
		return
	}
	s.add(from, to, rulePassword)
}

// fieldSpans returns the bounds of the words between blanks.
func fieldSpans(text string, from, to int) (out [][2]int) {
	for i := from; i < to; {
		for i < to && isSpace(text[i]) {
			i++
		}
		j := i
		for j < to && !isSpace(text[j]) {
			j++
		}
		if j > i {
			out = append(out, [2]int{i, j})
		}
		i = j
	}
	return out
}

// phrase redacts a wallet's words: twelve or more short ones in a row.
func (s *scanner) phrase(end int) {
	if end < s.phraseEnd {
		return
	}
	_, to := nameAt(s.text, end)
	i := blanks(s.text, closers(s.text, to))
	for i < len(s.text) && i < to+24 && strings.IndexByte(" :=\"'\n", s.text[i]) >= 0 {
		i++
	}
	limit := min(len(s.text), i+320)
	words, stop := 0, i
	for _, w := range fieldSpans(s.text, i, limit) {
		s.phraseEnd = w[0]
		word := strings.Trim(s.text[w[0]:w[1]], "\"',")
		if len(word) < 3 || len(word) > 8 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			break
		}
		words, stop = words+1, w[0]+len(word)
	}
	if words >= 12 && words <= 25 {
		s.add(i, stop, ruleSecret)
	}
}
