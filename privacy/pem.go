package privacy

import "strings"

const rulePEM = "private-key"

// keyBodies are how the base64 of private keys begins or goes on, for keys
// that lost their BEGIN line: PKCS#1, PKCS#8, SEC 1, Ed25519, OpenSSH, PuTTY.
var keyBodies = []string{
	"mii", "b3blbnnzac1rzxktdje", "mc4caqawbqydk2v", "mhccaqee", "mighageamb", "mfmcaqew", "private-lines:",
}

// pem redacts a private key block around one of its edges.
func (s *scanner) pem(end int) {
	if end <= s.pemEnd {
		return
	}
	line := s.text[lineStart(s.text, end, 200):end]
	if strings.HasSuffix(line, "KEY-----") || strings.HasSuffix(line, "BLOCK-----") {
		s.pemFromEnd(end)
		return
	}
	head := s.text[end:min(len(s.text), end+80)]
	close := strings.Index(head, "-----")
	if close < 0 {
		return
	}
	body := end + close + 5
	if !strings.Contains(head[:close], "PRIVATE KEY") && !strings.Contains(head[:close], "OpenVPN Static key") {
		s.publicBlock(body)
		return
	}
	stop := body + s.keyText(body)
	s.pemEnd = stop
	if base64Count(s.text[body:stop]) < 16 || alphabetic(s.text[body:stop]) {
		s.nearEnd = max(s.nearEnd, stop)
		return
	}
	s.add(body, stop, rulePEM)
}

// publicBlock keeps certificates and public keys from being taken for tokens.
func (s *scanner) publicBlock(body int) {
	if i := strings.Index(s.text[body:min(len(s.text), body+16<<10)], "-----END"); i >= 0 {
		s.nearEnd = max(s.nearEnd, body+i)
		s.pemEnd = max(s.pemEnd, body+i)
	}
}

// alphabetic reports whether the body of a key is an example: it decodes to text.
func alphabetic(body string) bool {
	body = strings.TrimSpace(body)
	return len(body) < 200 && len(body) >= 16 && readable(decodeBase64(strings.TrimRight(body, "=")))
}

// keyText measures what belongs to the body of a key: base64, with whatever an
// editor, a diff, a string literal or a header puts around its lines. It ends
// at an END line or where something else begins.
func (s *scanner) keyText(from int) int {
	text := s.text[from:min(len(s.text), from+64<<10)]
	if i := strings.Index(text, "-----END"); i >= 0 && i < 20<<10 && !strings.Contains(text[:i], "-----BEGIN") {
		return i
	}
	end, short := 0, 0
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], "\n\r")
		stop, skip := len(text), 1
		if next >= 0 {
			stop = at + next
		}
		line := text[at:stop]
		run := longestBase64(line)
		switch {
		case run >= 40 || strings.Contains(line, ": ") && end == 0 && len(line) < 100:
			end = stop
		case run >= 8 && short == 0 && len(strings.TrimSpace(line)) <= run+12:
			short, end = 1, stop
		case strings.TrimSpace(line) == "" && at < 200:
		default:
			return end
		}
		at = stop + skip
	}
	return end
}

// pemFromEnd redacts backwards from an END line whose BEGIN is missing.
func (s *scanner) pemFromEnd(end int) {
	at := strings.LastIndex(s.text[max(0, end-100):end], "-----END")
	if at < 0 || max(0, end-100)+at <= s.pemEnd {
		return
	}
	stop := max(0, end-100) + at
	start := stop
	for start > 0 && stop-start < 64<<10 {
		from := lineStart(s.text, start-1, 4096)
		line := s.text[from:start]
		last := start == stop && len(line) < 40 && !strings.Contains(line, " ") // it may be short
		if longestBase64(line) < 16 && strings.TrimSpace(line) != "" && !last {
			break
		}
		start = from
	}
	if base64Count(s.text[start:stop]) >= 32 && start >= s.pemEnd && !alphabetic(s.text[start:stop]) {
		s.add(start, stop, rulePEM)
	}
}

// keyBody redacts the base64 body of a private key that has no BEGIN line.
func (s *scanner) keyBody(end int) {
	from := lineStart(s.text, end, 200)
	if n := strings.IndexAny(s.text[from:end], "MbP"); n >= 0 {
		from += n
	} else {
		from = end
	}
	if from < s.pemEnd || !privateBody(s.text[from:min(len(s.text), from+80)]) {
		return
	}
	if i := strings.LastIndex(s.text[max(0, from-200):from], "-----BEGIN"); i >= 0 {
		return // the edge decides
	}
	stop := from + s.keyText(from)
	s.pemEnd = max(s.pemEnd, stop)
	if base64Count(s.text[from:stop]) >= 40 {
		s.add(from, stop, rulePEM)
	}
}

// privateBody reports whether base64 begins like a private key: the first
// element of one is a version number, of a certificate another sequence.
func privateBody(s string) bool {
	switch {
	case strings.HasPrefix(s, "b3BlbnNzaC1rZXktdjE"), strings.HasPrefix(s, "MC4CAQAwBQYDK2V"), strings.HasPrefix(s, "MHcCAQEE"), strings.HasPrefix(s, "MFMCAQEw"), strings.HasPrefix(s, "MIGHAgEAMB"):
		return true
	case strings.HasPrefix(s, "Private-Lines:"):
		return true
	case !strings.HasPrefix(s, "MII") || len(s) < 16:
		return false
	}
	// SEQUENCE(30 82 len len) INTEGER(02 01 00|01): MII???IBAA or MII???CAQA.
	return s[6:9] == "IBA" || s[5:9] == "AgEA" || s[4:8] == "AgEA" || s[5:8] == "IBA" || strings.HasPrefix(s[4:], "gIBAA") || strings.Contains(s[4:12], "IBAA") || strings.Contains(s[4:12], "CAQA") || strings.Contains(s[4:12], "AgEA")
}

// lineStart returns where the line of an offset begins, looking back so far.
func lineStart(text string, at, back int) int {
	from := max(0, at-back)
	for at > from && text[at-1] != '\n' && text[at-1] != '\r' {
		at--
	}
	return at
}

func longestBase64(line string) int {
	best, run := 0, 0
	for i := range len(line) {
		if c := line[i]; wordByte(c) && c != '_' || c == '+' || c == '/' || c == '=' {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}

func base64Count(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; wordByte(c) || c == '+' || c == '/' || c == '=' {
			n++
		}
	}
	return n
}
