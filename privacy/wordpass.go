package privacy

import "strings"

// wordsJoined reports whether a value is three or more words joined by one sort of
// separator, as generators of passphrases write them: correct-horse-battery-staple.
func wordsJoined(v string) bool {
	i := strings.IndexAny(v, "-_.")
	if i < 3 || len(v) > 96 {
		return false
	}
	words := 0
	for word := range strings.SplitSeq(v, v[i:i+1]) {
		low := strings.ToLower(word)
		if len(word) < 3 || len(word) > 10 || strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") != "" || word[1:] != low[1:] || smallWords[low] || in(low, kindWords) || in(low, partWords) {
			return false
		}
		words++
	}
	return words >= 3
}

// partWords are in the names of the parts of programs, and hardly in passphrases.
const partWords = " app api web test prod dev stage staging service store config settings input form page view button label title help hint policy manager provider handler controller admin root main core common shared base data model table column row index icon group role name sign signin signup logout my the aws gcp azure sha "

// pickedWords reports whether a value in quotes, or with a dash where names have
// none, is words that somebody picked: none of them is one of programs, forms or
// messages. Small words may stand between others.
func pickedWords(v string) bool {
	i := strings.IndexAny(v, "-_")
	if len(v) < 6 || len(v) > 64 || strings.Trim(v, letters+"-_") != "" || i >= 0 && strings.IndexByte(v, '-'+'_'-v[i]) >= 0 {
		return false
	}
	var room [maxWords]string
	words := nameWords(v, room[:0])
	for n, w := range words {
		if n > 0 && n < len(words)-1 && in(w, " in is of at on as are the and to for with over ") {
			continue
		}
		if len(w) < 3 || len(w) > 12 || smallWords[w] || in(w, kindWords) || in(w, partWords) || in(w, examples) || in(w, codeWords) || keyStrength(w) != notSecret {
			return false
		}
	}
	return len(words) > 1 || len(words) == 1 && lowerASCII(v) == v
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// codeWords are in the values that programs give to what they call a password:
// names of fields, events, places, ways.
const codeWords = " number reset update strong simple normal source prompt change medium nothing dialog locked unlock missing generator strength visibility checker validator matcher encoder hasher grant flow recovery expiry mode kind method scheme schema template modal screen route link url uri host port path code event action state status log debug info warn request response params args options option prefix suffix sso ldap saml mfa otp passkey secretsmanager ssm bcrypt json yaml html css email mail phone address attribute attr property prop class function func callback handle ref node item list map set get put post add create delete remove edit "

// wordsApart returns the end of a value of words between blanks that only a
// password can be: in quotes, or up to the end of its line, behind the name of
// one. A message has capitals, small words or a full stop.
func (s *scanner) wordsApart(name string, a assignment) int {
	shared := a.sep == equals && (suffixFold(name, "shared-key") || suffixFold(name, "psk"))
	if flag := a.quoted && (shared || a.sep == blank && s.flag(a)); flag && a.end-a.start <= 64 {
		return a.flagPhrase(s.text)
	}
	phrase := suffixFold(name, "phrase")
	if a.sep != equals && a.sep != colon && !(a.sep == blank && phrase) {
		return 0
	}
	end := a.end
	if !a.quoted {
		if n := strings.IndexAny(s.text[a.start:min(len(s.text), a.start+64)], "\r\n"); n >= 0 {
			end = a.start + n
		} else if end = min(len(s.text), a.start+64); end < len(s.text) {
			return 0
		}
	}
	v := s.text[a.start:end]
	if strings.IndexByte(v, ' ') < 0 {
		return 0
	}
	words, digits, marked := 0, false, strings.ContainsAny(v, "#&+*~")
	titled := lowerASCII(v) != v // a message begins with a capital; it holds numbers, no word with a digit in it
	for word := range strings.FieldsSeq(v) {
		word = lowerASCII(word)
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-!#&+*~") != "" || len(word) > 12 || smallWords[word] && !a.env || in(word, kindWords) || in(word, examples) && (!a.env && !(phrase && words > 0) || len(word) > 3) {
			return 0
		}
		words++
		digits = digits || mixed(word) || integer(word) && !titled
	}
	switch {
	case words < 2 || words > 8 || marked && !(a.quoted && digits), titled && !a.quoted && !(phrase && words > 2 && v[0] >= 'a'):
		return 0
	case a.sep == blank && !a.quoted && (words > 6 || !digits):
		return 0
	case fourByFour(v), a.quoted && (digits || capitals(name) || words > 2 && !titled && strings.IndexByte(v, '-') < 0), words > 2 && phrase:
		return end
	}
	return 0
}

