package privacy

import "strings"

// linkSteps are the parts of links behind which a token lets somebody in.
var linkSteps = []string{"/reset/", "/magic/", "/magic-link/", "/verify/", "/confirm/", "/invite/", "/activate/", "/unlock/", "/recover/", "/login/", "/password/", "/email-verify/"}

// linked redacts the token behind such a part: …/reset/TOKEN.
func (s *scanner) linked(end int) {
	to := end
	for to < len(s.text) && to-end < maxJudged && tokenByte(s.text[to]) {
		to++
	}
	v := s.text[end:to]
	if len(v) < 20 || uuidLike(v) || camelWords(v) || agentID(v) || s.text[end:to] != strings.Trim(v, "-_") {
		return
	}
	if drawn(v) || hexKey(v) && len(v) >= 32 {
		s.add(end, to, ruleSecret)
	}
}

// vpnAccount redacts the password in the second line of OpenVPN's
// <auth-user-pass> block.
func (s *scanner) vpnAccount(end int) {
	lines := strings.SplitN(s.text[end:min(len(s.text), end+300)], "\n", 4)
	if len(lines) < 4 || strings.TrimSpace(lines[0]) != ">" {
		return
	}
	at := end + len(lines[0]) + 1 + len(lines[1]) + 1
	if v := strings.TrimSpace(lines[2]); len(v) >= 4 && v[0] != '<' && !dummy(v) {
		from := at + strings.Index(lines[2], v)
		s.add(from, from+len(v), rulePassword)
	}
}

// target redacts the password of DOMAIN/user:password@host, as the programs of
// impacket take it.
func (s *scanner) target(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	at := strings.LastIndexByte(line, '@')
	if at < 0 {
		return
	}
	from := strings.LastIndexByte(line[:at], ' ') + 1
	if n := strings.IndexByte(line[from:at], ':'); n > 0 && at-from-n-1 >= 4 && !dummy(line[from+n+1:at]) && line[from+n+1] != '/' {
		s.add(end+from+n+1, end+at, rulePassword)
	}
}

// mailLogin redacts the last word of IMAP's "a1 LOGIN user password".
func (s *scanner) mailLogin(end int) {
	tag := strings.Fields(s.text[lineStart(s.text, end, 160) : end-len("LOGIN ")])
	if len(tag) == 0 {
		return
	}
	last := tag[len(tag)-1]
	numbered := len(last) < 8 && digit(last[len(last)-1]) && strings.Trim(strings.TrimRight(last, "0123456789"), letters+".") == ""
	if !numbered && (len(tag) > 2 || s.text[end-len("LOGIN "):end] != "LOGIN ") {
		return
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	if words := shellWords(s.text, end, end+len(line)); len(words) == 2 && s.text[words[0].start] != '|' {
		if w := words[1]; s.text[w.start] == '"' || !numbered {
			s.argument(w.start, w.end)
		}
		s.operand(words[1], true)
	}
}
