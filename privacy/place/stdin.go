package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// StdinReaders are commands that read a secret from their standard input.
var StdinReaders = []string{
	"--password-stdin", "--with-token", "--token-stdin", "--passphrase-fd 0", "sudo -s", "passwd --stdin", "chpasswd",
	"secret put", "secret create", "cryptsetup", "kinit ", "secret set", "env add ", "pass insert", "openconnect",
	"vpn -s", "p4 login", "p4 -", "net ads join", "realm join", "adcli join", "bw unlock", "bw login", "smbpasswd -",
	"--password-from-stdin", "vncpasswd -f",
}

// PipedPassword redacts what a line pipes into such a command: echo SECRET | command, or command <<< SECRET.
func PipedPassword(s *scan.Scanner, end int) {
	from := value.LineStart(s.Text, end, 400)
	line := s.Text[from:end]
	if strings.HasSuffix(line, "sudo -s") {
		return // a shell
	}
	if rest := s.Text[end:min(len(s.Text), end+400)]; strings.Contains(rest, "<<<") {
		rest, _, _ = strings.Cut(rest, "\n")
		if n := strings.Index(rest, "<<<"); n >= 0 {
			stdinWord(s, commandWords(s.Text, end+n+3, end+len(rest)), 0)
		}
	}
	pipe := strings.LastIndexByte(line, '|')
	if pipe < 0 {
		return
	}
	head := line[:pipe]
	if n := max(strings.LastIndex(head, "echo "), strings.LastIndex(head, "printf "),
		strings.LastIndex(head, "print ")); n >= 0 {
		words := commandWords(s.Text, from+n, from+pipe)
		stdinWord(s, words, len(words)-1)
		for n, w := range words[:len(words)-1] {
			if v := strings.Trim(s.Text[w[0]:w[1]], "\"'"); value.SymbolPassword(v) && judge.HasSymbol(v) {
				stdinWord(s, words, n) // printf with several lines
			}
		}
	}
}

// stdinWord redacts one of the words, or the password of NAME:PASSWORD.
func stdinWord(s *scan.Scanner, words [][2]int, n int) {
	if n < 0 || n >= len(words) {
		return
	}
	from, to := words[n][0], words[n][1]
	if name, _, ok := strings.Cut(s.Text[from:to], ":"); ok && value.PlainWords(strings.Trim(name, `'"`)) {
		from += len(name) + 1
	}
	argument(s, from, to)
}

// StdinPasswords returns each line of a text as a password; chpasswd reads NAME:PASSWORD.
func StdinPasswords(text string) (lines []string) {
	for v := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		if i := strings.IndexByte(v, ':'); i > 0 && judge.WordLike(v[:i]) {
			v = v[i+1:]
		}
		if len(v) >= 4 && len(v) < 128 && v[0] != '-' && !strings.ContainsAny(v, "…%\"") {
			lines = append(lines, `password: "`+v+`"`)
		}
	}
	return lines
}
