package privacy

import "strings"

// debconf redacts the answer to a question for a password, as installers and
// packages of Debian are told it: OWNER NAME/QUESTION password VALUE.
func (s *scanner) debconf(n *called) bool {
	if s.text[n.from:n.to] != "password" || n.from < 4 || s.text[n.from-1] != ' ' && s.text[n.from-1] != '\t' {
		return false
	}
	fields := strings.Fields(s.text[lineStart(s.text, n.from, 160):n.from])
	k := len(fields)
	if k < 2 || k > 4 || strings.Count(fields[k-1], "/") == 0 || strings.IndexByte("/.~", fields[k-1][0]) >= 0 || fields[k-2][0] == '#' || !wordLike(strings.Trim(fields[k-2], "\"'")) || strings.Contains(fields[k-1], "://") {
		return false
	}
	return s.answered(n.to)
}

// answered redacts the rest of a line as the answer of a file of answers.
func (s *scanner) answered(at int) bool {
	line, _, _ := strings.Cut(s.text[at:min(len(s.text), at+160)], "\n")
	if i := strings.IndexAny(line, "\"'|;`"); i >= 0 {
		line = line[:i]
	}
	v := strings.TrimSpace(line)
	low := lowerASCII(v)
	if len(v) < 4 || dummy(v) || in(low, examples) || strings.ContainsAny(v[:1], "$[<{%") || strings.HasPrefix(low, "insecure") || strings.IndexByte(v, ' ') > 0 && !phraseOperand(low) {
		return false
	}
	from := at + strings.Index(line, v)
	s.add(from, from+len(v), rulePassword)
	return true
}

// answer redacts the answer behind the words that give a question away: that of
// the key of a radio, or "Password for user ann = ".
func (s *scanner) answer(end int) {
	if s.text[end-1] == '"' || s.text[end-1] == ' ' && s.text[end-2] == 'g' {
		s.answered(end)
		return
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+64)], "\n")
	i := strings.Index(line, " = ")
	if start := lineStart(s.text, end, 40); i >= 0 && i < 40 && end-start <= len("Password for user ") && wordLike(strings.ReplaceAll(strings.TrimSpace(line[:i])+"x", " ", "-")) {
		s.answered(end + i + len(" = "))
	}
}

// kickstarted redacts the value of an option in the line of a file that answers the
// installer of Red Hat.
func (s *scanner) kickstarted(end int) {
	start := lineStart(s.text, end, 300)
	line, _, _ := strings.Cut(s.text[start:min(len(s.text), end+160)], "\n")
	first, _, _ := strings.Cut(line, " ")
	if !in(first, " user part partition autopart logvol raid bootloader volgroup btrfs reqpart sshpw rootpw realm network harddrive ") || strings.Contains(line, "--iscrypted --password") && first != "bootloader" {
		return
	}
	if words := shellWords(s.text, end, start+len(line)); len(words) > 0 && words[0].start == end {
		s.operand(words[0], true)
	}
}

// inPlainText redacts the value that a file of answers says is none of a hash: the
// element before <PlainText>true, the one beside <encrypted …>false.
func (s *scanner) inPlainText(end int) {
	const reach = 200
	before := s.text[max(0, end-reach):end]
	if strings.EqualFold(s.text[max(0, end-len("true")):end], "true") {
		shut := strings.LastIndex(lowerASCII(before), "</value>")
		open := strings.LastIndex(lowerASCII(before), "<value>")
		if open >= 0 && shut > open && strings.TrimSpace(strings.ReplaceAll(lowerASCII(before[shut+len("</value>"):]), "<plaintext>true", "")) == "" {
			s.element(end-len(before)+open+len("<value>"), end-len(before)+shut)
		}
		return
	}
	line := s.text[end:min(len(s.text), end+24)]
	if !strings.Contains(line, ">false<") {
		return
	}
	from, to := max(0, end-reach), min(len(s.text), end+reach)
	low := lowerASCII(s.text[from:to])
	for _, tag := range []string{"user_password>", "root_password>"} {
		if open, shut := strings.Index(low, "<"+tag), strings.Index(low, "</"+tag); open >= 0 && shut > open {
			s.element(from+open+1+len(tag), from+shut)
		}
	}
}

// element redacts what stands in an element if it can be a password.
func (s *scanner) element(from, to int) {
	if v := s.text[from:to]; len(v) >= 4 && !dummy(v) && strings.IndexByte(v, '\n') < 0 && strings.IndexByte("*$%[", v[0]) < 0 && !in(lowerASCII(v), examples) {
		s.add(from, to, rulePassword)
	}
}
