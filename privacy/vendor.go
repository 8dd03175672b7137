package privacy

import "strings"

// offered redacts the word at an offset when it can only be a key: letters and
// digits that a machine drew, 24 at least, or 32 of hex.
func (s *scanner) offered(at int) bool {
	for at < len(s.text) && strings.IndexByte("\"'`", s.text[at]) >= 0 {
		at++
	}
	to := at
	for to < len(s.text) && to-at < 128 && tokenByte(s.text[to]) {
		to++
	}
	if v := s.text[at:to]; (to == len(s.text) || strings.IndexByte(" \t\r\n\"'`.,;)", s.text[to]) >= 0) && drawnKey(v) {
		s.add(at, to, ruleSecret)
		return true
	}
	return false
}

// drawnKey reports whether a token that nothing but its place says is a key has
// the form of one. Hex is only with 32 digits: with 40 and 64 it is a hash.
func drawnKey(v string) bool {
	if n := countKinds(v); n.hex {
		return len(v) == 32 && hexKey(v)
	}
	return len(v) >= 24 && drawn(v) && !dummy(v) && !camelWords(v) && !openID(v)
}
