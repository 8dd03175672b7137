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
