package privacy

import "strings"

const near = 56 // bytes around a secret word in which a random token is one

// nearby looks for random tokens around a secret word.
func (s *scanner) nearby(from, to int) {
	start, end := max(s.nearEnd, from-near), min(len(s.text), to+near)
	if !s.runNear(start, end) {
		s.nearEnd = max(s.nearEnd, end)
		return
	}
	// Neither another paragraph is near, nor what lies beyond a placeholder: what
	// was far away must not come near because the text between was taken out.
	start = lastWall(s.text, start, max(start, from))
	if end = firstWall(s.text, to, end); start >= end {
		return
	}
	last := end
	for _, r := range s.runs[s.run:] {
		if r.from >= end {
			break
		}
		if r.to <= start {
			continue // behind a wall
		}
		if r.from < start { // the window begins inside a run
			r.from = min(start, max(r.from, s.nearEnd, from-maxJudged))
		}
		if r.to-r.from >= minRun {
			s.randomIn(r.from, r.to)
		}
		last = max(last, r.to)
	}
	s.nearEnd = min(last, len(s.text))
}

// walls are what nothing is near through.
func walls() [3]string { return [...]string{"\n\n", "[REDACTED:", "-----BEGIN "} }

// lastWall returns where the last wall in [from, to) ends, from if there is none.
func lastWall(text string, from, to int) int {
	for _, w := range walls() {
		for {
			i := strings.Index(text[from:to], w)
			if i < 0 {
				break
			}
			from += i + len(w)
		}
	}
	return from
}

// firstWall returns where the first wall in [from, to) begins, to if there is none.
func firstWall(text string, from, to int) int {
	for _, w := range walls() {
		if i := strings.Index(text[from:to], w); i >= 0 {
			to = from + i
		}
	}
	return to
}

// randomIn judges a run of token bytes near a secret word: as a whole, or its
// parts between separators.
func (s *scanner) randomIn(from, to int) {
	run := s.text[from:to]
	if i := strings.LastIndexByte(strings.TrimRight(run, "="), '='); i >= 0 {
		s.randomIn(from+i+1, to) // the name before = stays
		return
	}
	if strings.HasSuffix(s.text[:from], ";base64,") {
		return // an image
	}
	if to-from > 200 || saysDigest(run) {
		return
	}
	if before := s.text[max(0, from-80):from]; len(run) == 40 && (strings.Contains(before, "AKIA") || strings.Contains(before, "aws-access-token")) && surprise(run) > 5 && countKinds(run).sorts() > 2 && !dummy(run) {
		s.addRandom(from, to, from, to)
		return
	}
	longest := 0
	for part := from; part < to; {
		end := part
		for end < to && s.text[end] != '-' && s.text[end] != '_' && s.text[end] != '=' && s.text[end] != '/' {
			end++
		}
		id := part-from >= 4 && agentID(s.text[part-4:end])
		if p := s.text[part:end]; len(p) >= 20 && drawn(p) && !dummy(p) && !id && !camelWords(p) {
			if !s.sealed(from) && !s.openPlace(from, to) {
				start, stop := pathPart(s.text, from, to, part)
				s.addRandom(start, stop, from, to)
			}
			return
		}
		if !id {
			longest = max(longest, end-part)
		}
		part = end + 1
	}
	if len(run) >= 16 && longest >= 10 && drawn(run) && !dummy(run) && (strings.Count(run, "/") < 2 || keyWithSlashes(run)) && !camelWords(run) && !s.sealed(from) && !s.openPlace(from, to) {
		s.addRandom(from, to, from, to)
	}
}

// addRandom adds a token of the run at [from, to), unless the run says that all
// may see it.
func (s *scanner) addRandom(start, stop, from, to int) {
	run := s.text[from:to]
	if strings.HasSuffix(s.text[:from], "encrypted:") || saysSealed(run) || openID(run) || ownerID(run) || image(run) || strings.HasPrefix(run, "_ZN") || strings.HasPrefix(run, "_ZSt") || hashPrefixed(s.text, from) || s.bodyLine(from, to) {
		return
	}
	s.add(start, stop, ruleRandom)
}

const (
	minBodyLine = 40 // bytes of a line of base64
)