// fourByFour reports whether a value is four groups of four small letters, as
// the passwords that mail providers and phone makers give to programs.
func fourByFour(v string) bool {
	if len(v) != 19 {
		return false
	}
	for i := range len(v) {
		if c := v[i]; i%5 == 4 && c != v[4] || i%5 != 4 && (c < 'a' || c > 'z') {
			return false
		}
	}
	return v[4] == ' ' || v[4] == '-'
}

// flagPhrase returns the end of a passphrase in quotes behind a flag: several
// words of which none is one of a message.
func (a assignment) flagPhrase(text string) int {
	words := 0
	for word := range strings.FieldsSeq(text[a.start:a.end]) {
		if smallWords[word] || strings.ContainsAny(word, "$<>{}") {
			return 0
		}
		words++
	}
	if words < 2 {
		return 0
	}
	return a.end
}

// slogan reports whether a literal is words and a number with which somebody
// made a key up that tokens or cookies are signed with.
func (s *scanner) slogan(k strength, from, to int, a assignment) bool {
	v := s.text[a.start:a.end]
	if k == passwordKey && madeSecret(v) {
		return lowerASCII(s.text[max(from, to-len("secret")):to]) == "secret"
	}
	if len(v) < 16 || len(v) > 96 || strings.Trim(v, letters+"0123456789-_.!") != "" || strings.Count(v, "-")+strings.Count(v, "_") < 3 || countKinds(v).digits == 0 || dummy(v) || uuidLike(v) || strings.Contains(v, "path") || strings.Contains(v, "file") {
		return false
	}
	name := lowerASCII(s.text[from:to])
	if k == tokenKey {
		return strings.HasSuffix(name, "secret_key") || strings.HasSuffix(name, "secretkey") || strings.HasSuffix(name, "signing_key") || strings.HasSuffix(name, "signingkey")
	}
	if a.sep != colon || !strings.HasSuffix(name, "key") {
		return false
	}
	open := max(0, from-200) + strings.LastIndexByte(s.text[max(0, from-200):from], '{')
	block := lowerASCII(s.text[max(0, open-24):max(0, open)])
	return strings.Contains(block, "jwt\"") || strings.Contains(block, "jwtsettings\"") || strings.Contains(block, "jwtoptions\"") || strings.Contains(block, "tokens\"") || strings.Contains(block, "jwtconfig\"")
}

// inWords reports whether a value in the place of a password is words, and none of
// them is one of labels or messages.
func inWords(v string) bool {
	if len(v) < 6 || len(v) > 64 || dummy(v) || strings.ContainsAny(v, "<>{}()[]$=/\\\"|:;") || strings.IndexByte(".?", v[len(v)-1]) >= 0 {
		return false
	}
	words := 0
	for word := range strings.FieldsSeq(v) {
		low := strings.ToLower(strings.Trim(word, ",.!-_'"))
		if smallWords[low] || in(low, kindWords) || in(low, examples) || in(low, " mot passe ") || labelWord(low) || keyStrength(low) >= tokenKey {
			return false
		}
		words++
	}
	return words > 1 && words < 7 || words == 1 && pickedWords(v)
}

// wordsOfAccount reports whether the value behind the name of a password is words
// that no label has, in a place where an account is set up; it then takes them all.
func (s *scanner) wordsOfAccount(from, to int, a *assignment) bool {
	end := a.end
	switch {
	case a.sep == element:
		v := s.text[a.start:end]
		return strings.IndexByte(v, ' ') > 0 && inWords(v) && strings.Contains(lowerASCII(s.text[max(0, from-120):from]), "<user")
	case a.quoted && from > 0 && s.text[from-1] == ' ' && s.text[to] == '"':
		return false // the label of a form: "Forgot Password"
	case a.quoted && (a.sep == equals || a.sep == colon) && oddWord(s.text[a.start:a.end]), a.quoted && a.sep == equals && titleWord(s.text[a.start:a.end]):
		return s.accountBeside(from, end)
	case a.quoted:
		if a.sep == blank || a.sep == comma || strings.IndexByte(s.text[a.start:a.end], ' ') < 0 {
			return false
		}
	case a.sep != colon || end >= len(s.text) || s.text[end] != ' ':
		return false
	default:
		n := strings.IndexAny(s.text[a.start:min(len(s.text), a.start+64)], "\r\n")
		if n < 0 && len(s.text) > a.start+64 {
			return false
		} else if n < 0 {
			n = len(s.text) - a.start
		}
		end = a.start + n
	}
	block := !a.quoted && s.folded(to, a.start)
	if v := s.text[a.start:end]; !inWords(v) || !block && !s.accountBeside(from, end) {
		return false
	}
	if block {
		return false
	}
	a.end = end
	return true
}

