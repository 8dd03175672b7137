package privacy

import (
	"encoding/base64"
	"strings"
)

const maxWalletKeys = 40 // keys of one list

// walletKey redacts the key of Wallet("0x…") and of accounts: ["0x…"]. What stands
// further away may be the hash of a transaction, which looks the same.
func (s *scanner) walletKey(end int) {
	i := end
	for i < len(s.text) && i-end < 4 && strings.IndexByte(" [\"'\n", s.text[i]) >= 0 {
		i++
	}
	to := i + 2
	for to < len(s.text) && hexDigit(s.text[to]) {
		to++
	}
	if strings.HasPrefix(s.text[i:], "0x") && to-i == 66 {
		s.add(i, to, "private-key")
	}
}

// listedKeys redacts the keys of a wallet's list below the heading "Private
// Keys", each 32 bytes in hex. The list ends with a line that has none.
func (s *scanner) listedKeys(end int) {
	for n, at := 0, end; n < maxWalletKeys && at < len(s.text); n++ {
		line, _, _ := strings.Cut(s.text[at:min(len(s.text), at+200)], "\n")
		if i := strings.Index(line, "0x"); i >= 0 && n > 0 {
			s.walletKey(at + i)
		} else if strings.Trim(line, " :=-\r") != "" {
			return
		}
		at += len(line) + 1
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
	if s.marks++; s.marks > maxMarks {
		return
	}
	from := max(0, end-4_000)
	if !strings.Contains(s.text[from:min(len(s.text), end+4_000)], `ata":`) {
		return
	}
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