// ownerID reports whether a run is the id of a role or a user of AWS, not of a key.
func ownerID(run string) bool {
	return len(run) == 21 && in(run[:4], " AROA AIDA AGPA ANPA ANVA AIPA ") && strings.Trim(run, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// image reports whether base64 is that of a picture.
func image(run string) bool {
	return strings.HasPrefix(run, "iVBORw0KGgo") || strings.HasPrefix(run, "/9j/4AAQSkZJRg") || strings.HasPrefix(run, "R0lGODlh") || strings.HasPrefix(run, "R0lGODdh")
}

// openID reports whether a run is the id of a customer, a price or a payment,
// as Stripe writes them, or of a message or a call of a model: they open nothing.
func openID(run string) bool {
	kind, id, ok := strings.Cut(run, "_")
	if kind == "cs" { // a session of a checkout; its secret goes on behind it
		id = strings.TrimPrefix(strings.TrimPrefix(id, "live_"), "test_")
		return id != "" && strings.IndexByte(id, '_') < 0
	}
	return ok && in(kind, " cus pi price evt acct prod sub in ch pm si txn req seti toolu srvtoolu msg call run thread asst resp rs fc ws chatcmpl msgbatch prt ses sesn sthr wrkspc agent session ") && groupEnd(id, 0) == len(id)
}

// sealed reports whether a run is what a tool made of a secret that nobody can
// read without its key: ENC[AES256_GCM,data:…] of sops, ENC(…) of Jasypt.
func (s *scanner) sealed(at int) bool {
	before := s.text[max(0, at-maxSealed):at]
	if !strings.Contains(before, "ENC") { // far quicker than to look from the end
		return false
	}
	i := strings.LastIndex(before, "ENC")
	return i+3 < len(before) && (strings.HasPrefix(before[i:], "ENC[AES") && !strings.Contains(before[i:], "]") || before[i+3:] == "(")
}

const maxSealed = 1200

// pathPart narrows a run to the part between slashes that holds the byte at,
// where the other parts are words: a token in a path does not take the path
// with it. A slash inside base64 has no words around it.
func pathPart(text string, from, to, at int) (int, int) {
	start := from + strings.LastIndexByte(text[from:at], '/') + 1
	end := to
	if i := strings.IndexByte(text[at:to], '/'); i >= 0 {
		end = at + i
	}
	if keyWithSlashes(text[from:to]) && (from == 0 || strings.IndexByte("/.:@", text[from-1]) < 0) && strings.Count(text[from:to], "/") == 1 {
		return from, to
	}
	for _, part := range strings.Split(strings.Trim(text[from:start]+text[end:to], "/"), "/") {
		if part != "" && !plainWords(part) {
			return from, to
		}
	}
	return start, end
}

// bodyLine reports whether a run is one of several lines of the same base64
// body: a certificate, a signature, an image.
func (s *scanner) bodyLine(from, to int) bool {
	if to-from < 40 {
		return false
	}
	line := to - from
	if to < len(s.text) && s.text[to] == '\n' && longestBase64(s.text[to+1:min(len(s.text), to+1+line)]) == line {
		return true
	}
	return from > line && s.text[from-1] == '\n' && longestBase64(s.text[from-1-line:from-1]) == line
}

// hashPrefixed reports whether a token is a digest that says so.
func hashPrefixed(text string, at int) bool {
	before := text[max(0, at-12):min(len(text), at+8)]
	for i := range len(before) {
		if saysDigest(before[i:]) {
			return true
		}
	}
	return false
}

// saysDigest reports whether a text begins with the name of a digest, or with
// what the public half of a key begins with.
func saysDigest(s string) bool {
	switch s[0] | 0x20 {
	case 's':
		return beginsFold(s, "sha1") || beginsFold(s, "sha256") || beginsFold(s, "sha384") || beginsFold(s, "sha512") || beginsFold(s, "ssh-")
	case 'h':
		return beginsFold(s, "h1:")
	case 'm':
		return beginsFold(s, "md5")
	case 'i':
		return beginsFold(s, "integrity")
	case 'b':
		return beginsFold(s, "blake")
	case 'e':
		return beginsFold(s, "etag") || beginsFold(s, "ecdsa-")
	case 'c':
		return beginsFold(s, "crc")
	case 'a':
		return beginsFold(s, "aaaab3nz") || beginsFold(s, "aaaac3nz") || beginsFold(s, "aaaae2vj")
	}
	return false
}

// camelWords reports whether a run is a name of code: words that can be spoken
// make up most of it.
func camelWords(run string) bool {
	var room [maxWords]string
	spoken := 0
	for _, w := range nameWords(run, room[:0]) {
		if len(w) >= 3 && surprise(w) < 6 {
			spoken += len(w)
		}
	}
	return spoken*10 >= len(run)*6 && countKinds(run).digits <= 4
}
