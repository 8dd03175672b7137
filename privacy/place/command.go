package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// passwordWords says which words of its command line are secrets that no name gives away.
type passwordWords struct {
	word    string // what the command begins with, in lower case
	flags   string // the word behind one of these
	glued   string // what follows one of these in the same word
	operand int    // the word with this number
	pairs   bool   // every value of NAME=value
	alone   bool   // it must begin the line or be a flag: it is a word of prose too
	only    string // a word of the line without which nothing is one
}

// programs is the table of them. What has a name of its own (--password) is
// found by that.
var programs = []passwordWords{
	{word: "mysql", glued: "-p"}, {word: "mysqldump", glued: "-p"}, {word: "mysqladmin", glued: "-p"}, {word: "mariadb", glued: "-p"},
	{word: "redis-cli", flags: "-a --pass"},
	{word: "7z ", glued: "-p"}, {word: "7za ", glued: "-p"}, {word: "rar ", glued: "-hp -p"}, {word: "zip ", flags: "-P"}, {word: "unzip ", flags: "-P"}, {word: "zip -p", operand: 1},
	{word: "openssl", flags: "-k -K", glued: "pass:"},
	{word: "ldapsearch", flags: "-w"}, {word: "ldapadd", flags: "-w"}, {word: "ldapmodify", flags: "-w"}, {word: "ldapdelete", flags: "-w"},
	{word: "ldapwhoami", flags: "-w"}, {word: "ldappasswd", flags: "-w -s -a"},
	{word: "sqlcmd", flags: "-P", glued: "-P"}, {word: "bcp ", flags: "-P", glued: "-P"}, {word: "mosquitto_", flags: "-P"},
	{word: "tsql ", flags: "-P"}, {word: "isql ", flags: "-P", operand: 3}, {word: "freebcp ", flags: "-P"}, {word: "influx ", flags: "-t"}, {word: "insecure-password ", operand: 1}, {word: "erlang_cookie=", operand: 1},
	{word: "snmpget", flags: "-A -X"}, {word: "net-snmp-create-v3-user", flags: "-a -A -x -X"}, {word: "snmpset", flags: "-A -X"}, {word: "snmpwalk", flags: "-A -X"}, {word: "snmpbulkwalk", flags: "-A -X"},
	{word: "odoo", flags: "-w", only: "-r "}, {word: "sv_setsteamaccount ", operand: 1},
	{word: "ldapcompare", flags: "-w"}, {word: "ldapmodrdn", flags: "-w"}, {word: "ldapexop", flags: "-w"}, {word: "dsconf ", flags: "-w", only: "-D "}, {word: "dsidm ", flags: "-w", only: "-D "},
	{word: "xfreerdp", glued: "/p: -p"}, {word: "wlfreerdp", glued: "/p: -p"}, {word: "freerdp", glued: "/p: -p"}, {word: "rdesktop", flags: "-p"}, {word: "plink ", flags: "-pw"}, {word: "pscp ", flags: "-pw"},
	{word: "ssh-keygen", flags: "-N -P"}, {word: "schtasks", flags: "/rp /p /RP /P"}, {word: "rclone obscure", operand: 1}, {word: "ipmitool", flags: "-P"}, {word: "unlock-keychain", flags: "-p"}, {word: "signtool", flags: "/p"}, {word: "config http-basic.", operand: 3}, {word: "requirepass ", operand: 1, alone: true}, {word: "masterauth ", operand: 1, alone: true}, {word: "snmpwalk", flags: "-c"}, {word: "snmpget", flags: "-c"},
	{word: "security import", flags: "-P"}, {word: "supabase link", flags: "-p"}, {word: "slmgr", flags: "/ipk"}, {word: "openssl passwd -", operand: 2},
	{word: "codecov", flags: "-t"}, {word: "snyk auth", operand: 1}, {word: "useradd", flags: "-p"}, {word: "usermod", flags: "-p"},
	{word: "gh secret set", flags: "-b --body", glued: "-b"}, {word: "keyvault secret set", flags: "--value"}, {word: "put-parameter", flags: "--value", only: "SecureString"},
	{word: "secret generic", glued: "--from-literal=", pairs: true}, {word: "secrets set", pairs: true}, {word: "secrets:set", pairs: true}, {word: "config:set", pairs: true}, {word: "kv put", pairs: true},
	{word: "config set --secret", operand: 2},
}

