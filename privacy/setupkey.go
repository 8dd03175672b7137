package privacy

import "strings"

// manually redacts the key that a page asks to be typed where no camera is: behind
// the colon, or in one of the lines below.
func (s *scanner) manually(end int) {
	const below = 3 // lines
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+160)], "\n")
	if n := strings.IndexByte(line, ':'); n >= 0 && s.keyInGroups(end+n+1, end+len(line)) {
		return
	}
	asked := strings.Trim(line, ":. \r") == ""
	for at, n := end+len(line)+1, 0; n < below && at < len(s.text); n++ {
		if asked && n == 0 {
			s.grouped(at)
		}
		line, _, _ = strings.Cut(s.text[at:min(len(s.text), at+80)], "\n")
		if s.keyInGroups(at, at+len(line)) {
			return
		}
		if v := strings.Trim(line, " \r"); asked && n == 0 && len(v) >= 16 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" && countKinds(v).digits > 0 {
			from := at + strings.Index(line, v)
			s.add(from, from+len(v), ruleSecret)
			return
		}
		at += len(line) + 1
	}
}

// keyInGroups redacts what stands alone in [from, to), if that is a key in base32 as
// such pages show it, in groups of four; what is in brackets behind it is no part of it.
func (s *scanner) keyInGroups(from, to int) bool {
	const group, least = 4, 4
	v := strings.TrimLeft(s.text[from:to], " \t")
	from = to - len(v)
	if n := strings.Index(v, " ("); n > 0 {
		v = v[:n]
	}
	v = strings.TrimRight(v, " \r\t.")
	groups := strings.Split(v, " ")
	if len(groups) < least || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz234567 ") != "" && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567 ") != "" || !drawnGroups(v) {
		return false
	}
	for i, g := range groups {
		if len(g) != group && i < len(groups)-1 || len(g) > group || g == "" {
			return false
		}
	}
	s.add(from, from+len(v), ruleSecret)
	return true
}

// drawnGroups reports whether groups of letters are no words.
func drawnGroups(v string) bool {
	const bound = 5
	return surprise(v) >= bound
}
