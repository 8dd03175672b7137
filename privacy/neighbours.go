package privacy

import "strings"

const maxAlike = 16 // values of one name

// alike redacts the values that share the name with the first: the new one of
// a planned change, the others of a list.
func (s *scanner) alike(a assignment, rule string) {
	quote := byte(0)
	if a.end < len(s.text) {
		quote = s.text[a.end]
	}
	if quote != '"' && quote != '\'' {
		return
	}
	list := a.start > 1 && s.text[a.start-2] == '['
	for end, n := a.end, 0; n < maxAlike; n++ {
		i := blanks(s.text, end+1)
		switch {
		case strings.HasPrefix(s.text[i:], "-> ") || strings.HasPrefix(s.text[i:], "=> "):
			i = blanks(s.text, i+3)
		case list && i < len(s.text) && s.text[i] == ',':
			for i++; i < len(s.text) && isSpace(s.text[i]) && i-end < 64; i++ {
			}
		default:
			return
		}
		if i >= len(s.text) || s.text[i] != quote {
			return
		}
		end = closing(s.text, i+1, quote, 0, maxJudged)
		if v := s.text[i+1 : end]; len(v) >= 4 && !dummy(v) {
			s.add(i+1, end, rule)
		}
	}
}

// formerWord redacts the old value in a diff by words: [-OLD-]{+NEW+}.
func (s *scanner) formerWord(a assignment, rule string) {
	if a.start < 2 || s.text[a.start-2:a.start] != "{+" {
		return
	}
	before, ok := strings.CutSuffix(s.text[max(0, a.start-200):a.start-2], "-]")
	if i := strings.LastIndex(before, "[-"); ok && i >= 0 {
		if v := before[i+2:]; len(v) >= 4 && !strings.ContainsAny(v, " \n{}") && !dummy(v) {
			s.add(a.start-4-len(v), a.start-4, rule)
		}
	}
}

// foldedLines redacts the other lines of a token that a block of YAML holds.
func (s *scanner) foldedLines(a assignment, rule string) {
	const least = 16
	margin := s.text[lineStart(s.text, a.start, maxBlank):a.start]
	for at, n := a.end, 0; n < maxAlike && at < len(s.text) && s.text[at] == '\n'; n++ {
		line, _, _ := strings.Cut(s.text[at+1:min(len(s.text), at+1+maxJudged)], "\n")
		v, ok := strings.CutPrefix(line, margin)
		if v = strings.TrimRight(v, "\r"); !ok || len(v) < least || strings.Trim(v, letters+"0123456789_-.+/=") != "" || !mixed(v) {
			return
		}
		s.add(at+1+len(margin), at+1+len(margin)+len(v), rule)
		at += 1 + len(line)
	}
}

// hasAccount reports whether an account is named shortly before a name, which
// its password then follows.
func (s *scanner) hasAccount(at int) bool {
	for i := max(0, at-80); i < at; i++ {
		switch s.text[i] | 0x20 {
		case 'u':
			if beginsFold(s.text[i:at], "user") {
				return true
			}
		case 'l':
			if beginsFold(s.text[i:at], "login") {
				return true
			}
		case '@' | 0x20:
			if s.text[i] == '@' {
				return true
			}
		}
	}
	return false
}

// accountName returns the length of the name of NAME:PASSWORD, with the colon.
func accountName(v string) int {
	if i := strings.IndexByte(v, ':'); i > 0 && wordLike(v[:i]) && len(v)-i > 4 && v[i+1] != '/' {
		return i + 1
	}
	return 0
}

// replaced redacts the old value of "the password was changed from OLD to NEW".
func (s *scanner) replaced(to int) {
	rest, _, _ := strings.Cut(s.text[to:min(len(s.text), to+maxTold)], "\n")
	i := strings.Index(rest, " from ")
	if i < 0 {
		return
	}
	at := to + i + len(" from ")
	words := fieldSpans(s.text, at, min(len(s.text), at+96))
	if len(words) == 0 {
		return
	}
	word := s.text[words[0][0]:words[0][1]]
	v := strings.Trim(word, "\"'`,.;")
	if from := words[0][0] + strings.Index(word, v); v != "" && !dummy(v) && (chosen(v) || picked(v) || heldOut(v)) {
		s.add(from, from+len(v), rulePassword)
		if len(words) > 2 && in(s.text[words[1][0]:words[1][1]], " to auf zu in a para na til ") {
			s.argument(words[2][0], words[2][1])
		}
	}
}

