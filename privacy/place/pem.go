package place

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// The rules of what only its place shows.
const (
	RulePEM  = "private-key" // in any form, not only PEM
	RuleURL  = "url-password"
	RuleHTTP = "http-credential" // of a header or a cookie
	RuleJWT  = "jwt"
)

// KeyBodies are typical parts of the base64 of private keys, for keys that lost their BEGIN line: PKCS#1, PKCS#8, SEC
// 1, Ed25519, OpenSSH, PuTTY.
var KeyBodies = []string{
	"mii", "b3blbnnzac1rzxktdje", "mc4caqawbqydk2v", "mhccaqee", "mighageamb", "mfmcaqew", "private-lines:",
}

// PEMEdges are how the first line of a block begins, and how the lines at its edges end.
var PEMEdges = []string{"-----begin", "private key-----", "key block-----", "static key v1-----"}

// PEM redacts a private key block around one of its edges.
func PEM(s *scan.Scanner, end int) {
	if end <= s.Reached[scan.ByPEM] {
		return
	}
	line := s.Text[value.LineStart(s.Text, end, 200):end]
	if value.EndsWithAny(line, "KEY-----", "BLOCK-----", "key V1-----") {
		pemFromEnd(s, end)
		return
	}
	head := s.Text[end:min(len(s.Text), end+80)]
	shut := strings.Index(head, "-----")
	if shut < 0 {
		return
	}
	body := end + shut + len("-----")
	if !strings.Contains(head[:shut], "PRIVATE KEY") && !strings.Contains(head[:shut], "OpenVPN Static key") {
		publicBlock(s, body)
		return
	}
	stop := body + keyText(s, body)
	s.Reached[scan.ByPEM] = stop
	if value.LongestBase64(s.Text[body:stop]) < 16 || alphabetic(s.Text[body:stop]) {
		s.Reached[scan.ByNear] = max(s.Reached[scan.ByNear], stop)
		return
	}
	scan.Add(s, body, stop, RulePEM)
}

// publicBlock keeps certificates and public keys from being read as tokens.
func publicBlock(s *scan.Scanner, body int) {
	if i := strings.Index(s.Text[body:min(len(s.Text), body+16<<10)], "-----END"); i >= 0 {
		s.Reached[scan.ByNear] = max(s.Reached[scan.ByNear], body+i)
		s.Reached[scan.ByPEM] = max(s.Reached[scan.ByPEM], body+i)
	}
}

// alphabetic reports whether the body of a key is an example: it decodes to text.
func alphabetic(body string) bool {
	body = strings.TrimSpace(body)
	return len(body) < 200 && len(body) >= 16 && value.Readable(value.DecodeBase64(strings.TrimRight(body, "=")))
}

// keyText measures the body of a key: base64, with whatever an editor, a diff, a string literal or a header adds around
// its lines. It ends at an END line or where something else starts.
func keyText(s *scan.Scanner, from int) int {
	text := s.Text[from:min(len(s.Text), from+64<<10)]
	if i := strings.Index(text, "-----END"); i >= 0 && i < 20<<10 && !strings.Contains(text[:i], "-----BEGIN") {
		return i
	}
	end, short := 0, 0
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], "\n\r")
		stop := len(text)
		if next >= 0 {
			stop = at + next
		}
		line := text[at:stop]
		run := value.LongestBase64(line)
		switch {
		case run >= 40 || strings.Contains(line, ": ") && end == 0 && len(line) < 100:
			end = stop
		case run >= 8 && short == 0 && len(strings.TrimSpace(line)) <= run+12:
			short, end = 1, stop
		case strings.TrimSpace(line) == "" && at < 200:
		default:
			return end
		}
		at = stop + 1
	}
	return end
}

// pemFromEnd redacts backwards from an END line whose BEGIN is missing.
func pemFromEnd(s *scan.Scanner, end int) {
	at := strings.LastIndex(s.Text[max(0, end-100):end], "-----END")
	if at < 0 || max(0, end-100)+at <= s.Reached[scan.ByPEM] {
		return
	}
	stop := max(0, end-100) + at
	if strings.Contains(s.Text[stop:end], "PUBLIC") {
		return
	}
	start := stop
	for start > 0 && stop-start < 64<<10 {
		from := value.LineStart(s.Text, start-1, 4096)
		line := s.Text[from:start]
		last := start == stop && len(line) < 40 && !strings.Contains(line, " ") // the last line may be short
		if value.LongestBase64(line) < 16 && strings.TrimSpace(line) != "" && !last {
			break
		}
		start = from
	}
	if value.Base64Count(s.Text[start:stop]) >= 32 && start >= s.Reached[scan.ByPEM] && !alphabetic(s.Text[start:stop]) {
		scan.Add(s, start, stop, RulePEM)
	}
}

// KeyBody redacts the base64 body of a private key that has no BEGIN line.
func KeyBody(s *scan.Scanner, end int) {
	from := value.LineStart(s.Text, end, 200)
	for from < end && !privateBody(s.Text[from:min(len(s.Text), from+80)]) {
		from++
	}
	if from == end || from < s.Reached[scan.ByPEM] {
		return
	}
	if i := strings.LastIndex(s.Text[max(0, from-200):from], "-----BEGIN"); i >= 0 {
		return // the BEGIN or END line decides
	}
	stop := from + keyText(s, from)
	s.Reached[scan.ByPEM] = max(s.Reached[scan.ByPEM], stop)
	if value.Base64Count(s.Text[from:stop]) >= 40 {
		scan.Add(s, from, stop, RulePEM)
	}
}

// privateBody reports whether base64 starts like a private key: its first element is a version number, that of a
// certificate is another sequence.
func privateBody(s string) bool {
	if value.BeginsWithAny(s, "b3BlbnNzaC1rZXktdjE", "MC4CAQAwBQYDK2V", "MHcCAQEE", "MFMCAQEw", "MIGHAgEAMB",
		"Private-Lines:") {
		return true
	}
	if !strings.HasPrefix(s, "MII") || len(s) < 16 {
		return false
	}
	// SEQUENCE(30 82 len len) INTEGER(02 01 00|01): MII???IBAA or MII???CAQA.
	return s[5:8] == "IBA" || s[6:9] == "IBA" || value.ContainsAny(s[4:12], "IBAA", "CAQA", "AgEA")
}
