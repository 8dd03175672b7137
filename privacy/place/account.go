package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Account redacts the password of "-u user:password".
func Account(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByAccount] {
		return
	}
	arg, i := accountArgument(s.Text, end)
	user, password, ok := strings.Cut(arg, ":")
	if !ok {
		user, password, ok = otherAccount(s, arg, i)
	}
	if !ok || len(password) < 4 || password[0] == ':' || value.Placeholder(strings.Trim(password, "'\"")) {
		return
	}
	if strings.ContainsAny(user, "=/{}$()%+<") || strings.Trim(arg, "0123456789:") == "" {
		return
	}
	scan.Add(s, i+len(user)+1, i+len(arg), scan.RulePassword)
	s.Reached[scan.ByAccount] = i + len(arg)
}

// accountArgument returns the argument after a flag, without its quotes, and where it starts.
func accountArgument(text string, end int) (arg string, at int) {
	at = assign.SkipBlanks(text, end)
	if strings.HasPrefix(text[at:], "=") {
		at++
	}
	slashes := text[at:min(len(text), at+8)]
	slashes = slashes[:len(slashes)-len(strings.TrimLeft(slashes, `\`))]
	at += len(slashes)
	escaped := slashes != ""
	if escaped && !strings.HasPrefix(text[at:], `"`) {
		return "", at
	}
	stop := func(c rune) bool { return c <= ' ' || c == '\\' }
	quoted := at < len(text) && (text[at] == '"' || text[at] == '\'')
	if quoted {
		quote := rune(text[at])
		stop = func(c rune) bool { return c < ' ' || c == quote || c == '\\' && escaped }
		at++
	}
	arg = text[at:min(len(text), at+256)]
	if n := strings.IndexFunc(arg, stop); n >= 0 {
		arg = arg[:n]
	}
	if !quoted {
		arg = strings.TrimRight(arg, "\"'`,;)")
	}
	return arg, at
}

// otherAccount splits an account of a program that does not use a colon: lftp uses a comma, Samba's programs a percent
// sign.
func otherAccount(s *scan.Scanner, arg string, at int) (user, password string, ok bool) {
	line := strings.ToLower(s.Text[value.LineStart(s.Text, at, 160):at])
	switch {
	case strings.Contains(line, "ftp"):
		return strings.Cut(arg, ",")
	case value.ContainsAny(line, "smb", "rpcclient", "wmi", "cifs"):
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
	scan.Add(s, end+stop-len(fields[4]), end+stop, scan.RulePassword)
}

// Flagged redacts PASSWORD in "-u USER -p PASSWORD".
func Flagged(s *scan.Scanner, end int) {
	before := s.Text[value.LineStart(s.Text, end, 160):end]
	if !value.ContainsAny(before, " -u", ">-u", "sshpass", "--user") {
		return
	}
	a, ok := assign.Assignment{Sep: assign.Equals, MaxLength: 256}.Value(s.Text, end)
	if !ok {
		return
	}
	v := s.Text[a.Start:a.End]
	if strings.Contains(before, "mysql") && strings.Trim(v, value.SmallLetters+"_") == "" {
		return // a database; a password would follow without a space
	}
	if strings.HasPrefix(v, "--") {
		return // the next option
	}
	if len(v) < 4 || value.Placeholder(v) ||
		value.InList(strings.TrimRight(v, ".,"), " option options flag flags switch argument parameter ") ||
		strings.ContainsAny(v, ":/(){}") || value.CountKinds(v).Digits == len(v) {
		return
	}
	scan.Add(s, a.Start, a.End, scan.RulePassword)
}
