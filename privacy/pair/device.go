package pair

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// deviceSetting redacts the secret in a line of the settings of a switch, a router or a firewall: "username ann
// password 0 …", "set psksecret …", "key …" below a server. Before it there are only words of the device, never of a
// sentence.
func deviceSetting(s *scan.Scanner, n *scan.Called) bool {
	if n.Strength == value.NotSecret || n.To >= len(s.Text) || s.Text[n.To] != ' ' ||
		n.From > 0 && strings.IndexByte(" \t\n", s.Text[n.From-1]) < 0 {
		return false
	}
	start := value.LineStart(s.Text, n.From, 160)
	first := deviceLine(s, start, n)
	if first == "" {
		return false
	}
	at := judge.SkipBlanks(s.Text, n.To)
	formed := false
	for range 4 {
		end := wordEnd(s.Text, at)
		word := strings.Trim(s.Text[at:end], "\"'")
		if len(word) < 4 {
			if value.InList(word, " 0 1 2 3 6 7 RO RW md5 hex ") {
				at, formed = judge.SkipBlanks(s.Text, end), true
				continue
			}
			return false
		}
		if value.InList(word,
			" simple cipher plain ascii ascii-text plaintext clear clear-text text hmac-sha-256 key-string local remote "+
				"password ") && end < len(s.Text) && s.Text[end] == ' ' {
			at, formed = judge.SkipBlanks(s.Text, end), true
			continue
		}
		if !formed && (first == "enable" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "") {
			return false // a log line
		}
		if !deviceSecret(word) {
			return false
		}
		at += strings.Index(s.Text[at:end], word)
		scan.Add(s, at, at+len(word), judge.RuleOf(max(n.Strength, value.TokenKey)))
		return true
	}
	return false
}

// wordEnd returns where the word at an offset ends.
func wordEnd(text string, at int) int {
	end := at
	if end < len(text) && text[end] == '"' {
		return min(len(text), judge.ClosingQuote(text, end+1, text[end], 0, judge.MaxJudged)+1)
	}
	for end < len(text) && end-at < judge.MaxJudged && text[end] > ' ' {
		end++
	}
	return end
}

// deviceSecret reports whether a word is not one that devices use there.
func deviceSecret(v string) bool {
	if len(v) < 5 && !value.Mixed(v) || value.Placeholder(v) || value.PathLike(v) || value.Integer(v) && len(v) < 6 ||
		strings.ContainsAny(v, "(){}<>=;,") || v[0] == '-' {
		return false
	}
	low := value.LowerASCII(v)
	return !value.StopWords[low] && !value.InList(low, value.DescriptionWords) &&
		!value.InList(low,
			" generate zeroize import export chain config-key rsa dsa ecdsa encryption encryption-type decryption policy "+
				"recovery prompt local group message-digest aaa authentication-key ") &&
		(v != low || value.Mixed(v) || !strings.Contains(v, "-"))
}

// deviceLine returns the first word of a line, after a prompt or blanks, if it starts such settings and only their
// words are before a name; "." if the name comes first.
func deviceLine(s *scan.Scanner, start int, n *scan.Called) string {
	head := s.Text[start:n.From]
	for _, prompt := range []string{"# ", "> "} {
		if i := strings.Index(head, prompt); i > 0 && i < 48 {
			head = head[i+2:]
		}
	}
	words := strings.TrimLeft(head, " \t")
	if len(words) > 140 || strings.ContainsAny(words, "=;(){}<>[]$\\`|,?!") || strings.Contains(words, " the ") ||
		strings.Contains(words, " is ") {
		return ""
	}
	first, rest, _ := strings.Cut(words, " ")
	ok := false
	switch first {
	case "radius-server", "tacacs-server", "ldap-server", "enable", "ntp":
		ok = true
	case "username", "user", "local-user", "snmp-server", "snmp-agent", "neighbor", "standby", "ppp", "wpa-psk", "crypto",
		"vrrp", "server-private", "hwtacacs", "radius":
		ok = rest != ""
	case "ip", "ipv6":
		ok = strings.HasPrefix(rest, "ospf")
	case "isis", "area", "aaa", "peer", "config":
		ok = strings.ContainsAny(rest, "-0123456789")
	case "set":
		ok = strings.Count(rest, " ") > 1 && !strings.Contains(rest, " to ")
	case "option":
		ok = false
	case "":
		first = "."
		name := s.Text[n.From:n.To]
		ok = value.InList(name, " pre-shared-key key-string authentication-key shared-key wpa-psk ")
	}
	if !ok {
		return ""
	}
	return first
}
