package privacy

import (
	"encoding/base64"
	"strings"
)

const maxWalletKeys = 40 // keys of one list

// listedKeys redacts the keys of a wallet's list below "Private Keys", each 32
// bytes in hex.
func (s *scanner) listedKeys(end int) {
	if end < s.listedEnd {
		return
	}
	limit := min(len(s.text), end+6_000)
	for n, at := 0, end; n < maxWalletKeys; n++ {
		i := strings.Index(s.text[at:limit], "0x")
		if i < 0 || strings.Contains(s.text[at:at+i], "\n\n\n") {
			return
		}
		from := at + i
		at = from + 2
		for at < limit && hexDigit(s.text[at]) {
			at++
		}
		if s.listedEnd = at; at-from == 66 {
			s.add(from, at, "private-key")
		}
	}
}

// printedKey redacts the numbers of a private key as openssl prints them: lines
// of bytes in hex with colons below "privateExponent:".
func (s *scanner) printedKey(end int) {
	at := end
	if n := strings.IndexByte(s.text[at:min(len(s.text), at+80)], '\n'); n >= 0 && strings.Trim(s.text[at:at+n], " (0123456789bitsx)") == "" {
		at += n + 1
	} else {
		return
	}
	from := at
	for at < len(s.text) && at-from < maxKeyed {
		line, _, _ := strings.Cut(s.text[at:min(len(s.text), at+200)], "\n")
		digits := strings.TrimSpace(line)
		if len(digits) < 2 || strings.Trim(digits, "0123456789abcdefABCDEF:") != "" || !strings.Contains(digits, ":") {
			break
		}
		at += len(line) + 1
	}
	if at = min(at, len(s.text)); at-from > 40 {
		s.add(from, at, "private-key")
	}
}

// appliedSecret redacts the data of a Secret of Kubernetes in one line of JSON,
// as an annotation keeps what was applied.
func (s *scanner) appliedSecret(end int) {
	from := max(0, end-4_000)
	for _, member := range []string{`"data":{`, `"stringData":{`, `"data": {`, `"stringData": {`} {
		i := strings.LastIndex(s.text[from:end], member)
		at := from + i
		if i < 0 {
			if i = strings.Index(s.text[end:min(len(s.text), end+4_000)], member); i < 0 {
				continue
			}
			at = end + i
		}
		at += len(member)
		shut := strings.IndexByte(s.text[at:min(len(s.text), at+maxValue)], '}')
		if shut < 0 {
			return
		}
		for n, l := range s.quoted(at, at+shut) {
			if v := s.text[l.start:l.end]; n%2 == 1 && len(v) >= 4 && !dummy(v) {
				s.add(l.start, l.end, ruleSecret)
			}
		}
		return
	}
}

// quoted returns the literals between two offsets.
func (s *scanner) quoted(from, to int) (out []span) {
	for at := from; at < to && len(out) < 4*maxWalletKeys; at++ {
		if s.text[at] == '"' {
			end := closing(s.text, at+1, '"', 0, to-at)
			out = append(out, span{start: at + 1, end: end})
			at = end
		}
	}
	return out
}

// basicPair redacts "Basic" and what base64 makes of NAME:PASSWORD.
func (s *scanner) basicPair(end int) {
	to := end
	for to < len(s.text) && to-end < 256 && (isBase64(s.text[to]) || s.text[to] == '=') {
		to++
	}
	plain, err := base64.StdEncoding.DecodeString(s.text[end:to])
	if err == nil && accountName(string(plain)) > 0 && readable(string(plain)) {
		s.add(end, to, "http-credential")
	}
}

// listedFlag redacts the password of a list of arguments: ['-u', 'ann', '-p', 'VALUE'].
func (s *scanner) listedFlag(end int) {
	if end == 0 || s.text[end-1] != '\'' && s.text[end-1] != '"' {
		return
	}
	to := closing(s.text, end, s.text[end-1], 0, 256)
	before := lowerASCII(s.text[max(0, end-160):end])
	if v := s.text[end:to]; typedPassword(v) && (strings.Contains(before, "'-u'") || strings.Contains(before, `"-u"`) || strings.Contains(before, "mysql") || strings.Contains(before, "sqlcmd") || strings.Contains(before, "passwd")) {
		s.add(end, to, rulePassword)
	}
}