// Commands are the words that give such command lines away.
func Commands() []string {
	out := []string{"htpasswd -", "net use", "curl", "to-securestring"}
	for _, p := range programs {
		out = append(out, p.word)
	}
	return out
}

// Command redacts such arguments in the rest of a command line.
func Command(s *scan.Scanner, end int) {
	word := s.Text[max(0, end-4):end]
	if end < s.Reached[scan.ByCommand] && (word == s.CommandWord || s.CommandBytes > len(s.Text)+scan.MaxValue) {
		return
	}
	stop := strings.IndexAny(s.Text[end:min(len(s.Text), end+400)], "\n|;")
	if stop < 0 {
		stop = min(len(s.Text), end+400) - end
	}
	s.Reached[scan.ByCommand], s.CommandWord = end+stop, word
	s.CommandBytes += stop
	name := strings.ToLower(s.Text[max(0, end-32):end])
	words := commandWords(s.Text, end, end+stop)
	if len(words) == 0 {
		return
	}
	switch {
	case strings.HasSuffix(name, "htpasswd -"):
		if len(words) > 3 && strings.Contains(s.Text[words[0][0]:words[0][1]], "b") {
			argument(s, words[3][0], words[3][1])
		}
		return
	case strings.HasSuffix(name, "net use"):

		return
	case strings.HasSuffix(name, "curl"):

		return
	case strings.HasSuffix(name, "securestring"):
		secureString(s, words)
		return
	}
	for i := range programs {
		if p := &programs[i]; strings.HasSuffix(name, p.word) && strings.Contains(s.Text[end:end+stop], p.only) {
			arguments(s, p, words)
		}
	}
}

// arguments redacts what a program's table entry says of its words.
func arguments(s *scan.Scanner, p *passwordWords, words [][2]int) {
	for i, w := range words {
		if value.WordByte(s.Text[w[0]-1]) {
			continue // the name of the program goes on: mariadb-plugin
		}
		for w[0] < w[1]-1 && (s.Text[w[0]] == '"' || s.Text[w[0]] == '\'') {
			w[0]++
		}
		word := s.Text[w[0]:w[1]]
		if p.operand == i+1 && !(p.word[0] == '+' && word[0] == '+') && !(p.alone && !begins(s, words[0][0]-len(p.word), p.word)) {
			argument(s, w[0], w[1])
		}
		if i+1 < len(words) && value.In(word, " "+p.flags+" ") {
			argument(s, words[i+1][0], words[i+1][1])
		}
		from := 0
		if n := gluedTo(word, p.glued); n > 0 && len(word) > n+3 {
			from = n
		}
		if n := strings.IndexByte(word[from:], '='); p.pairs && n > 0 && word[0] != '-' || p.pairs && from > 0 {
			argument(s, w[0]+from+n+1, w[1])
		} else if from > 0 {
			argument(s, w[0]+from, w[1])
		}
	}
}

// gluedTo returns the length of the prefix that a word has, of those listed.
func gluedTo(word, prefixes string) int {
	for p := range strings.FieldsSeq(prefixes) {
		if strings.HasPrefix(word, p) {
			return len(p)
		}
	}
	return 0
}

// secureString redacts the text that ConvertTo-SecureString makes a secret of.
func secureString(s *scan.Scanner, words [][2]int) {
	for _, w := range words {
		switch c := s.Text[w[0]]; {
		case c == '"' || c == '\'':
			to := judge.Closing(s.Text, w[0]+1, c, 0, 256)
			if v := s.Text[w[0]+1 : to]; len(v) >= 4 && !value.Dummy(v) && !strings.Contains(v, "$(") {
				scan.Add(s, w[0]+1, to, scan.RulePassword)
			}
			return
		case strings.IndexByte("-$([<", c) < 0 && strings.Contains(value.LowerASCII(s.Text[words[0][0]:words[len(words)-1][1]]), "-asplaintext"):
			argument(s, w[0], w[1])
			return
		}
	}
}

