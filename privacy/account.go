package privacy

import "strings"

// account redacts the password of "-u user:password".
func (s *scanner) account(end int) {
	if end < s.accountEnd {
		return
	}
	i := blanks(s.text, end)
	if i < len(s.text) && s.text[i] == '=' {
		i++
	}
	var quote byte
	depth := i
	for i < len(s.text) && i-depth < 8 && s.text[i] == '\\' {
		i++
	}
	if depth = i - depth; depth > 0 && (i == len(s.text) || s.text[i] != '"') {
		return
	}
	if i < len(s.text) && (s.text[i] == '"' || s.text[i] == '\'') {
		quote = s.text[i]
		i++
	}
	j := i
	for j < len(s.text) && j-i < 256 && (s.text[j] > ' ' || quote != 0 && s.text[j] == ' ') && s.text[j] != quote && (s.text[j] != '\\' || quote != 0 && depth == 0) {
		j++
	}
	arg := s.text[i:j]
	if quote == 0 {
		arg = strings.TrimRight(arg, "\"'`,;)")
	}
	user, password, ok := strings.Cut(arg, ":")
	if !ok {
		user, password, ok = s.otherAccount(arg, i)
	}
	if !ok || len(password) < 4 || password[0] == ':' || strings.HasPrefix(password, "//") || dummy(strings.Trim(password, "'\"")) || strings.ContainsAny(user, "=/{}$()%+<") || strings.Trim(arg, "0123456789:") == "" || identifier(password) && plainWords(password) && len(password) < 8 {
		return
	}
	s.add(i+len(user)+1, i+len(arg), "password")
	s.accountEnd = i + len(arg)
}

// otherAccount cuts an account where a program does not use a colon: a comma
// in lftp, a percent sign in those of Samba.
func (s *scanner) otherAccount(arg string, at int) (user, password string, ok bool) {
	line := strings.ToLower(s.text[lineStart(s.text, at, 160):at])
	switch {
	case strings.Contains(line, "ftp"):
		return strings.Cut(arg, ",")
	case strings.Contains(line, "smb"), strings.Contains(line, "rpcclient"), strings.Contains(line, "wmi"), strings.Contains(line, "cifs"):
		return strings.Cut(arg, "%")
	}
	return "", "", false
}

// pgpass redacts the last field of host:port:database:user:password.
func (s *scanner) pgpass(end int) {
	if end < s.pgpassEnd {
		return
	}
	from := lineStart(s.text, end, 200)
	stop := strings.IndexAny(s.text[end:min(len(s.text), end+600)], "\r\n")
	if stop < 0 {
		stop = min(len(s.text), end+600) - end
	}
	s.pgpassEnd = end + stop
	fields := strings.SplitN(s.text[from:end+stop], ":", 5)
	if len(fields) < 5 || strings.ContainsAny(s.text[from:end], "/ ") {
		return
	}
	password := strings.TrimSpace(fields[4])
	if len(password) < 4 || dummy(password) || strings.ContainsAny(password, " :/") && !random(password) {
		return
	}
	s.add(end+stop-len(fields[4]), end+stop, "password")
}

// flagged redacts PASSWORD in "-u USER -p PASSWORD".
func (s *scanner) flagged(end int) {
	before := s.text[lineStart(s.text, end, 160):end]
	if !strings.Contains(before, " -u") && !strings.Contains(before, "sshpass") && !strings.Contains(before, "--user") {
		return
	}
	a, ok := assignment{sep: equals, reach: 256}.value(s.text, end)
	if !ok {
		return
	}
	v := s.text[a.start:a.end]
	if strings.Contains(before, "mysql") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return // a database: the password would follow without a blank
	}
	if len(v) < 4 || dummy(v) || in(strings.TrimRight(v, ".,"), " option options flag flags switch argument parameter ") || strings.ContainsAny(v, ":/(){}") || countKinds(v).digits == len(v) || v[0] == '-' {
		return
	}
	s.add(a.start, a.end, rulePassword)
}

// identified redacts the literal of "IDENTIFIED BY 'password'".
func (s *scanner) identified(end int) {
	a, ok := assignment{sep: comma, reach: 256}.value(s.text, end)
	if line := strings.ToLower(s.text[lineStart(s.text, end, 160):end]); !ok {
		a, ok = assignment{sep: equals, reach: 256}.value(s.text, end)
		a.quoted = strings.Contains(line, " user ")
	}
	if line := strings.ToLower(s.text[max(0, end-200):end]); !strings.Contains(line, "grant") && !strings.Contains(line, "alter") && !strings.Contains(line, "create") && !strings.Contains(line, "password") {
		return
	}
	if v := s.text[a.start:a.end]; ok && a.end-a.start >= 4 && !dummy(v) && (a.quoted || countKinds(v).digits > 0 && countKinds(v).lower > 0 && countKinds(v).other == 0) {
		s.add(a.start, a.end, rulePassword) // Oracle takes it without quotes
	}
}
