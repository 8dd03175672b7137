package privacy

import "strings"

// budget is how many bytes a rule may look at, per byte of the text. A flood
// of its word costs more; the rest of the text is then searched once, in
// linear time, instead of once per word.
const budget = 2

// try looks for a rule whose word stands at [start, end).
func (s *scanner) try(r *rule, start, end int) {
	switch r.at {
	case atStart:
		if r.letter && start > 0 && wordByte(s.text[start-1]|0x20) && s.text[start-1] > '9' && s.text[start-1] != '_' {
			return
		}
		if len(s.text)-start < r.min || r.before && !freeBefore(s.text, start) || !solid(s.text[start:start+r.min]) {
			s.cutToken(r, start, end)
			return
		}
		s.anchor(r, start)
	case atName:
		if !oneCase(s.text[start:end]) {
			return // "sumOf" is not Sumo
		}
		if at, ok := s.vendorValue(end); ok {
			s.anchor(r, at)
		}
	case atNear:
		s.near(r, start, end)
	case atToken:
		s.token(r, start, end)
	}
}

// anchor matches a rule at one offset.
func (s *scanner) anchor(r *rule, at int) {
	window := min(len(s.text), at+r.max+1)
	if at < s.reported[r] || !s.pay(r, min(window-at, 2*r.min), at) {
		return
	}
	r.compile()
	if m := r.anchored.FindStringSubmatchIndex(s.text[at:window]); m != nil && !s.report(r, m, at) {
		s.spent[r] += m[1] // it was paid for, and will be looked at again
	}
}

// token matches a rule with the token that the word stands in.
func (s *scanner) token(r *rule, start, end int) {
	from, to := start, end
	for from > 0 && start-from < r.max && tokenByte(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && to-end < r.max && (tokenByte(s.text[to]) || s.text[to] == '=') {
		to++
	}
	if to-from < r.min || to-from > r.max {
		return
	}
	r.compile()
	if m := r.anchored.FindStringSubmatchIndex(s.text[from:to]); m != nil {
		s.report(r, m, from)
	}
}

// near searches a rule around a word. The window reaches far ahead, so that
// the words to come lie in what was searched: many small windows that overlap
// would cost more than the text is long.
func (s *scanner) near(r *rule, start, end int) {
	searched := s.reported[r]
	if end+r.max <= searched {
		return
	}
	from := max(0, start-r.max, searched-r.max)
	to := min(len(s.text), end+4*r.max+256)
	r.compile()
	for from < to {
		m := r.anywhere.FindStringSubmatchIndex(s.text[from:to])
		if m == nil {
			break
		}
		s.report(r, m, from)
		from += max(m[1], 1)
	}
	s.reported[r] = to
}

// pay charges a rule for its work. When the budget is gone the rest of the
// text is searched once, and the rule is done.
func (s *scanner) pay(r *rule, bytes, at int) bool {
	limit := budget*len(s.text) + 4096
	used := s.spent[r]
	if used > limit {
		return false
	}
	s.spent[r] = used + bytes
	if used+bytes <= limit {
		return true
	}
	r.compile()
	for at < len(s.text) {
		m := r.anywhere.FindStringSubmatchIndex(s.text[at:])
		if m == nil {
			break
		}
		s.report(r, m, at)
		at += max(m[1], 1)
	}
	return false
}

// report adds the secret of a match, unless it is an example or part of a
// longer token of another kind. It says whether it did.
func (s *scanner) report(r *rule, m []int, base int) bool {
	from, to := base+m[0], base+m[1]
	if len(m) >= 4 && m[2] >= 0 {
		from, to = base+m[2], base+m[3]
	}
	if r.before && !freeBefore(s.text, from) || r.after && to < len(s.text) && tokenByte(s.text[to]) && !looseEnd(s.text[to:]) {
		return false
	}
	secret := s.text[from:to]
	if r.entropy > 0 && entropy(secret) < r.entropy || dummy(secret) {
		return false
	}
	if n := countKinds(secret); r.at == atStart && n.digits == 0 && len(secret) < 80 && surprise(secret) < 5 && !repetitive(secret) {
		return false // a long name that begins like a token
	} else if r.at == atName && n.upper > 0 && n.lower > 2*n.upper && camelWords(secret) {
		return false // a name of code beside the name of a vendor
	}
	for _, a := range r.allowed {
		if a.MatchString(secret) {
			return false
		}
	}
	if !r.after { // nothing of a longer token may stay
		for to < len(s.text) && wordByte(s.text[to]) {
			to++
		}
	}
	s.add(from, to, r.id)
	if r.at != atNear {
		s.reported[r] = to
	}
	return true
}

// cutToken redacts a token that begins like one of a rule's and is cut short
// by the end of the text: a truncated key is still a key.
func (s *scanner) cutToken(r *rule, start, end int) {
	if end-start < 3 || !strings.ContainsAny(s.text[start:end], "-_.~") || !freeBefore(s.text, start) || !oneCase(s.text[start:end]) || r.inCapitals(s.text[start:end]) {
		return
	}
	to := end
	for to < len(s.text) && to-start < r.min && tokenByte(s.text[to]) {
		to++
	}
	rest := s.text[to:]
	cut := rest == "" || strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "[CUT:")
	wrapped := rest != "" && rest[0] == '\n' && continues(rest[1:])
	if to-end >= 8 && (cut || wrapped) && !shortParts(s.text[end:to]) && !dummy(s.text[end:to]) && mixed(s.text[end:to]) {
		s.add(start, to, r.id)
	}
}

// inCapitals reports whether a rule's tokens begin with a word in capitals only,
// and this is none: names of pods begin with api-.
func (r *rule) inCapitals(word string) bool {
	return !strings.Contains(r.match, word) && strings.Contains(r.match, strings.ToUpper(word))
}

// oneCase reports whether a word is written in small letters, in capitals, or
// with one capital in front.
func oneCase(word string) bool {
	n := countKinds(word)
	return n.upper == 0 || n.lower == 0 || n.upper == 1 && word[0] <= 'Z'
}

// freeBefore reports whether a token can begin at an offset: what stands
// before it is no part of a word, or an escape such as \n.
func freeBefore(text string, at int) bool {
	if at == 0 {
		return true
	}
	if c := text[at-1]; !wordByte(c) {
		return c != '+' && c != '/' || !inBody(text, at-1)
	}
	return at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0
}

// inBody reports whether an offset lies in a long run of base64.
func inBody(text string, at int) bool {
	n := 0
	for i := at - 1; i >= 0 && n < 24 && (wordByte(text[i]) && text[i] != '_' || text[i] == '+' || text[i] == '/'); i-- {
		n++
	}
	return n >= 24 && !wordy(text[at-24:at])
}

// looseEnd reports whether what follows a token is an escape or a separator
// that only looks like a part of it.
func looseEnd(rest string) bool {
	return rest[0] == '-' && (len(rest) == 1 || !wordByte(rest[1])) || rest[0] == '.' && (len(rest) == 1 || !wordByte(rest[1]))
}

// solid reports whether a text is free of blanks and quotes.
func solid(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == '"' || s[i] == '\'' || s[i] == '`' {
			return false
		}
	}
	return true
}

func wordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}

func tokenByte(c byte) bool { return wordByte(c) || c == '-' }

// shortParts reports whether a text is many short parts with underscores between
// them: r8_g8b8_420_unorm is a name in code and no token that was cut.
func shortParts(v string) bool {
	longest := 0
	for part := range strings.SplitSeq(v, "_") {
		longest = max(longest, len(part))
	}
	return longest < 10 && strings.Contains(v, "_")
}
