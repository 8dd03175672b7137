package privacy

// views says which normalised forms of a text must be scanned too.
type views uint8

// finish does what needs the whole text: other views, wrapped lines.
func (s *scanner) finish() {
	s.wrapped()
}

// wrapped extends spans that end at a line's end over their continuation.
func (s *scanner) wrapped() {
	for i := range s.spans {
		sp := &s.spans[i]
		if sp.rule == rulePEM || sp.end >= len(s.text) || s.text[sp.end] != '\n' {
			continue
		}
		if rest := s.text[sp.end+1:]; continues(rest) {
			end := 0
			for end < len(rest) && !isSpace(rest[end]) {
				end++
			}
			s.add(sp.end+1, sp.end+1+end, sp.rule)
		}
	}
}

// continues reports whether a line is the rest of a token that was broken by a
// hard wrap: one word that no sentence, list or program would hold.
func continues(rest string) bool {
	end := 0
	for end < len(rest) && end < 512 && rest[end] > ' ' {
		end++
	}
	line := rest[:end]
	if end < 4 || end < len(rest) && rest[end] != '\n' && rest[end] != '\r' {
		return false
	}
	n := countKinds(line)
	for i := range len(line) {
		if c := line[i]; c == '=' && i < len(line)-2 || c == ':' || c == '"' || c == '\'' || c == '(' || c == '{' || c == '<' || c == '[' || c == '$' || c >= 0x80 {
			return false
		}
	}
	if n.digits == 0 {
		return len(line) >= 12 && n.upper > 1 && n.lower > 1 && surprise(line) > 6
	}
	return n.lower+n.upper > 0 && (n.runs > 1 || surprise(line) > 5.5) && line[0] != '-' && line[0] != '#'
}
