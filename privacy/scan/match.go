package scan

import (
	"regexp"
	"slices"
	"strings"

	"keepmum/privacy/rules"
	"keepmum/privacy/value"
)

// budget is how many bytes a rule may read, per byte of the text. If a word repeats so often that it costs more, the
// rest of the text is searched once, in linear time, instead of once per word.
const budget = 2

// try looks for a rule whose word is at [start, end).
func try(s *Scanner, r *rules.Rule, start, end int) {
	switch r.At {
	case rules.AtStart:
		if r.Letter && start > 0 && value.Letter(s.Text[start-1]) {
			return
		}
		if len(s.Text)-start < r.Min || r.Before && !FreeBefore(s.Text, start) || !Solid(s.Text[start:start+r.Min]) {
			cutToken(s, r, start, end)
			return
		}
		anchor(s, r, start)
	case rules.AtName:
		if !oneCase(s.Text[start:end]) {
			return // "sumOf" is not Sumo
		}
		if at, ok := vendorValueAt(s, end); ok {
			anchor(s, r, at)
		}
	case rules.AtNear:
		near(s, r, start, end)
	case rules.AtToken:
		token(s, r, start, end)
	}
}

// anchor matches a rule at one offset.
func anchor(s *Scanner, r *rules.Rule, at int) {
	window := min(len(s.Text), at+r.Max+1)
	if at < s.reported[r] || !pay(s, r, min(window-at, 2*r.Min), at) {
		return
	}
	r.Compile()
	if m := r.Anchored.FindStringSubmatchIndex(s.Text[at:window]); m != nil && !report(s, r, m, at) {
		s.spent[r] += m[1] // already charged, but it will be read again
	}
}

// token matches a rule against the token that contains the word.
func token(s *Scanner, r *rules.Rule, start, end int) {
	from, to := start, end
	for from > 0 && start-from < r.Max && TokenByte(s.Text[from-1]) {
		from--
	}
	for to < len(s.Text) && to-end < r.Max && (TokenByte(s.Text[to]) || s.Text[to] == '=') {
		to++
	}
	if to-from < r.Min || to-from > r.Max {
		return
	}
	r.Compile()
	if m := r.Anchored.FindStringSubmatchIndex(s.Text[from:to]); m != nil {
		report(s, r, m, from)
	}
}

// near searches a rule around a word. The window reaches far ahead, so that later words are already covered: many small
// overlapping windows would cost more than the length of the text.
func near(s *Scanner, r *rules.Rule, start, end int) {
	searched := s.reported[r]
	if end+r.Max <= searched {
		return
	}
	from := max(0, start-r.Max, searched-r.Max)
	to := min(len(s.Text), end+4*r.Max+256)
	r.Compile()
	for from < to && strings.Contains(s.Text[from:to], r.Literal) {
		m := r.Anywhere.FindStringSubmatchIndex(s.Text[from:to])
		if m == nil {
			break
		}
		report(s, r, m, from)
		from += max(m[1], 1)
	}
	s.reported[r] = to
}

// pay charges a rule for its work. When the budget is used up, the rest of the text is searched once, and the rule is
// done.
func pay(s *Scanner, r *rules.Rule, bytes, at int) bool {
	limit := budget*len(s.Text) + 4096
	used := s.spent[r]
	if used > limit {
		return false
	}
	s.spent[r] = used + bytes
	if used+bytes <= limit {
		return true
	}
	r.Compile()
	for at < len(s.Text) {
		m := r.Anywhere.FindStringSubmatchIndex(s.Text[at:])
		if m == nil {
			break
		}
		report(s, r, m, at)
		at += max(m[1], 1)
	}
	return false
}

// report adds the secret of a match, unless it is an example or part of a longer token of another kind. It reports
// whether it did.
func report(s *Scanner, r *rules.Rule, m []int, base int) bool {
	from, to := base+m[0], base+m[1]
	if len(m) >= 4 && m[2] >= 0 {
		from, to = base+m[2], base+m[3]
	}
	if r.Before && !FreeBefore(s.Text, from) || r.After && continued(s.Text[to:]) || excepted(r, s.Text[from:to]) {
		return false
	}
	if !r.After { // no part of a longer token may stay
		for to < len(s.Text) && value.WordByte(s.Text[to]) {
			to++
		}
	}
	Add(s, from, to, r.ID)
	if r.At != rules.AtNear {
		s.reported[r] = to
	}
	return true
}

// continued reports whether a token continues with the rest of a text.
func continued(rest string) bool { return rest != "" && TokenByte(rest[0]) && !looseEnd(rest) }

