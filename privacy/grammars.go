package privacy

import "strings"

// relayed redacts the password of "[host]:587 user@domain:PASSWORD", as mail
// servers are told them.
func (s *scanner) relayed(end int) {
	if host := strings.LastIndexByte(s.text[:end], ':'); host < 1 || s.text[host-1] != ']' {
		return
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	i := strings.IndexByte(line, '@')
	if n := strings.LastIndexByte(line, ':'); i >= 0 && n > i || i < 0 && n > 0 && strings.TrimSpace(line) != "" && strings.Count(line, ":") == 1 {
		at := end + n + 1
		if v := strings.TrimRight(line[n+1:], " \r"); len(v) >= 4 && (i >= 0 || !strings.ContainsAny(v, " /") || fourByFour(v)) && !(integer(v) && len(v) < 6) && !dummy(v) {
			s.add(at, at+len(v), rulePassword)
		}
	}
}

// inClear redacts what a file of accounts says is no hash: ann:{PLAIN}PASSWORD:….
func (s *scanner) inClear(end int) {
	if end+4 < len(s.text) && strings.EqualFold(s.text[end:end+4], "text") {
		end += 4
	}
	if end >= len(s.text) || s.text[end] != '}' {
		return
	}
	end++
	to := end
	for to < len(s.text) && to-end < 128 && s.text[to] > ' ' && strings.IndexByte(":\"'<", s.text[to]) < 0 {
		to++
	}
	if v := s.text[end:to]; len(v) >= 4 && !dummy(v) {
		s.add(end, to, rulePassword)
	}
}

// sharedLiteral redacts the literal of ipsec.secrets: carol : EAP "PASSWORD".
func (s *scanner) sharedLiteral(end int) {
	to := closing(s.text, end, '"', 0, 256)
	if v := s.text[end:to]; len(v) >= 4 && !dummy(v) {
		s.add(end, to, rulePassword)
	}
}

// users redacts the passwords of the section [users], as svnserve reads it.
func (s *scanner) users(end int) {
	if end < len("[users") || s.text[end-len("[users")] != '[' || !strings.HasPrefix(s.text[end:], "]\n") {
		return
	}
	at := end + len("]\n")
	for n := 0; n < maxAlike && at < len(s.text); n++ {
		line, _, _ := strings.Cut(s.text[at:min(len(s.text), at+200)], "\n")
		name, v, ok := strings.Cut(strings.TrimRight(line, " \r"), "=")
		if !ok && line != "" || strings.HasPrefix(line, "[") {
			return
		}
		if v = strings.TrimLeft(v, " "); ok && wordLike(strings.TrimSpace(name)) && (handedOver(v) || capitalised(v) || handWritten(v)) {
			from := at + len(strings.TrimRight(line, " \r")) - len(v)
			s.add(from, from+len(v), rulePassword)
		}
		at += len(line) + 1
	}
}

// queried redacts what a signed address has for its signature, and what a form
// sends back of a login.
func (s *scanner) queried(end int) {
	if end < s.queryEnd {
		return
	}
	to := end
	for to < len(s.text) && to-end < maxValue && (bodyByte(s.text[to]) || s.text[to] == '%' || s.text[to] == '.') {
		to++
	}
	s.queryEnd = to
	v := strings.NewReplacer("%2B", "", "%2F", "", "%3D", "").Replace(s.text[end:min(to, end+maxJudged)])
	if len(v) >= 24 && (random(v) || len(v) > 100 && !wordy(v)) {
		s.add(end, to, ruleSecret)
	}
}

// remarked redacts a password in a line whose remark calls it one.
func (s *scanner) remarked(from int) {
	start := lineStart(s.text, from, 120)
	line := s.text[start:from]
	i := -1
	for _, mark := range []string{" ; ", " # ", " // ", " -- "} {
		i = max(i, strings.LastIndex(line, mark))
	}
	if i < 0 || len(line)-i > 40 {
		return
	}
	for at := 0; at < i; {
		n := strings.IndexAny(line[at:i+1], " \"'`:={}()[],;")
		if n < 0 {
			return
		}
		if v := line[at : at+n]; chosen(v) && symbolic(v) && !operands(v) {
			s.add(start+at, start+at+n, rulePassword)
			return
		}
		at += n + 1
	}
}

// partsOf redacts the values that a secret is put together of: KEY=$PART1$PART2.
func (s *scanner) partsOf(a assignment, rule string) {
	const most, reach = 4, 4 << 10
	v := strings.Trim(s.text[a.start:min(a.end, a.start+160)], "\"'")
	if len(v) < 3 || v[0] != '$' || s.marks > maxMarks {
		return
	}
	for n, name := range strings.Split(v[1:], "$") {
		name = strings.Trim(name, "{}")
		if n >= most || !identifier(name) || strings.ContainsAny(name, ".:") {
			return
		}
		s.marks++
		back := max(0, a.start-reach)
		i := strings.LastIndex(s.text[back:a.start], name+"=")
		if at := back + i; i < 0 || at > 0 && tokenByte(s.text[at-1]) {
			continue
		}
		b, ok := assignment{sep: equals, reach: maxJudged}.value(s.text, back+i+len(name)+1)
		if part := s.text[b.start:b.end]; ok && len(part) >= 8 && mixed(part) && !dummy(part) && !pathLike(part) && !codeLike(part) && !hostLike(part) && !uuidLike(part) {
			s.add(b.start, b.end, rule)
		}
	}
}

// seedsOfKeys redacts the seeds of NATS: S, what it is for, 56 letters of base32.
func (s *scanner) seedsOfKeys() {
	const size = 58
	for _, r := range s.runs {
		v := s.text[r.from:r.to]
		if len(v) != size || v[0] != 'S' || strings.IndexByte("UAOCNX", v[1]) < 0 || v[2] > 'D' || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" || countKinds(v).digits < 3 {
			continue
		}
		s.add(r.from, r.to, "private-key")
	}
}