// branches redacts the literals of NAME = condition ? "…" : "…".
func (s *scanner) branches(at int) {
	for _, l := range s.literals(at) {
		if typedPassword(s.text[l.start:l.end]) {
			s.add(l.start, l.end, rulePassword)
		}
	}
}

// returned redacts the literal that a function with the name of a password gives back.
func (s *scanner) returned(from, to int) {
	if keyStrength(s.text[from:to]) != passwordKey {
		return
	}
	rest := s.text[to:min(len(s.text), to+96)]
	i := strings.Index(rest, "return ")
	if i < 0 || strings.Count(rest[:i], "\n") > 1 {
		return
	}
	if a, ok := (assignment{sep: equals, reach: 256}).value(s.text, to+i+len("return ")); ok && a.quoted && typedPassword(s.text[a.start:a.end]) {
		s.add(a.start, a.end, rulePassword)
	}
}

// keyedBefore redacts the literal before a key in a call: set("…", forKey: "password").
func (s *scanner) keyedBefore(end int) {
	a, ok := assignment{sep: colon, reach: maxName}.value(s.text, end)
	if !ok || !a.quoted || keyStrength(s.text[a.start:a.end]) < tokenKey {
		return
	}
	list := s.literals(lineStart(s.text, end, 160))
	if len(list) > 0 && list[0].end < end && typedPassword(s.text[list[0].start:list[0].end]) {
		s.add(list[0].start, list[0].end, rulePassword)
	}
}

// flaggedValue redacts the value of "--name PW --value VALUE".
func (s *scanner) flaggedValue(end int) {
	line := s.text[lineStart(s.text, end, 200):end]
	_, name, ok := strings.Cut(lowerASCII(line), "-name ")
	name, _, _ = strings.Cut(name, " ")
	if words := fieldSpans(s.text, end, min(len(s.text), end+128)); ok && len(words) > 0 && keyStrength(strings.Trim(name, "\"'")) >= tokenKey {
		s.argument(words[0][0], words[0][1])
	}
}

// shortPair redacts the password of "u: ann p: VALUE".
func (s *scanner) shortPair(end int) {
	line := lowerASCII(s.text[lineStart(s.text, end, 80):end])
	words := fieldSpans(s.text, end, min(len(s.text), end+80))
	if len(words) == 0 || !strings.HasPrefix(line, "u: ") && !strings.Contains(line, " u: ") && !strings.Contains(line, "user") && !strings.Contains(line, "login") {
		return
	}
	v := strings.TrimRight(s.text[words[0][0]:words[0][1]], ".,;)\"'`")
	if chosen(v) || picked(v) {
		s.add(words[0][0], words[0][0]+len(v), rulePassword)
	}
}

// accountAnd redacts the password of "connect with root and VALUE".
func (s *scanner) accountAnd(end int) {
	before := lowerASCII(s.text[lineStart(s.text, end, 48):end])
	if !strings.Contains(before, "with ") && !strings.Contains(before, "as ") && !strings.Contains(before, "login ") && !strings.Contains(before, "log in ") {
		return
	}
	words := fieldSpans(s.text, end, min(len(s.text), end+80))
	if len(words) == 0 {
		return
	}
	v := strings.TrimRight(s.text[words[0][0]:words[0][1]], ".,;)\"'`")
	if chosen(v) || typedByHand(v) && !hostLike(v) {
		s.add(words[0][0], words[0][0]+len(v), rulePassword)
	}
}

// namesPassword is a quick look for names that can be those of passwords.
func namesPassword(name string) bool {
	for i := range len(name) {
		rest, found := name[i:], false
		switch rest[0] | 0x20 {
		case 'p':
			found = beginsFold(rest, "pas") || beginsFold(rest, "pw") || beginsFold(rest, "psk")
		case 's':
			found = beginsFold(rest, "senha")
		case 'w':
			found = beginsFold(rest, "wort") || beginsFold(rest, "woord")
		case 'c':
			found = beginsFold(rest, "clave")
		}
		if found {
			return true
		}
	}
	return false
}