// excepted reports whether what a rule matched is an example or a name, and no token.
func excepted(r *rules.Rule, token string) bool {
	if r.Entropy > 0 && value.Entropy(token) < r.Entropy || value.Placeholder(token) {
		return true
	}
	n, named := value.CountKinds(token), false
	switch r.At {
	case rules.AtStart: // a long name that starts like a token
		named = n.Digits == 0 && len(token) < 80 && value.CrossEntropy(token) < value.DrawnAtAll && !value.Repetitive(token)
	case rules.AtName: // a name in code next to a vendor's name
		named = n.Upper > 0 && n.Lower > 2*n.Upper && value.CamelWords(token)
	}
	return named || slices.ContainsFunc(r.Allowed, func(a *regexp.Regexp) bool { return a.MatchString(token) })
}

// cutToken redacts a token that starts like one of a rule's and is truncated by the end of the text: a truncated key is
// still a key.
func cutToken(s *Scanner, r *rules.Rule, start, end int) {
	if end-start < 3 || !strings.ContainsAny(s.Text[start:end], "-_.~") || !FreeBefore(s.Text, start) ||
		!oneCase(s.Text[start:end]) || r.InCapitals(s.Text[start:end]) {
		return
	}
	to := end
	for to < len(s.Text) && to-start < r.Min && TokenByte(s.Text[to]) {
		to++
	}
	if body := s.Text[end:to]; len(body) < 8 || !truncates(s.Text[to:]) || !value.Mixed(body) || readable(body) {
		return
	}
	r.Compile()
	alike := func(a *regexp.Regexp) bool { return a.MatchString(s.Text[start:to]) } // another's token
	if !slices.ContainsFunc(r.Allowed, alike) {
		Add(s, start, to, r.ID)
	}
}

// truncates reports whether a token is cut off by what follows: the end of the text, a mark for that, a hard wrap.
func truncates(rest string) bool {
	if strings.HasPrefix(rest, "\n") {
		return Continues(rest[1:])
	}
	return rest == "" || value.BeginsWithAny(rest, "...", "…", "[CUT:")
}

// oneCase reports whether a word is in lower case, in upper case, or has only its first letter in upper case.
func oneCase(word string) bool {
	n := value.CountKinds(word)
	return n.Upper == 0 || n.Lower == 0 || n.Upper == 1 && word[0] <= 'Z'
}

// FreeBefore reports whether a token can start at an offset: it does not continue a word, or it follows an escape such
// as \n, or the two underscores between the parts of the name of a tool.
func FreeBefore(text string, at int) bool {
	if at == 0 {
		return true
	}
	if c := text[at-1]; !value.WordByte(c) {
		return c != '+' && c != '/' || !inBody(text, at-1)
	}
	if at < 2 {
		return false
	}
	return text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 || text[at-2:at] == "__"
}

// inBody reports whether an offset is in a long run of base64, which may begin on the line before.
func inBody(text string, at int) bool {
	const long = 24
	run := text[max(0, at-long-1):at]
	if n := strings.IndexByte(run, '\n'); n >= 0 {
		run = run[:n] + run[n+1:]
	}
	if len(run) < long {
		return false
	}
	run = run[len(run)-long:]
	return strings.IndexFunc(run, notBase64) < 0 && !value.ReadsLikeWords(run)
}

func notBase64(r rune) bool {
	return r >= 0x80 || !value.Alphanumeric(byte(r)) && r != '+' && r != '/'
}

// looseEnd reports whether what follows a token is an escape or a separator that only looks like part of it.
func looseEnd(rest string) bool {
	return (rest[0] == '-' || rest[0] == '.') && (len(rest) == 1 || !value.WordByte(rest[1]))
}

// Solid reports whether a text has no blanks and no quotes.
func Solid(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == '"' || s[i] == '\'' || s[i] == '`' {
			return false
		}
	}
	return true
}

// TokenByte reports whether a byte can be in a token or in a name with dashes.
func TokenByte(c byte) bool { return value.WordByte(c) || c == '-' }

// readable reports whether the beginning of a token is rather a name or words: as-well-as-16.
func readable(body string) bool {
	return shortParts(body) || value.Placeholder(body) || wordsAndNumbers(body)
}

// wordsAndNumbers reports whether a text is words in small letters and numbers, joined by hyphens.
func wordsAndNumbers(v string) bool {
	for part := range strings.SplitSeq(v, "-") {
		n := value.CountKinds(part)
		if n.Lower < len(part) && n.Digits < len(part) {
			return false
		}
	}
	return strings.Contains(v, "-")
}

// shortParts reports whether a text is many short parts joined by underscores: r8_g8b8_420_unorm is a name in code, not
// a truncated token.
func shortParts(v string) bool {
	longest := 0
	for part := range strings.SplitSeq(v, "_") {
		longest = max(longest, len(part))
	}
	return longest < 10 && strings.Contains(v, "_")
}
