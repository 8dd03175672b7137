package privacy

import "strings"

// spaced returns the end of a password with blanks in it that its form or what is said
// of it gives away, 0 when a value is none.
func (s *scanner) spaced(a assignment) int {
	if a.sep != blank && a.sep != colon && a.sep != equals && a.sep != column {
		return 0
	}
	const groups = len("abcd abcd abcd abcd")
	if end := a.start + groups; end <= len(s.text) && (end == len(s.text) || !tokenByte(s.text[end])) {
		if v := s.text[a.start:end]; fourByFour(v) && drawnGroups(v) {
			return end
		}
	}
	if a.quoted {
		return 0
	}
	line, _, _ := strings.Cut(s.text[a.start:min(len(s.text), a.start+120)], "\n")
	for _, mark := range []string{" (", ", ", " - ", " – ", "; "} {
		v, remark, ok := strings.Cut(line, mark)
		if ok && saysSpaced(remark) && inWords(v) && strings.IndexByte(v, ' ') > 0 {
			return a.start + len(v)
		}
	}
	return 0
}

// saysSpaced reports whether a remark begins by saying that a value has blanks.
func saysSpaced(remark string) bool {
	remark = lowerASCII(remark[:min(len(remark), 48)])
	if i := strings.IndexAny(remark, ").;\n"); i >= 0 {
		remark = remark[:i]
	}
	for _, no := range []string{"no ", "not", "without", "must", "may ", "can", "allow", "ohne", "kein", "sin ", "sans", "senza", "sem ", "bez ", "utan", "uden", "uten", "zonder"} {
		if strings.Contains(remark, no) {
			return false
		}
	}
	for _, w := range []string{"space", "blanks", "leerzeichen", "espacio", "espace", "espaço", "spazi", "spacj", "mezer", "spatie", "mellanslag", "mellomrom", "mellemrum", "boşluk", "szóköz", "välilyön", "пробел", "空格", "スペース"} {
		if strings.Contains(remark, w) {
			return true
		}
	}
	return false
}

// linking are words that a message has too, which stand between the others of a
// phrase that somebody picked; numerals may also begin it.
const (
	linking  = " the and for with from into onto over under off out all than then when where was are has had her his one two three here there now new old long short great without "
	numerals = " one two three "
)

// phraseOfWords reports whether a value beside the name of an account is a phrase:
// words such as inWords takes, with linking ones between them.
func phraseOfWords(v string) bool {
	words := strings.Fields(v)
	if len(words) < 3 || len(words) > 7 || in(words[len(words)-1], linking) || in(words[0], linking) && !in(words[0], numerals) {
		return false
	}
	rest := words[:0]
	for _, w := range words {
		if !in(w, linking) {
			rest = append(rest, w)
		}
	}
	return len(rest) > 1 && inWords(strings.Join(rest, " "))
}

// elementAccount reports whether an element before or behind one for a password holds
// the name of an account: <username>ann</username>, <entry key="db.user">ann</entry>.
func (s *scanner) elementAccount(from, end int) bool {
	const reach = 240
	near := s.text[max(0, from-reach):from] + "\n" + s.text[end:min(len(s.text), end+reach)]
	low := lowerASCII(near)
	for _, name := range []string{"user", "login", "account"} {
		for at := 0; ; {
			i := strings.Index(low[at:], name)
			if i < 0 {
				break
			}
			at += i + len(name)
			n := strings.IndexAny(low[at:], "> =\n/")
			if n < 0 || low[at+n] != '>' || n > len("name.value\"") {
				continue
			}
			if v, _, ok := strings.Cut(near[at+n+1:], "</"); ok && accountValue(v) {
				return true
			}
		}
	}
	return false
}

// accountValue reports whether a value can be the name of an account, and is none of
// those that forms show beside its field.
func accountValue(v string) bool {
	if v == "" || len(v) > 64 || strings.ContainsAny(v, " <>\n") {
		return false
	}
	if in(v, " root admin guest postgres ") {
		return true
	}
	return v[0] >= 'a' && v[0] <= 'z' && !labelWord(v) && !in(v, kindWords) && !in(v, examples) || digit(v[0]) || strings.IndexByte(v, '@') > 0
}