// argument redacts one word of a command line that is a password.
func argument(s *scan.Scanner, from, to int) {
	for from < to && (s.Text[from] == '\'' || s.Text[from] == '"') {
		from++
	}
	for to > from && strings.IndexByte("'\"`],", s.Text[to-1]) >= 0 {
		to--
	}
	v := s.Text[from:to]
	if strings.IndexByte(v, ' ') >= 0 && strings.ContainsAny(v, "$%<>") {
		return // put together of others
	}
	if len(v) < 4 || value.Dummy(v) || v[0] == '-' || strings.ContainsAny(v, "/(){}=") && !value.KeyWithSlashes(v) || value.PlainWords(v) && value.In(v, " protocol prefix port password public private directive option setting ") {
		return
	}
	scan.Add(s, from, to, scan.RulePassword)
}

// commandWords returns the bounds of the words of a command: one in quotes may have
// blanks in it.
func commandWords(text string, from, to int) [][2]int {
	var out [][2]int
	for w := range judge.EachField(text, from, to) {
		if n := len(out); n > 0 && w[0] < out[n-1][1] {
			continue
		}
		if end := quotedEnd(text[:to], w[0]); end > w[1] {
			w[1] = end
		}
		out = append(out, w)
	}
	return out
}

// quotedEnd returns where a word ends that is in quotes, which begin it or stand
// behind a flag or an equals sign; 0 when it is not.
func quotedEnd(text string, at int) int {
	open := at
	for open < len(text) && text[open] > ' ' && text[open] != '"' && text[open] != '\'' {
		open++
	}
	if open >= len(text) || text[open] <= ' ' || open > at && text[open-1] != '=' && !(text[at] == '-' && open-at < 4) {
		return 0
	}
	shut := strings.IndexByte(text[open+1:], text[open])
	if shut < 0 {
		return 0
	}
	if end := open + 1 + shut + 1; end == len(text) || strings.IndexByte(" \t\r\n|;&)", text[end]) >= 0 {
		return end
	}
	return 0
}

// Phrase redacts a wallet's words: twelve or more short ones in a row.
func Phrase(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByPhrase] {
		return
	}
	_, to := judge.NameAt(s.Text, end)
	i := judge.Blanks(s.Text, judge.Closers(s.Text, to))
	if n := strings.Index(s.Text[i:min(len(s.Text), i+64)], ":"); n > 0 && !strings.Contains(s.Text[i:i+n], "\n") {
		i += n // "seed phrase to recover your new keypair:", and the words below
	}
	for i < len(s.Text) && i < to+90 && strings.IndexByte(" :=\"'\n", s.Text[i]) >= 0 {
		i++
	}
	for _, w := range []string{"is ", "are "} {
		if strings.HasPrefix(s.Text[i:], w) {
			i = judge.Blanks(s.Text, i+len(w))
		}
	}
	limit := min(len(s.Text), i+320)
	if i < len(s.Text) && value.Digit(s.Text[i]) {
		limit = min(len(s.Text), i+480) // the words are numbered
	}
	words, stop := 0, i
	for w := range judge.EachField(s.Text, i, limit) {
		s.Reached[scan.ByPhrase] = w[0]
		word := strings.Trim(s.Text[w[0]:w[1]], "\"',")
		if number := strings.TrimRight(word, ".)"); len(number) < len(word) && value.Integer(number) {
			continue
		}
		if len(word) < 3 || len(word) > 8 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || value.In(word, " the and for are was with from had not but ") {
			break // none of these is in the lists that wallets use
		}
		words, stop = words+1, w[0]+len(word)
	}
	if words >= 12 && words <= 25 {
		scan.Add(s, i, stop, scan.RuleSecret)
	}
}

// begins reports whether a word, written as it is, begins its line or is a flag.
func begins(s *scan.Scanner, at int, word string) bool {
	if !strings.HasPrefix(s.Text[max(at, 0):], word) {
		return false
	}
	return at <= 0 || s.Text[at-1] == '\n' || s.Text[at-1] == '-'
}
