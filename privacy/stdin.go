package privacy

import (
	"encoding/base64"
	"strings"
)

// stdinReaders are commands that read a secret from their standard input.
var stdinReaders = []string{
	"--password-stdin", "--with-token", "--token-stdin", "--passphrase-fd 0", "sudo -s", "passwd --stdin", "chpasswd", "secret put", "secret create", "cryptsetup", "kinit ", "secret set", "env add ", "pass insert", "openconnect", "vpn -s", "p4 login", "p4 -", "net ads join", "realm join", "adcli join", "bw unlock", "bw login", "smbpasswd -", "--password-from-stdin", "vncpasswd -f",
}

// piped redacts what a line pipes into such a command: echo SECRET | command,
// or command <<< SECRET.
func (s *scanner) piped(end int) {
	from := lineStart(s.text, end, 400)
	line := s.text[from:end]
	if strings.HasSuffix(line, "sudo -s") {
		return // a shell
	}
	if rest := s.text[end:min(len(s.text), end+400)]; strings.Contains(rest, "<<<") {
		rest, _, _ = strings.Cut(rest, "\n")
		if n := strings.Index(rest, "<<<"); n >= 0 {
			s.stdinWord(commandWords(s.text, end+n+3, end+len(rest)), 0)
		}
	}
	pipe := strings.LastIndexByte(line, '|')
	if pipe < 0 {
		return
	}
	head := line[:pipe]
	if n := max(strings.LastIndex(head, "echo "), strings.LastIndex(head, "printf "), strings.LastIndex(head, "print ")); n >= 0 {
		words := commandWords(s.text, from+n, from+pipe)
		s.stdinWord(words, len(words)-1)
		for n, w := range words[:len(words)-1] {
			if v := strings.Trim(s.text[w[0]:w[1]], "\"'"); chosen(v) && symbolic(v) {
				s.stdinWord(words, n) // printf of several lines
			}
		}
	}
}

// stdinWord redacts one of the words, or the password of NAME:PASSWORD.
func (s *scanner) stdinWord(words [][2]int, n int) {
	if n < 0 || n >= len(words) {
		return
	}
	from, to := words[n][0], words[n][1]
	if name, _, ok := strings.Cut(s.text[from:to], ":"); ok && plainWords(strings.Trim(name, `'"`)) {
		from += len(name) + 1
	}
	s.argument(from, to)
}

// passwordList redacts the lines NAME:PASSWORD below "chpasswd:".
func (s *scanner) passwordList(end int) {
	text := s.text[end:min(len(s.text), end+600)]
	for at, n := 0, 0; n < 12 && at < len(text); n++ {
		line, _, _ := strings.Cut(text[at:], "\n")
		entry := strings.TrimLeft(line, " \t-")
		if name, password, ok := strings.Cut(entry, ":"); ok && n > 0 && wordLike(name) && password != "" && password[0] != ' ' {
			stop := end + at + len(strings.TrimRight(line, " \r"))
			s.argument(stop-len(strings.TrimRight(password, " \r")), stop)
		}
		at += len(line) + 1
	}
}

// aclPassword redacts ">PASSWORD" in a rule of Redis for a user.
func (s *scanner) aclPassword(end int) {
	to := end
	for to < len(s.text) && to-end < 256 && s.text[to] > ' ' {
		to++
	}
	if line := strings.ToLower(s.text[lineStart(s.text, end, 160):end]); strings.Contains(line, "user ") {
		s.argument(end, to)
	}
}

// replied redacts the value under a name in a numbered reply, as redis-cli
// prints a hash: 3) "password", and below it 4) "VALUE".
func (s *scanner) replied(to int) {
	rest, ok := strings.CutPrefix(s.text[to:min(len(s.text), to+320)], "\"\n")
	number := strings.TrimLeft(rest, " 0123456789")
	if !ok || len(number) == len(rest) || !strings.HasPrefix(number, ") \"") {
		return
	}
	from := to + len("\"\n") + len(rest) - len(number) + len(") \"")
	if n := strings.IndexByte(s.text[from:min(len(s.text), from+256)], '"'); n > 0 {
		s.argument(from, from+n)
	}
}

// generated redacts what a server tells once: "A temporary password is
// generated for root@localhost: PASSWORD".
func (s *scanner) generated(end int) {
	rest := s.text[end:min(len(s.text), end+200)]
	rest, _, _ = strings.Cut(rest, "\n")
	who, password, ok := strings.Cut(rest, ": ")
	if password = strings.TrimRight(password, " \r"); ok && len(password) >= 4 && !strings.Contains(password, " ") {
		at := end + len(who) + 2
		s.add(at, at+len(password), rulePassword)
	}
}

func wordLike(s string) bool {
	for i := range len(s) {
		if !tokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// decoded redacts what "echo VALUE | base64 -d" makes readable, when that is a password.
func (s *scanner) decoded(end int) {
	from := lineStart(s.text, end, 400)
	line := s.text[from:end]
	pipe, echo := strings.LastIndexByte(line, '|'), strings.LastIndex(line, "echo ")
	if pipe < 0 || echo < 0 || echo > pipe {
		return
	}
	words := fieldSpans(s.text, from+echo+len("echo "), from+pipe)
	if len(words) == 0 {
		return
	}
	w := words[len(words)-1]
	v := strings.Trim(s.text[w[0]:w[1]], "\"'")
	if plain, err := base64.StdEncoding.DecodeString(v); err == nil && typedPassword(strings.TrimSpace(string(plain))) {
		at := w[0] + strings.Index(s.text[w[0]:w[1]], v)
		s.add(at, at+len(v), rulePassword)
	}
}

// crypted redacts the password of crypt('…', gen_salt('bf')).
func (s *scanner) crypted(end int) {
	to := closing(s.text, end, '\'', 0, 256)
	if v := s.text[end:to]; typedPassword(v) && strings.Contains(s.text[to:min(len(s.text), to+40)], "gen_salt") {
		s.add(end, to, rulePassword)
	}
}

// keyedIn redacts a password that a test types into a device: input text "…".
func (s *scanner) keyedIn(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+96)], "\n")
	if words := fieldSpans(s.text, end, end+len(line)); len(words) > 0 {
		if v := strings.Trim(s.text[words[0][0]:words[0][1]], "\"'"); chosen(v) && symbolic(v) {
			s.argument(words[0][0], words[0][1])
		}
	}
}

// handedOn names each line of a text as a password; chpasswd reads NAME:PASSWORD.
func handedOn(text string) (lines []string) {
	for v := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		if i := strings.IndexByte(v, ':'); i > 0 && wordLike(v[:i]) {
			v = v[i+1:]
		}
		if len(v) >= 4 && len(v) < 128 && v[0] != '-' && !strings.ContainsAny(v, "…%\"") {
			lines = append(lines, `password: "`+v+`"`)
		}
	}
	return lines
}
