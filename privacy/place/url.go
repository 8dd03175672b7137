package place

import (
	"net/url"
	"strings"

	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// URL redacts the password in scheme://user:password@host, and a lone token in scheme://token@host.
func URL(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByURL] {
		return
	}
	n := strings.IndexByte(s.Text[end:min(len(s.Text), end+maxAuthority)], '@')
	if n < 0 || strings.IndexByte(s.Text[end:end+n], '\n') >= 0 {
		return // of another line
	}
	stop, at := authority(s, end)
	s.Reached[scan.ByURL] = stop

	if at < 0 {
		return
	}
	user := s.Text[end:at]
	colon := pastVariable(user)
	colon += strings.IndexByte(user[colon:], ':')
	if strings.IndexByte(user, ':') < 0 {
		if len(user) >= 16 && (value.Random(user) || value.HexKey(user)) {
			scan.Add(s, end, at, RuleURL)
		}
		return
	}
	secret := user[colon+1:]
	if strings.HasSuffix(user[:colon], "[") {
		return // the syntax of an address: [user[:password]@]host
	}
	if len(secret) < 4 || public.ExampleLogin(user[:colon], decoded(secret)) || bracketed(secret) {
		return
	}
	scan.Add(s, end+colon+1, at, RuleURL)
}

// decoded returns a password without its percent encoding. An encoded dollar sign starts no variable, unless capitals
// follow: then a program encoded the variable.
func decoded(secret string) string {
	plain, err := url.PathUnescape(secret)
	if err != nil || len(plain) == len(secret) || len(plain) < 4 {
		return secret
	}
	if rest, ok := strings.CutPrefix(plain, "$"); ok && secret[0] == '%' && strings.ToUpper(rest) != rest {
		return rest
	}
	return plain
}

// bracketed reports whether the brackets in a password are those of a template, a command or an expression.
func bracketed(secret string) bool {
	if strings.ContainsAny(secret, "<>{}$?*+|^[") || secret[len(secret)-1] == ')' || !value.Mixed(secret) {
		return strings.ContainsAny(secret, "<>{}()") && !value.RandomWithBrackets(secret)
	}
	return false
}

// pastVariable returns the length of the ${NAME:-default} at the start of an authority.
func pastVariable(user string) int {
	if !strings.HasPrefix(user, "${") {
		return 0
	}
	if i := strings.Index(user, "}:"); i > 0 {
		return i + 1
	}
	return 0
}

const maxAuthority = 512 // bytes of a link in which a password is searched

// authority returns the end of an authority and the position of its last @. A password may contain an unescaped slash
// or @.
func authority(s *scan.Scanner, from int) (stop, at int) {
	at = -1
	slash := -1
	i := from
	account := func(to int) bool { return strings.IndexByte(s.Text[from:to], ':') >= 0 }
authority:
	for limit := min(len(s.Text), from+maxAuthority); i < limit; i++ {
		switch c := s.Text[i]; {
		case c <= ' ', strings.IndexByte("\"'`<>\\", c) >= 0, c >= 0x80 && max(slash, at) >= 0,
			c == ')' && at < 0 && !account(i):
			break authority
		case c == '@' && (slash < 0 || at < 0 && account(slash)):
			at = i
		case slash < 0 && strings.IndexByte("/?#", c) >= 0:
			slash = i
		}
	}
	if slash >= 0 && slash < at && !slashedPassword(s, from, slash, at) {
		at = -1
	}
	return i, at
}

// slashedPassword distinguishes "user:pa/ss@host" from "host:80/path@version".
func slashedPassword(s *scan.Scanner, from, slash, at int) bool {
	colon := strings.IndexByte(s.Text[from:slash], ':')
	if colon < 0 {
		return false
	}
	head, all := s.Text[from+colon+1:slash], s.Text[from+colon+1:at]
	odd := s.Text[slash] != '/' && value.Mixed(all) && strings.IndexByte(all, '/') < 0
	return (head == "" || value.CountKinds(head).Digits < len(head)) && (odd || value.Random(all))
}
