package privacy

import "strings"

// listedInElement redacts the drawn values of the attributes of what an element holds
// that is called apikeys, tokens or secrets: <apikeys><add key="…" value="…" />.
func (s *scanner) listedInElement(n *called) {
	const reach = 2_000
	if n.from < 1 || s.text[n.from-1] != '<' || n.to >= len(s.text) || s.text[n.to] != '>' || s.text[n.to-1]|0x20 != 's' || s.marks > maxMarks {
		return
	}
	s.marks++
	body, _, ok := strings.Cut(s.text[n.to:min(len(s.text), n.to+reach)], "</"+s.text[n.from:n.to]+">")
	if !ok {
		return
	}
	const value = " value=\""
	for at := n.to; ; {
		i := strings.Index(s.text[at:n.to+len(body)], value)
		if i < 0 {
			return
		}
		at += i + len(value)
		to := closing(s.text, at, '"', 0, maxJudged)
		if v := s.text[at:to]; !dummy(v) && (uuidLike(v) || hexKey(v) || len(v) >= 20 && random(v) || chosen(v)) {
			s.add(at, to, ruleSecret)
		}
		at = to
	}
}

// tokenMade redacts the token that Gitea tells once as "sha1", beside its last eight
// signs or below the request for it.
func (s *scanner) tokenMade(end int) {
	const reach = 400
	around, from := s.text[end:min(len(s.text), end+reach)], end
	if s.text[end-1] == 's' { // below /tokens
		lines := strings.SplitN(around, "\n", 4)
		around = strings.Join(lines[:min(len(lines), 3)], "\n")
	} else {
		around, _, _ = strings.Cut(around, "}")
		from = max(0, end-reach)
		from += strings.LastIndexByte(s.text[from:end], '{') + 1
		around = s.text[from : end+len(around)]
	}
	i := strings.Index(around, "\"sha1\"")
	if i < 0 {
		return
	}
	a, ok := assignment{sep: colon, reach: 128}.value(s.text, from+i+len("\"sha1\"")+len(around[i+6:])-len(strings.TrimLeft(around[i+6:], " :")))
	if v := s.text[a.start:a.end]; ok && a.quoted && len(v) == 40 && hexKey(v) {
		s.add(a.start, a.end, ruleSecret)
	}
}

// passBlock redacts the hash in a block of ZNC's settings for a password.
func (s *scanner) passBlock(end int) {
	block, _, ok := strings.Cut(s.text[end:min(len(s.text), end+400)], "</Pass>")
	if !ok || strings.IndexByte(block, '\n') < 0 {
		block, _, _ = strings.Cut(block, "\n\n")
	}
	for _, name := range []string{"Hash = ", "Salt = "} {
		i := strings.Index(block, name)
		if i < 0 {
			return
		}
		v, _, _ := strings.Cut(block[i+len(name):], "\n")
		if v = strings.TrimSpace(v); len(v) >= 12 && !dummy(v) {
			at := end + i + len(name)
			s.add(at, at+len(v), ruleSecret)
		}
	}
}

// ofDevice reports whether a member called "key" stands in an object of a device, with
// which one talks by it at home: beside its id, and its address or protocol.
func (s *scanner) ofDevice(a assignment) bool {
	const size = 16
	v := s.text[a.start:a.end]
	if n := countKinds(v); !a.quoted || a.sep != colon || len(v) != size || n.sorts() < 2 || n.sorts() == 2 && (n.digits < 2 || n.runs < 2) || strings.ContainsAny(v, " \\") || pathLike(v) {
		return false
	}
	open := max(0, a.start-maxObject)
	open += strings.LastIndexByte(s.text[open:a.start], '{') + 1
	shut := strings.IndexByte(s.text[a.end:min(len(s.text), a.end+maxObject)], '}')
	if shut < 0 {
		return false
	}
	object := lowerASCII(closeUp(s.text[open : a.end+shut]))
	id := strings.Contains(object, "\"id\":") || strings.Contains(object, "\"gwid\":") || strings.Contains(object, "\"devid\":") || strings.Contains(object, "\"device_id\":")
	return id && (strings.Contains(object, "\"mac\":") || strings.Contains(object, "\"ip\":"))
}