// enabled redacts the password of a switch's settings, a line of their own:
// "enable password VALUE". In a sentence something else follows.
func (s *scanner) enabled(end int) {
	start := lineStart(s.text, end, 32)
	if line := s.text[start:end]; line != "enable password " && line != "enable secret " {
		return
	}
	to := end
	for to < len(s.text) && s.text[to] > ' ' && to-end < 64 {
		to++
	}
	if v := s.text[end:to]; s.lineEnd(to) && len(v) >= 5 && !dummy(v) && !in(lowerASCII(v), kindWords) && !in(lowerASCII(v), partWords) {
		s.add(end, to, rulePassword)
	}
}

// unlocked redacts what was typed behind "Enter passphrase for key '…': ", all of the line.
func (s *scanner) unlocked(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+300)], "\n")
	i := strings.LastIndex(line, ": ")
	if i < 0 || !strings.ContainsAny(line[:i], "'\"/") {
		return
	}
	if v := strings.TrimRight(line[i+2:], " \r"); len(v) >= 4 && !dummy(v) && !strings.HasPrefix(v, "(") {
		s.add(end+i+2, end+i+2+len(v), rulePassword)
	}
}

// hashed redacts the literal that is hashed where a password is made:
// password: await hash('…', 10).
func (s *scanner) hashed(end int) {
	before := lowerASCII(s.text[lineStart(s.text, end, 80):end])
	to := closing(s.text, end, s.text[end-1], 0, 128)
	if v := s.text[end:to]; strings.Contains(before, "passw") && (typedPassword(v) || handWritten(v)) && !strings.HasPrefix(lowerASCII(v), "sha") {
		s.add(end, to, rulePassword)
	}
}

// createdUser redacts the passwords of an account of SNMP, the one that proves
// who asks and the one that encrypts: createUser NAME SHA "…" AES "…".
func (s *scanner) createdUser(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+160)], "\n")
	if !strings.Contains(line, " SHA") && !strings.Contains(line, " MD5 ") {
		return
	}
	for n, part := range strings.Split(line, "\"") {
		if n%2 == 1 && len(part) >= 8 && !dummy(part) {
			at := end + strings.Index(line, "\""+part) + 1
			s.add(at, at+len(part), rulePassword)
		}
	}
}

// sealedLiteral redacts the literal of a call whose name says that it is to be kept
// from sight: SecretValue.unsafePlainText("…").
func (s *scanner) sealedLiteral(end int) {
	a, ok := assignment{sep: comma, reach: 256}.value(s.text, end)
	if v := s.text[a.start:a.end]; ok && a.quoted && a.start <= end+2 && (typedPassword(v) || handWritten(v) || markedWord(v)) {
		s.add(a.start, a.end, rulePassword)
	}
}

// authFlag redacts the password of --auth=PASSWORD, which is no way to prove who one is.
func (s *scanner) authFlag(end int) {
	to := end
	for to < len(s.text) && to-end < 96 && s.text[to] > ' ' && strings.IndexByte("\"'`", s.text[to]) < 0 {
		to++
	}
	if v := s.text[end:to]; strings.IndexByte(v, ':') < 0 && !dummy(v) && (chosen(v) || picked(v) || handWritten(v) || innerCapital(v) && !described(v)) {
		s.add(end, to, rulePassword)
	}
}