// titleWord reports whether a value is one long word with a capital, that no label has.
func titleWord(v string) bool {
	if len(v) < 9 || len(v) > 24 || v[0] < 'A' || v[0] > 'Z' || labelWord(v) || dummy(v) {
		return false
	}
	sp := spellingOf(v)
	return sp.plain() && sp.upper == 1 && !sp.ordinary() && !sp.describes()
}

// folded reports whether a value is the text of a block of YAML.
func (s *scanner) folded(to, start int) bool {
	between := s.text[to:start]
	return strings.IndexByte(between, '\n') > 0 && strings.ContainsAny(between, "|>")
}

// accountBeside reports whether the member before or behind a password in its
// object, or in the lines around, is the name of an account or of a machine.
func (s *scanner) accountBeside(from, end int) bool {
	const reach = 160
	start := lineStart(s.text, from, reach)
	if accountMember(s.text[start:from]) {
		return true
	}
	if line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+reach)], "\n"); accountMember(strings.TrimLeft(line, "\"' ,")) {
		return true
	}
	for at, n := start, 0; at > 0 && n < 3; n++ {
		next := lineStart(s.text, at-1, reach)
		line := s.text[next : at-1]
		if strings.HasSuffix(strings.TrimRight(line, " \r"), ":") {
			break
		}
		if accountMember(line) {
			return true
		}
		at = next
	}
	if n := strings.IndexByte(s.text[end:min(len(s.text), end+reach)], '\n'); n >= 0 {
		line, _, _ := strings.Cut(s.text[end+n+1:min(len(s.text), end+n+1+reach)], "\n")
		return !strings.HasPrefix(strings.TrimLeft(line, " "), "- ") && accountMember(line)
	}
	return false
}

// accountMember reports whether the last member of a line is the name of an
// account, of a machine or of a network, and its value is no label: one word, that
// begins small, with a digit or as an address.
func accountMember(line string) bool {
	line = strings.TrimRight(line, " \t\r,;:{\"'")
	i := strings.LastIndexAny(line, " \"'=:")
	if i < 1 {
		return false
	}
	value, name := line[i+1:], strings.TrimRight(line[:i+1], " \"'=:")
	at, to := nameAt(name, len(name))
	var room [maxWords]string
	words := nameWords(name[at:to], room[:0])
	const accounts = " user username usr login account konto email mail host hostname server ssid benutzer usuario utente from uid role rolle "
	if len(words) == 0 || !in(words[len(words)-1], accounts) || in(value, accounts) {
		return false
	}
	if in(words[len(words)-1], " ssid ") {
		return true
	}
	return accountValue(value)
}

// members redacts what a map holds that is called tokens, secrets or passwords: its
// members are called after who has them.
func (s *scanner) members(n *called) {
	const reach = 600
	if n.to >= len(s.text) || s.text[n.to-1]|0x20 != 's' || s.marks > maxMarks || strings.ContainsAny(s.text[n.from:n.to], ".-") {
		return
	}
	i := blanks(s.text, closers(s.text, n.to))
	if i < len(s.text) && (s.text[i] == ':' || s.text[i] == '=') {
		i = blanks(s.text, i+1)
	}
	if i >= len(s.text) || s.text[i] != '{' {
		return
	}
	s.marks++
	body, _, ok := strings.Cut(s.text[i:min(len(s.text), i+reach)], "}")
	if !ok {
		return
	}
	for at := i; at < i+len(body); at++ {
		c := s.text[at]
		if c != '"' && c != '\'' {
			continue
		}
		to := closing(s.text, at+1, c, 0, maxJudged)
		v := s.text[at+1 : min(to, len(s.text))]
		key := blanks(s.text, min(len(s.text), to+1))
		if named := key < len(s.text) && s.text[key] == ':'; !named && !dummy(v) && !hashPrefixed(s.text, at+1) && (uuidLike(v) || hexKey(v) || len(v) >= 20 && random(v) || n.strength == passwordKey && (chosen(v) || picked(v))) {
			s.add(at+1, to, ruleOf(n.strength))
		}
		at = to
	}
}

// madeSecret reports whether a literal is words joined by dashes of which one is no
// word of programs, and others say that it is a secret: tallyflow-super-secret-jwt.
func madeSecret(v string) bool {
	if len(v) < 12 || len(v) > 64 || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || dummy(v) {
		return false
	}
	own, words := 0, 0
	for w := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' }) {
		if words++; in(w, " your my example sample test dummy fake change replace insert placeholder env ref name path file ") {
			return false
		}
		if len(w) > 4 && len(w) < 16 && !smallWords[w] && !in(w, kindWords) && !in(w, partWords) && !in(w, examples) && !in(w, codeWords) && !in(w, programWords) && keyStrength(w) == notSecret {
			own++
		}
	}
	return own > 0 && words > 2
}
