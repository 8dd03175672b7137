package privacy

import "strings"

// heldOut reports whether a word that a sentence leads to can only be a secret.
func heldOut(v string) bool {
	n := countKinds(v)
	return len(v) >= 7 && !pathLike(v) && !typeName(v) && !dummy(v) &&
		(chosen(v) && symbolic(v) && !operands(v) || typedByHand(v) && !hostLike(v) || n.digits > 0 && n.upper > 0 && handWritten(v) && !nameAndNumber(v) || markedWord(v))
}

// nameAndNumber reports whether a value is a name and its number: Build_42.
func nameAndNumber(v string) bool {
	i := strings.LastIndexAny(v, "_-.")
	return i > 0 && countKinds(v).other == 1 && integer(v[i+1:]) && len(v)-i <= 4 && countKinds(v[:i]).digits == 0
}

// bracketed redacts a password that brackets behind it call one: "VALUE (that's
// the password of the shop)".
func (s *scanner) bracketed(from int) {
	start := lineStart(s.text, from, 120)
	open := strings.LastIndexByte(s.text[max(start, from-40):from], '(')
	if open < 0 {
		return
	}
	open += max(start, from-40)
	if said := s.text[open+1 : from]; open-start < 7 || s.text[open-1] != ' ' || strings.Trim(said, letters+"' ") != "" || strings.Count(said, " ") > 5 {
		return
	}
	words := fieldSpans(s.text, start, open-1)
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	if v := strings.Trim(s.text[last[0]:last[1]], "\"'`"); v != "" && heldOut(v) {
		at := last[0] + strings.Index(s.text[last[0]:last[1]], v)
		s.add(at, at+len(v), rulePassword)
	}
}

// replyWords lead from who answers to the answer.
var replyWords = []string{"it's ", "its ", "it is ", "that's ", "es ist ", "ist ", "das ist ", "lautet ", "c'est ", "es ", "é ", "è ", "het is ", "sure, ", "sure: ", "yes, ", "ja, ", "klar, ", "oui, ", "sí, ", "sim, "}

// answeredBelow redacts the answer to a question that ends in the line above: one
// word, behind who says it and "it's".
func (s *scanner) answeredBelow(at int, line string) {
	for range 2 {
		low := lowerASCII(line)
		for _, w := range replyWords {
			if strings.HasPrefix(low, w) {
				at, line = at+len(w), line[len(w):]
				break
			}
		}
	}
	v := strings.TrimRight(line, " \t\r.\"'`")
	n := len(v)
	v = strings.TrimLeft(v, " \t\"'`")
	at += n - len(v)
	if v == "" || strings.ContainsAny(v, " \t?") || typeName(v) || dummy(v) {
		return
	}
	if heldOut(v) || handWritten(v) || picked(v) || alone(v) && !integer(v) || len(v) >= 16 && random(v) {
		s.add(at, at+len(v), rulePassword)
	}
}
