package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Account redacts the password of "-u user:password".
func Account(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByAccount] {
		return
	}
	i := judge.SkipBlanks(s.Text, end)
	if i < len(s.Text) && s.Text[i] == '=' {
		i++
	}
	var quote byte
	depth := i
	for i < len(s.Text) && i-depth < 8 && s.Text[i] == '\\' {
		i++
	}
	if depth = i - depth; depth > 0 && (i == len(s.Text) || s.Text[i] != '"') {
		return
	}
	if i < len(s.Text) && (s.Text[i] == '"' || s.Text[i] == '\'') {
		quote = s.Text[i]
		i++
	}
	j := i
	for j < len(s.Text) && j-i < 256 && (s.Text[j] > ' ' || quote != 0 && s.Text[j] == ' ') && s.Text[j] != quote &&
		(s.Text[j] != '\\' || quote != 0 && depth == 0) {
		j++
	}
	arg := s.Text[i:j]
	if quote == 0 {
		arg = strings.TrimRight(arg, "\"'`,;)")
	}
	user, password, ok := strings.Cut(arg, ":")
	if !ok {
		user, password, ok = otherAccount(s, arg, i)
	}
	if !ok || len(password) < 4 || password[0] == ':' || value.Placeholder(strings.Trim(password, "'\"")) ||
		strings.ContainsAny(user, "=/{}$()%+<") || strings.Trim(arg, "0123456789:") == "" {
		return
	}
	scan.Add(s, i+len(user)+1, i+len(arg), "password")
	s.Reached[scan.ByAccount] = i + len(arg)
}

// otherAccount splits an account of a program that does not use a colon: lftp uses a comma, Samba's programs a percent
// sign.
func otherAccount(s *scan.Scanner, arg string, at int) (user, password string, ok bool) {
	line := strings.ToLower(s.Text[value.LineStart(s.Text, at, 160):at])
	switch {
	case strings.Contains(line, "ftp"):
		return strings.Cut(arg, ",")
	case strings.Contains(line, "smb"), strings.Contains(line, "rpcclient"), strings.Contains(line, "wmi"),
		strings.Contains(line, "cifs"):
		return strings.Cut(arg, "%")
	}
	return "", "", false
}

// Pgpass redacts the last field of host:port:database:user:password.
func Pgpass(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByPgPass] {
		return
	}
	from := value.LineStart(s.Text, end, 200)
	stop := strings.IndexAny(s.Text[end:min(len(s.Text), end+600)], "\r\n")
	if stop < 0 {
		stop = min(len(s.Text), end+600) - end
	}
	s.Reached[scan.ByPgPass] = end + stop
	fields := strings.SplitN(s.Text[from:end+stop], ":", 5)
	if len(fields) < 5 || strings.ContainsAny(s.Text[from:end], "/ ") {
		return
	}
	password := strings.TrimSpace(fields[4])
	if value.Placeholder(password) || strings.ContainsAny(password, " :/") && !value.Random(password) {
		return
	}
	scan.Add(s, end+stop-len(fields[4]), end+stop, "password")
}

// Flagged redacts PASSWORD in "-u USER -p PASSWORD".
func Flagged(s *scan.Scanner, end int) {
	before := s.Text[value.LineStart(s.Text, end, 160):end]
	if !strings.Contains(before, " -u") && !strings.Contains(before, "sshpass") && !strings.Contains(before, "--user") {
		return
	}
	a, ok := judge.Assignment{Sep: judge.Equals, MaxLength: 256}.Value(s.Text, end)
	if !ok {
		return
	}
	v := s.Text[a.Start:a.End]
	if strings.Contains(before, "mysql") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return // a database; a password would follow without a space
	}
	if len(v) < 4 || value.Placeholder(v) ||
		value.InList(strings.TrimRight(v, ".,"), " option options flag flags switch argument parameter ") ||
		strings.ContainsAny(v, ":/(){}") || value.CountKinds(v).Digits == len(v) {
		return
	}
	scan.Add(s, a.Start, a.End, scan.RulePassword)
}
