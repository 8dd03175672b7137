package privacy

import "strings"

// service redacts what somebody tells the services of IRC to be known again:
// NickServ IDENTIFY [name] PASSWORD, however a log shows it.
func (s *scanner) service(end int) {
	const reach = 160
	if !s.look(1) {
		return
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+reach)], "\n")
	words := shellWords(s.text, end, end+len(line))
	for len(words) > 0 && strings.Trim(s.text[words[0].start:words[0].end], "<>:\"'()-|") == "" {
		words = words[1:]
	}
	if len(words) < 2 || len(words) > 5 {
		return
	}
	verb := strings.Trim(lowerASCII(s.text[words[0].start:words[0].end]), ":>\"'")
	args := words[1:]
	switch verb {
	case "identify", "id", "login", "auth":
		if len(args) > 2 {
			return
		}
		args = args[len(args)-1:]
	case "register":
		args = args[:1]
	case "ghost", "recover", "release", "regain", "group":
		if len(args) != 2 {
			return
		}
		args = args[1:]
	case "set":
		if len(args) != 2 || !strings.EqualFold(s.text[args[0].start:args[0].end], "password") {
			return
		}
		args = args[1:]
	default:
		return
	}
	s.operand(args[0], true)
}

// typedToServer redacts the last word of a line that says all: /oper NAME PASSWORD.
func (s *scanner) typedToServer(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+160)], "\n")
	if words := shellWords(s.text, end, end+len(line)); len(words) == 1 || len(words) == 2 {
		w := words[len(words)-1]
		if i := strings.LastIndexByte(s.text[w.start:w.end], ':'); i > 0 && i < w.end-w.start-1 {
			w.start += i + 1 // NAME/NETWORK:PASSWORD
		}
		s.operand(w, true)
	}
}

// serverPass redacts what follows PASS in a session of FTP, of POP3 or of IRC: the
// account was told before, or is told in the next line, in lines that begin alike.
func (s *scanner) serverPass(n *called) bool {
	const reach = 600
	if s.text[n.from:n.to] != "PASS" || n.to >= len(s.text) || s.text[n.to] != ' ' {
		return false
	}
	start := lineStart(s.text, n.from, 160)
	prefix := speakerMark(s.text[start:n.from])
	if prefix < 0 {
		return false
	}
	line, rest, _ := strings.Cut(s.text[n.to+1:min(len(s.text), n.to+reach)], "\n")
	v := strings.TrimRight(line, " \r")
	asked, known := false, false
	before := s.text[max(0, start-reach):start]
	if i := strings.LastIndex(before, "USER "); i >= 0 {
		known = speakerMark(before[strings.LastIndexByte(before[:i], '\n')+1:i]) == prefix
		asked = strings.Contains(before[i:], "331 ") || strings.Contains(before[i:], "+OK")
	} else if i := strings.Index(rest, "NICK "); i >= 0 {
		known = speakerMark(rest[strings.LastIndexByte(rest[:i], '\n')+1:i]) == prefix
	}
	if !known || len(v) < 4 || dummy(v) || !asked && !operandSecret(v, true) {
		return false
	}
	s.add(n.to+1, n.to+1+len(v), rulePassword)
	return true
}

// speakerMark returns the last sign of what stands before a command in the log of a
// session, 0 where nothing does, and -1 where it is no such line.
func speakerMark(prefix string) int {
	prefix = strings.TrimRight(prefix, " \t")
	if prefix == "" {
		return 0
	}
	if c := prefix[len(prefix)-1]; strings.IndexByte(":>-]<|", c) >= 0 {
		return int(c)
	}
	return -1
}
