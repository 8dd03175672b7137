package privacy

import "strings"

const (
	maxObject = 600 // bytes to each side of a value in which its object is looked for
	maxMarks  = 400 // values of one text that are looked at so: only a flood has more
)

// beside redacts the literal of a member called "value" when another member of
// the same object says that it is secret: its name, its type, a mark.
func (s *scanner) beside(end int) {
	if s.marks++; s.marks > maxMarks {
		return
	}
	from, to := nameAt(s.text, end-1)
	a, ok := assigned(s.text, from, to, maxJudged)
	if !ok || a.sep != colon && a.sep != equals {
		return
	}
	v := s.text[a.start:a.end]
	if strings.IndexByte(v, '=') > 0 && len(v) > 8 && strings.Contains(lowerASCII(s.text[max(0, from-48):from]), "cookie") && s.markOf(from, a.end) >= tokenKey {
		s.cookies(a.start, v)
		return
	}
	if len(v) < 6 || dummy(v) || strings.Contains(v, " ") && !strings.HasPrefix(v, "Bearer ") || pathLike(v) {
		return
	}
	drawn := chosen(v) || typedByHand(v) || random(v)
	if !drawn && !mixed(v) && !oneWord(v) {
		return
	}
	k := s.markOf(from, a.end)
	if k < tokenKey || k == tokenKey && !drawn {
		return
	}
	start := a.start + len(v) - len(strings.TrimPrefix(v, "Bearer "))
	s.add(start, a.end, ruleOf(k))
}

// markOf returns how sure what stands around a member makes it secret.
func (s *scanner) markOf(from, to int) strength {
	open, depth := from, 0
	for least := max(0, from-maxObject); open > least; open-- {
		switch s.text[open-1] {
		case '}':
			depth++
			continue
		case '{':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth >= 0 {
		return max(s.listed(from, to), s.inTag(from))
	}
	shut := to
	if n := strings.IndexByte(s.text[to:min(len(s.text), to+maxObject)], '}'); n >= 0 {
		shut = to + n
	}
	k := max(telling(s.text[open:from]), telling(s.text[to:shut]))
	if k > weakKey {
		return k
	}
	before := strings.TrimRight(s.text[max(0, open-1-maxName):open-1], " \t\r\n:\\\"'")
	name, _ := nameAt(before, len(before))
	return keyStrength(before[name:])
}

// listed returns what the lines around a member of YAML say: its name in the
// line below, or the key above that it belongs to.
func (s *scanner) listed(from, to int) strength {
	if rest := strings.TrimLeft(s.text[to:min(len(s.text), to+160)], "\"' \t"); strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") {
		line, _, _ := strings.Cut(strings.TrimLeft(rest, "\r\n \t"), "\n")
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return keyStrength(strings.Trim(name, " \r\"'"))
		}
		if name, ok := strings.CutPrefix(line, "key:"); ok {
			return keyStrength(strings.Trim(name, " \r\"'"))
		}
	}
	start := lineStart(s.text, from, 80)
	if start < 2 || strings.TrimLeft(s.text[start:from], " \t") != "" || start == from {
		return notSecret
	}
	above := strings.TrimRight(s.text[lineStart(s.text, start-1, 120):start-1], " \r")
	key, ok := strings.CutSuffix(above, ":")
	if !ok || len(above)-len(strings.TrimLeft(above, " \t")) >= from-start {
		return notSecret
	}
	return keyStrength(strings.Trim(key, " \t\"'-"))
}

// marks are what members of an object say of their value, without blanks.
var marks = []struct {
	text string
	k    strength
}{
	{`"type":"securestring"`, passwordKey}, {`"type":"concealed"`, passwordKey}, {`"type":"secret"`, passwordKey}, {`"type":"password"`, passwordKey},
	{`"sensitive":true`, passwordKey}, {`"secret":true`, passwordKey}, {`"masked":true`, passwordKey}, {`/secrets/`, passwordKey},
}

// nameMembers say what the value of their object is called.
var nameMembers = []string{`"name":"`, `"key":"`, `"label":"`, `"field":"`, `"variable":"`, `name:"`, `name:'`, `key:"`, `key:'`}

// telling returns how sure a part of an object makes its value secret.
func telling(part string) strength {
	low := closeUp(part)
	lower := lowerASCII(low)
	for _, m := range marks {
		if strings.Contains(lower, m.text) {
			return m.k
		}
	}
	best := notSecret
	for _, m := range nameMembers {
		if i := strings.Index(lower, m); i >= 0 {
			name, _, _ := strings.Cut(low[min(len(low), i+len(m)):], `"`)
			k := keyStrength(name)
			if lowName := strings.ToLower(name); k == weakKey && in(lowName, " authorization auth cookie session ") {
				k = tokenKey
			}
			best = max(best, k)
		}
	}
	return best
}