// ftpUser redacts the password of a script for FTP: a line "user NAME PASSWORD"
// below "open HOST".
func (s *scanner) ftpUser(end int) {
	start := end - len("\nuser ")
	above := s.text[lineStart(s.text, start, 96):start]
	if host, ok := strings.CutPrefix(strings.TrimRight(above, "\r"), "open "); (!ok || strings.IndexByte(host, '.') < 0 || strings.IndexByte(host, ' ') >= 0) && !strings.Contains(above, "ftp ") {
		return
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+160)], "\n")
	if words := fieldSpans(s.text, end, end+len(line)); len(words) == 2 {
		s.argument(words[1][0], words[1][1])
	}
}

// tokenRow redacts the value that is printed with the name of a new token, in a
// table or in JSON: full-tokenid, value.
func (s *scanner) tokenRow(end int) {
	const reach, gap = 400, 24
	rest := s.text[end:min(len(s.text), end+reach)]
	i := strings.Index(rest, "value")
	if i < 0 {
		return
	}
	from := end + i + len("value")
	for limit := min(len(s.text), from+gap); from < limit && !alphanumeric(s.text[from]); {
		from++
	}
	to := from
	for to < len(s.text) && to-from < 128 && tokenByte(s.text[to]) {
		to++
	}
	if v := s.text[from:to]; uuidLike(v) || hexKey(v) || random(v) {
		s.add(from, to, ruleSecret)
	}
}

// camelName judges a name that ends as that of a password does: wifiPw, apPsk.
func (s *scanner) camelName(end int) {
	for end > 0 && !alphanumeric(s.text[end-1]) {
		end--
	}
	if from, to := nameAt(s.text, end); to-from > len("kPw") {
		s.name(end)
	}
}

// belowAccount redacts the password that stands alone in the line below an
// account: "user: ann", and what it gets in with.
func (s *scanner) belowAccount(end int) {
	line, rest, more := strings.Cut(s.text[end:min(len(s.text), end+160)], "\n")
	if name := strings.TrimRight(line, " \r"); !more || name == "" || strings.ContainsAny(name, " \"'(){}<>=;,") {
		return
	}
	below, _, _ := strings.Cut(rest, "\n")
	v := strings.Trim(below, "> \t\r*`")
	if i := strings.IndexByte(v, '#'); i >= 0 && i+1 < len(v) && digit(v[i+1]) {
		return // the number of a build or of an issue
	}
	if chosen(v) && symbolic(v) && !operands(v) && !strings.ContainsAny(v, " :=") {
		at := end + len(line) + 1 + strings.Index(below, v)
		s.add(at, at+len(v), rulePassword)
	}
}

// dialledIn redacts the secrets below "# client server secret", as pppd reads them.
func (s *scanner) dialledIn(end int) {
	if head := s.text[lineStart(s.text, end, 80):end]; head[0] != '#' || !strings.Contains(head, "client") {
		return
	}
	at := end + strings.IndexByte(s.text[end:min(len(s.text), end+80)], '\n') + 1
	for n := 0; n < maxAlike && at > end && at < len(s.text); n++ {
		line, _, more := strings.Cut(s.text[at:min(len(s.text), at+maxJudged)], "\n")
		if words := fieldSpans(s.text, at, at+len(line)); len(words) > 2 && len(words) < 6 && line[0] != '#' {
			s.argument(words[2][0], words[2][1])
		}
		if at += len(line) + 1; !more {
			return
		}
	}
}

// snmpUser redacts the passwords of an account of SNMP that a switch is told:
// snmp-server user NAME GROUP v3 auth sha VALUE priv aes 128 VALUE.
func (s *scanner) snmpUser(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	named := false
	for _, w := range fieldSpans(s.text, end, end+len(line)) {
		switch word := s.text[w[0]:w[1]]; {
		case in(word, " auth priv "):
			named = true
		case in(word, " encrypted localized localizedkey key ") || strings.HasPrefix(word, "0x"):
			return
		case named && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-<>{}|") == "":
			named = false // the manual's
		case named && !in(lowerASCII(word), " md5 sha sha1 sha224 sha256 sha384 sha512 sha-2 des 3des des56 aes aes128 aes192 aes256 128 192 256 aes-128 aes-192 aes-256 "):
			s.argument(w[0], w[1])
			named = false
		}
	}
}
