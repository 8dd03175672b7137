package privacy

import "strings"

// modemKeys are how the commands of a modem begin that take a password, and which
// of their literals it is, from the last if below zero; all that look like one if 0.
var modemKeys = []struct {
	command string
	nth     int
}{
	{"CWJAP", 2}, {"CWSAP", 2}, {"CSTT", 3}, {"QICSGP", 3}, {"QMTCONN", 3}, {"MQTTUSERCFG", 3}, {"CMQTTCONNECT", 3},
	{"CGAUTH", 0}, {"QCGAUTH", 0}, {"UPSD", -1}, {"FTPPW", 1}, {"FTPPASS", 1}, {"SMTPAUTH", -1}, {"CPWD", -1}, {"CLCK", 2}, {"CPIN", 1}, {"PSWD", 1}, {"SMPWD", 1}, {"EMAILPWD", 1},
}

// modem redacts the passwords that a modem is told: AT+CWJAP="network","PASSWORD".
func (s *scanner) modem(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	command, _, ok := strings.Cut(line, "=")
	if !ok || len(command) > 20 {
		return
	}
	for _, k := range modemKeys {
		if !strings.HasPrefix(command, k.command) {
			continue
		}
		list := quotedWords(s.text, end+len(command)+1, end+len(line))
		switch {
		case k.nth > 0 && k.nth <= len(list):
			list = list[k.nth-1 : k.nth]
		case k.nth < 0 && len(list) > 0:
			list = list[len(list)-1:]
		case k.nth > 0 || len(list) == 0:
			return
		}
		sure := 0
		for _, l := range list {
			sure += bit(surelyTyped(s.text[l.start:l.end]))
		}
		for _, l := range list {
			v := s.text[l.start:l.end]
			pin := integer(v) && len(v) >= 4 && len(v) <= 8 && strings.HasPrefix(k.command, "C") && !monotone(v)
			if pin || k.nth != 0 && operandSecret(v, true) || k.nth == 0 && len(v) >= 4 && !dummy(v) && (sure != 1 || surelyTyped(v)) {
				s.add(l.start, l.end, rulePassword)
			}
		}
		return
	}
}

// surelyTyped reports whether a literal is a password rather than an account.
func surelyTyped(v string) bool {
	n := countKinds(v)
	return handWritten(v) || markedWord(v) || chosen(v) || n.upper > 0 && n.lower > 0 && n.digits > 0
}

// quotedWords returns what stands between quotes in a part of a line, escaped or not.
func quotedWords(text string, from, to int) (out []span) {
	open := -1
	for i := from; i < to; i++ {
		switch {
		case text[i] != '"':
		case open < 0:
			open = i + 1
		default:
			end := i
			for end > open && text[end-1] == '\\' {
				end--
			}
			out = append(out, span{start: open, end: end})
			open = -1
		}
	}
	return out
}

// routerCommunity redacts the name by which a router of MikroTik lets be read what it
// measures, behind /snmp community or in the lines below.
func (s *scanner) routerCommunity(end int) {
	at := end
	for range 6 {
		line, _, more := strings.Cut(s.text[at:min(len(s.text), at+300)], "\n")
		if at > end && strings.HasPrefix(line, "/") {
			return
		}
		if i := strings.Index(line, " name="); i >= 0 {
			if words := shellWords(s.text, at+i+len(" name="), at+len(line)); len(words) > 0 && !in(strings.Trim(s.text[words[0].start:words[0].end], "\""), " public private ") {
				s.operand(words[0], true)
			}
		}
		if at += len(line) + 1; !more || at >= len(s.text) {
			return
		}
	}
}

// communityName redacts the name of an SNMP community behind the words that set it.
func (s *scanner) communityName(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+120)], "\n")
	words := shellWords(s.text, end, end+len(line))
	nth := 0
	if strings.EqualFold(s.text[max(0, end-len("com2sec ")):end], "com2sec ") {
		const source = 2
		if nth = source; len(words) > nth && s.text[words[0].start:words[0].end] == "-Cn" {
			nth += 2
		}
	}
	if len(words) <= nth || in(strings.Trim(s.text[words[nth].start:words[nth].end], "\""), " public private name string strings ") {
		return
	}
	first := strings.TrimLeft(s.text[lineStart(s.text, end, 120):end], " \t#>$")
	last := len(words) == nth+1 && in(strings.SplitN(first, " ", 2)[0], " set snmp config rocommunity rwcommunity rocommunity6 rwcommunity6 com2sec com2sec6 ")
	if !last && len(words) > nth+1 {
		next := s.text[words[nth+1].start:words[nth+1].end]
		last = digit(next[0]) || in(next, " ro rw RO RW authorization network client client-list view default clients localhost ")
	}
	s.operand(words[nth], last)
}

