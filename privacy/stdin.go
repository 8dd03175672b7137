package privacy

import "strings"

// stdinReaders are commands that read a secret from their standard input.
var stdinReaders = []string{
	"--password-stdin", "--with-token", "--token-stdin", "--passphrase-fd 0", "sudo -s", "passwd --stdin", "chpasswd", "secret put", "secret create", "cryptsetup",
}

// piped redacts what a line pipes into such a command: echo SECRET | command,
// or command <<< SECRET.
func (s *scanner) piped(end int) {
	from := lineStart(s.text, end, 400)
	line := s.text[from:end]
	if strings.HasSuffix(line, " -s") {
		return // sudo -s is a shell
	}
	if rest := s.text[end:min(len(s.text), end+400)]; strings.Contains(rest, "<<<") {
		rest, _, _ = strings.Cut(rest, "\n")
		if n := strings.Index(rest, "<<<"); n >= 0 {
			s.stdinWord(fieldSpans(s.text, end+n+3, end+len(rest)), 0)
		}
	}
	pipe := strings.LastIndexByte(line, '|')
	if pipe < 0 {
		return
	}
	head := line[:pipe]
	if n := max(strings.LastIndex(head, "echo "), strings.LastIndex(head, "printf "), strings.LastIndex(head, "print ")); n >= 0 {
		words := fieldSpans(s.text, from+n, from+pipe)
		s.stdinWord(words, len(words)-1)
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

func wordLike(s string) bool {
	for i := range len(s) {
		if !tokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}