// handedOut redacts what a program or a server hands out below or behind a line
// that is its own: "New value: …", the answer to SMTP's question for a password.
func (s *scanner) handedOut(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	at := end
	switch {
	case strings.HasSuffix(s.text[:end], "\n"):
		line, at = strings.TrimPrefix(line, "C: "), end+len(line)-len(strings.TrimPrefix(line, "C: "))
	case s.text[end-1] != ' ':
		n := strings.IndexByte(line, ':') + 1
		line, at = strings.TrimLeft(line[n:], " "), end+n+len(line[n:])-len(strings.TrimLeft(line[n:], " "))
		if n == 0 {
			return
		}
	case !strings.Contains(lowerASCII(s.text[max(0, end-160):end]), "password"):
		return
	}
	if v := strings.TrimRight(line, " \r"); len(v) >= 4 && !strings.Contains(v, " ") && !dummy(v) {
		s.add(at, at+len(v), rulePassword)
	}
}

// jwk redacts the private members of a JSON Web Key.
func (s *scanner) jwk(end int) {
	if end < s.jwkEnd {
		return
	}
	from, to := max(0, end-2_000), min(len(s.text), end+4_000)
	s.jwkEnd = to
	for _, member := range []string{`"d":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `"k":`} {
		for at := from; ; {
			i := strings.Index(s.text[at:to], member)
			if i < 0 {
				break // a set holds several keys
			}
			at += i + len(member)
			if a, ok := (assignment{sep: colon, reach: maxValue}).value(s.text, at); ok && a.quoted && a.end-a.start >= 16 {
				s.add(a.start, a.end, "private-key")
			}
		}
	}
}

// codes redacts the codes of a list that lets somebody in without the second factor.
func (s *scanner) codes(end int) {
	if s.marks++; end < s.codesEnd || s.marks > maxMarks {
		return
	}
	rest := s.text[end:min(len(s.text), end+600)]
	n := strings.IndexByte(rest, ':')
	if n < 0 || n > 60 || strings.Contains(rest[:n], "\n") {
		s.codesBelow(end)
		return
	}
	var list [][2]int
	for _, w := range fieldSpans(s.text, end+n+1, end+len(rest)) {
		v := strings.Trim(s.text[w[0]:w[1]], ".),;-*")
		if integer(v) && len(v) < 3 || v == "" {
			continue // the number of the code
		}
		if len(v) < 6 || len(v) > 24 || !strings.ContainsAny(v, "0123456789") || strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || dated(v) {
			break
		}
		list = append(list, w)
	}
	if len(list) < 2 {
		s.codesBelow(end)
		return
	}
	for _, w := range list {
		s.codesEnd = w[1]
		s.add(w[0], w[1], ruleSecret)
	}
}

// codesBelow redacts the codes that stand in lines of their own below a heading and
// a few lines of advice. They all look the same.
func (s *scanner) codesBelow(end int) {
	const reach, advice = 900, 5
	limit := min(len(s.text), end+reach)
	var list [][2]int
	for at, lines := lineEndFrom(s.text, end), 0; at < limit && lines < advice; {
		to := min(lineEndFrom(s.text, at), limit)
		words := fieldSpans(s.text, at, to)
		at = to
		for _, w := range words {
			v := s.text[w[0]:w[1]]
			if codeForm(v) && (len(list) == 0 || len(v) == list[0][1]-list[0][0]) {
				list = append(list, w)
				continue
			}
			if len(list) > 0 || w != words[0] || !integer(strings.TrimRight(v, ".)")) {
				lines++
				break
			}
		}
		if len(list) > 0 && len(words) == 0 {
			break
		}
	}
	if len(list) < 3 {
		return
	}
	for _, w := range list {
		s.codesEnd = w[1]
		s.add(w[0], w[1], ruleSecret)
	}
}

// codeForm reports whether a word is one of the codes of a list: groups of letters
// and digits that dashes join, or one group.
func codeForm(v string) bool {
	n := countKinds(v)
	return len(v) >= 8 && len(v) <= 24 && n.digits > 0 && (n.lower == 0 || n.upper == 0) && strings.Trim(lowerASCII(v), "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && !dated(v) && !integer(v)
}

// inTag returns what the name attribute of the element says that a value is of.
func (s *scanner) inTag(from int) strength {
	back := s.text[max(0, from-200):from]
	tag := back[strings.LastIndexByte(back, '<')+1:]
	i := strings.Index(tag, "name=\"")
	if i < 0 || strings.Contains(tag, ">") {
		return notSecret
	}
	name, _, _ := strings.Cut(tag[i+len("name=\""):], "\"")
	return keyStrength(name)
}

// closeUp takes the blanks and the escapes of quotes out of a text.
func closeUp(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i]; c > ' ' && c != '\\' {
			out = append(out, c)
		}
	}
	return string(out)
}