// streamed redacts the key of a stream, the last part of a link of RTMP.
func (s *scanner) streamed(end int) {
	to := end
	for to < len(s.text) && to-end < 256 && s.text[to] > ' ' && strings.IndexByte("\"'`;<>|\\)", s.text[to]) < 0 {
		to++
	}
	link, _, _ := strings.Cut(s.text[end:to], "?")
	i := strings.LastIndexByte(link, '/')
	if v := link[i+1:]; i > 0 && strings.IndexByte(link[:i], '/') > 0 && streamKey(v) {
		s.add(end+i+1, end+len(link), ruleSecret)
	}
}

// streamKey reports whether the name of a stream is one that only who sends it knows:
// groups of letters and digits, or a part that is drawn.
func streamKey(v string) bool {
	if len(v) < 12 || strings.ContainsAny(v, ".{}$:=%") || dummy(v) || countKinds(v).digits < 2 || monotone(v) {
		return false
	}
	groups, grouped, long := strings.FieldsFunc(v, func(r rune) bool { return r == '-' || r == '_' }), 0, false
	for _, g := range groups {
		if len(g) >= 4 && len(g) <= 5 && mixed(g) && surprise(g) > 4 {
			grouped++
		}
		n := countKinds(g)
		long = long || len(g) >= 10 && n.digits > 0 && n.lower > 1 && n.runs+min(n.upper, 2) > 1 && surprise(g) > 5
	}
	return grouped > 1 && grouped*2 > len(groups)-1 || long || uuidLike(v) || hexKey(v)
}

// keptAlive redacts the password of NodeMCU's mqtt.Client(name, seconds, user, PASSWORD).
func (s *scanner) keptAlive(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	args := strings.SplitN(line, ",", 4)
	const password = 3
	if len(args) <= password || !integer(strings.TrimSpace(args[1])) {
		return
	}
	from := end + len(line) - len(args[password])
	if a, ok := (assignment{sep: comma, reach: 128}).value(s.text, from); ok && a.quoted && (operandSecret(s.text[a.start:a.end], true) || inWords(s.text[a.start:a.end])) {
		s.add(a.start, a.end, rulePassword)
	}
}

// nodeCookie redacts the cookie that nodes of Erlang know each other by, the last
// argument of set_cookie.
func (s *scanner) nodeCookie(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+120)], "\n")
	shut := strings.LastIndexByte(line, ')')
	if shut < 0 {
		return
	}
	from := strings.LastIndexAny(line[:shut], ",(") + 1
	arg := strings.TrimLeft(line[from:shut], " ")
	v := strings.Trim(strings.TrimPrefix(arg, ":"), "'\"")
	if at := end + from + strings.Index(line[from:shut], v); v != arg && operandSecret(v, true) {
		s.add(at, at+len(v), rulePassword)
	}
}

// vpnFile redacts the second line of the file that a setting of OpenVPN names for an
// account, where the text shows what is in it.
func (s *scanner) vpnFile(end int) {
	const reach, cost = 4 << 10, 20
	if !s.look(cost) {
		return
	}
	rest := s.text[end:min(len(s.text), end+reach)]
	path, below, ok := strings.Cut(rest, "\n")
	path = strings.Trim(path, " \r\"'")
	if !ok || path == "" || strings.ContainsAny(path, " <>$") {
		return
	}
	at := end + len(rest) - len(below)
	for below != "" {
		i := strings.Index(below, path)
		if i < 0 {
			return
		}
		head := below[strings.LastIndexByte(below[:i], '\n')+1 : i]
		tail, more, _ := strings.Cut(below[i+len(path):], "\n")
		at += len(below) - len(more)
		below = more
		shows := strings.Contains(head, "cat ") || strings.Contains(head, "tee ") || strings.Contains(head, "head ") || strings.Contains(head, "==> ")
		user, next, two := strings.Cut(more, "\n")
		line, _, _ := strings.Cut(next, "\n")
		v := strings.TrimSpace(line)
		if len(tail) > 16 || !shows || !two || strings.ContainsAny(strings.TrimSpace(user), " $") || len(v) < 4 || dummy(v) || strings.IndexByte(v, ' ') > 0 && !phraseOperand(lowerASCII(v)) || strings.Contains(v, "$ ") {
			continue
		}
		from := at + len(user) + 1 + strings.Index(line, v)
		s.add(from, from+len(v), rulePassword)
		return
	}
}
