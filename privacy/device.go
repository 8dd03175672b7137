package privacy

import "strings"

// configured redacts the secret in a line of the settings of a switch, a router or
// a firewall: "username ann password 0 …", "set psksecret …", "key …" below a
// server. What stands before it there are words of the device, never of a sentence.
func (s *scanner) configured(n *called, a assignment) bool {
	if a.sep != blank || n.strength == notSecret || n.to >= len(s.text) || s.text[n.to] != ' ' || n.from > 0 && strings.IndexByte(" \t\n", s.text[n.from-1]) < 0 {
		return false
	}
	start := lineStart(s.text, n.from, 160)
	first := s.deviceLine(start, n)
	if first == "" {
		return false
	}
	at := blanks(s.text, n.to)
	formed := false
	for range 4 {
		end := wordEnd(s.text, at)
		word := strings.Trim(s.text[at:end], "\"'")
		if len(word) < 4 {
			if in(word, " 0 1 2 3 6 7 RO RW md5 hex ") {
				at, formed = blanks(s.text, end), true
				continue
			}
			return false
		}
		if in(word, " simple cipher plain ascii ascii-text plaintext clear clear-text text hmac-sha-256 key-string local remote password ") && end < len(s.text) && s.text[end] == ' ' {
			at, formed = blanks(s.text, end), true
			continue
		}
		if !formed && (first == "enable" || first == "." && start == n.from || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "") {
			return false // a line of a log
		}
		if !deviceSecret(word) || !s.lineEnd(end) && in(first, " set ip ipv6 password . ") {
			return false
		}
		at += strings.Index(s.text[at:end], word)
		s.add(at, at+len(word), ruleOf(max(n.strength, tokenKey)))
		return true
	}
	return false
}

// wordEnd is where the word at an offset ends.
func wordEnd(text string, at int) int {
	end := at
	if end < len(text) && (text[end] == '"' || text[end] == '\'') {
		return min(len(text), closing(text, end+1, text[end], 0, maxJudged)+1)
	}
	for end < len(text) && end-at < maxJudged && text[end] > ' ' {
		end++
	}
	return end
}

// deviceSecret reports whether a word is none of those that devices have there.
func deviceSecret(v string) bool {
	if len(v) < 5 && !mixed(v) || dummy(v) || pathLike(v) || integer(v) && len(v) < 6 || strings.ContainsAny(v, "(){}<>=;,") || v[0] == '-' {
		return false
	}
	low := lowerASCII(v)
	return !smallWords[low] && !in(low, kindWords) && !in(low, " generate zeroize import export chain config-key rsa dsa ecdsa encryption encryption-type decryption policy recovery prompt local group message-digest aaa authentication-key ") && (v != low || mixed(v) || !strings.Contains(v, "-") || wordsJoined(v))
}

// deviceLine returns the word with which a line begins, behind a prompt or blanks,
// if that is one of such settings and nothing but their words stands before a name;
// "." where the name is the first.
func (s *scanner) deviceLine(start int, n *called) string {
	head := s.text[start:n.from]
	for _, prompt := range []string{"# ", "> "} {
		if i := strings.Index(head, prompt); i > 0 && i < 48 {
			head = head[i+2:]
		}
	}
	words := strings.TrimLeft(head, " \t")
	if len(words) > 140 || strings.ContainsAny(words, "=;(){}<>[]$\\`|,?!") || strings.Contains(words, " the ") || strings.Contains(words, " is ") {
		return ""
	}
	first, rest, _ := strings.Cut(words, " ")
	ok := false
	switch first {
	case "radius-server", "tacacs-server", "ldap-server", "enable", "ntp":
		ok = true
	case "username", "user", "local-user", "snmp-server", "snmp-agent", "neighbor", "standby", "ppp", "wpa-psk", "crypto", "vrrp", "server-private", "hwtacacs", "radius":
		ok = rest != ""
	case "ip", "ipv6":
		ok = strings.HasPrefix(rest, "ospf") || strings.HasPrefix(rest, "ftp") || strings.HasPrefix(rest, "rip") || strings.Contains(rest, "authentication") || strings.HasPrefix(rest, "nhrp")
	case "isis", "area", "aaa", "peer", "config":
		ok = strings.ContainsAny(rest, "-0123456789") || strings.HasPrefix(rest, "wlan")
	case "set":
		ok = strings.Count(rest, " ") > 1 && !strings.Contains(rest, " to ")
	case "option":
		ok = false
	case "":
		first = "."
		name := s.text[n.from:n.to]
		ok = in(name, " pre-shared-key key-string authentication-key shared-key wpa-psk ")
	}
	if !ok {
		return ""
	}
	return first
}
