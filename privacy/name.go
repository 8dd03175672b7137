package privacy

import "strings"

// secretWords give away the names of secrets.
var secretWords = []string{
	"passw", "pwd", "pass", "pasw", "pssw", "secret", "token", "key", "auth", "cred", "bearer", "private",
	"signing", "session", "jwt", "login", "psw", "license", "webhook", "hmac", "access", "_pat", "-pat",
	" pw", "\npw", "\"pw", "'pw", "{pw", "(pw", ",pw", "$pw", "@pw", "-pw", ".pw", "<pw", "?pw", "&pw", "*pw", "-dpw", "+pw", ":pw", "appid", "rootpw", "bindpw", "sessid", "amz-signature", "goog-signature", "userpw", "dbpw", "mypw", "adminpw", "senha", "haslo", "totp", "_pw", "_psk", "-psk", "pat:", " pat is", "\"pat\"", " psk", ".psk", "hash_salt", "nonce_salt", "auth_salt", "_in_salt", "\"psk", "\npsk", "\tpsk", "kennwort", "wachtwoord", "pepper",
}

const (
	rulePassword = "password"
	ruleSecret   = "secret-value"
	ruleRandom   = "random-token"
)

// name judges the name around a secret word, and what is near it.
func (s *scanner) name(end int) {
	if end <= s.named {
		return
	}
	from, to := nameAt(s.text, end)
	s.named = to

	s.names++
	s.once(from, to, func() {
		spans := len(s.spans)
		s.judgeName(end, from, to)
		s.further(to, spans, false)
	})
}

func (s *scanner) judgeName(end, from, to int) {
	if mark := from - len(redactedMark); mark >= 0 && s.text[from-1] == ':' && s.taken(mark) > 0 {
		s.nearby(from, to) // the rule of what was found here
		return
	}
	if from > 0 && s.text[from-1] == '-' && s.text[from] == 'D' && to-from > 2 {
		from++ // -Dpassword=… of Java
	}
	if to < len(s.text) && s.text[to] == '(' && to+1 < len(s.text) && s.text[to+1] == ')' {
		return
	}
	if s.inRun(end, from, to) {
		return
	}
	n := s.called(from, to)
	if s.mayAssign(n) && s.valued(n) {
		return
	}
	s.aloof(n)
	if !s.glued(end, to) {
		s.nearby(from, to)
	}
}

// mayAssign reports whether the value behind a name matters: it may be secret,
// or one that all may see.
func (s *scanner) mayAssign(n *called) bool {
	return n.strength != notSecret || openly(n.words) || n.from > 0 && (s.text[n.from-1] == '/' || s.text[n.from-1] == ':')
}

// valued judges the value behind a name, and reports whether that settles it.
func (s *scanner) valued(n *called) bool {
	if n.to < len(s.text) && (s.text[n.to] == '=' || s.text[n.to] == ':') {
		at := blanks(s.text, n.to+1)
		if k := s.taken(at); k > 0 && s.lineEnd(at+k) {
			return true
		}
	}
	a, ok := assigned(s.text, n.from, n.to, s.reach())
	s.followed += a.end - a.start

	switch {
	case !ok, a.sep == comma && a.quoted && (s.text[a.start-1] == '`' || s.headRow(n.from)):
		return false // of a list of codes in Markdown, or of names

	case (a.sep == blank || a.sep == equals) && s.helps(n, a):
		return true
	case !a.quoted && a.end <= a.start+s.taken(a.start):
		return true // as it was with the value in its place
	case a.sep == blank && s.configured(n, a):
		return true
	case openly(n.words) || s.openKey(n.from, n.words):
		s.nearEnd = max(s.nearEnd, a.end)
		return true
	case a.sep == colon && a.start == n.to+1 && strings.Contains(s.text[max(0, n.from-64):n.from], "arn:aws"):
		s.nearEnd, s.saidEnd = max(s.nearEnd, a.end), a.end
		return true // arn:…:secret:NAME
	}
	if n.strength == passwordKey && s.text[a.start] >= 0x80 && s.said(n.to, true) {
		return true // a quotation, however many words it has
	}
	return s.assign(n, a)
}

// inRun reports whether a word is there by chance, in a part of a name that is
// drawn: the psw of cus_Cj0sPSWi8x7vkY.
func (s *scanner) inRun(end, from, to int) bool {
	if to-from < 14 {
		return false
	}
	start, stop := end, end
	for start > from && alphanumeric(s.text[start-1]) {
		start--
	}
	for stop < to && alphanumeric(s.text[stop]) {
		stop++
	}
	n := countKinds(s.text[start:stop])
	return stop-start >= 12 && countKinds(s.text[start:end]).digits > 0 && n.digits >= 2 && n.runs >= 2 && n.lower > 1 && n.upper > 1 && surprise(s.text[start:stop]) >= 5.6
}

// aloof looks for the value of a name that does not follow it directly.
func (s *scanner) aloof(n *called) {
	from, to := n.from, n.to
	numbered, said := s.hints(to)
	if numbered {
		if n.password {
			s.spokenOf(to)
		}
	}
	if n.strength == passwordKey && s.inSentence(n) {
		s.said(to, !english(s.text[from:to]))
	}
	s.markup(to)
	if n.strength == notSecret {
		return
	}
	s.bytesOfKey(n)
	if n.strength >= tokenKey {
		s.members(n)

		s.foretold(n)
		s.elsewhere(n, said)
	} else if in(n.words[len(n.words)-1], " login logins ") {
		if said {
			s.told(to)
		}
		if _, eol := s.heads(from, to); eol >= 0 {
		}
	}
}

// elsewhere looks for the value of a secret's name in the cells and lines below
// it, and in what a sentence says of it.
func (s *scanner) elsewhere(n *called, said bool) {
	from, to := n.from, n.to
	s.heading(n)
	delimiter, eol := s.heads(from, to)
	if delimiter == "" && eol < 0 && !said && !strings.HasPrefix(s.text[to:], "\"\n") || openly(n.words) {
		return
	}

	if delimiter != "" {
		s.column(from, delimiter, n.strength)
	} else if eol >= 0 {
		s.below(from, eol, n.strength)
	}
	if said {
		s.told(to)
	}
}

// assign takes the value out that belongs to a name, if it is secret.
func (s *scanner) assign(n *called, a assignment) bool {
	from, to, words, strong := n.from, n.to, n.words, n.strength
	if strong == tokenKey && words[len(words)-1] == "pass" && s.passValue(from, to, a) {
		strong = passwordKey
	}
	if strong == tokenKey && a.quoted && a.sep == colon && len(words) == 1 && words[0] == "secret" && strings.Contains(s.text[max(0, from-40):from], "session(") {
		strong = passwordKey // of Express
	}
	if a.sep == blank && from > 0 && (s.text[from-1] == '$' || s.text[from-1] == '=' && strings.Contains(s.text[a.start:a.end], "=")) || a.sep == call && strings.HasPrefix(s.text[from:to], "keyring.") {
		return false // a variable is used, or the name is what a member of a log line says
	}
	if strong >= tokenKey && s.label(n, a) {
		return false
	}
	if strong >= tokenKey && a.sep == equals {
	}
	if strong == notSecret || strong == tokenKey && a.sep == blank && a.told && len(words) == 1 && words[0] == "pass" && !s.lineEnd(a.end) && !s.fullStop(a.end) {
		return false
	}
	a.env = s.environmentLine(from, to, a)
	if s.outright(&strong, &a, from, to, words) {
		return true
	}
	a.loose = a.loose && !s.flag(a) && !s.settled(strong == passwordKey || words[len(words)-1] == "secret", from, a)
	if strong == passwordKey && a.sep == colon && !a.quoted {
		a.end = max(a.end, s.jumble(a.start))
	}
	if a.env && !a.quoted {
		a.end = s.restOfLine(a.start)
	}
	s.place(&a, from, to, words)
	if strong == tokenKey && a.line && words[len(words)-1] == "secret" && (madeByHand(s.text[a.start:a.end]) || joinedPassword(s.text[a.start:a.end])) {
		strong = passwordKey
	}
	if !a.quoted && a.sep == equals && strong == passwordKey && strings.HasPrefix(s.text[min(len(s.text), a.end):], " ? ") {
	}
	if !s.secretValue(strong, a) || refersTo(s.text[from:to], s.text[a.start:a.end]) || namedID(s.text[from:to], s.text[a.start:a.end]) || s.storeKey(from, a) || strong < passwordKey && s.listedDigest(a) {
		return false
	}
	rule := ruleOf(strong)
	s.add(a.start, a.end, rule)
	for _, m := range a.more {
		s.add(m.start, m.end, rule)
	}
	s.alike(a, rule)

	if !a.quoted && s.folded(to, a.start) {
	}
	return true
}

// memberEnd is where the member of a connection string ends, whose value may have
// blanks: ;Password=three small words;
func (s *scanner) memberEnd(from int, a assignment) int {
	const longest = 64
	if a.sep != equals || a.quoted || from == 0 || s.text[from-1] != ';' {
		return a.end
	}
	rest := s.text[a.start:min(len(s.text), a.start+longest)]
	if n := strings.IndexAny(rest, ";\"'=\n"); n > 0 && rest[n] != '=' && rest[n] != '\n' {
		return a.start + n
	}
	return a.end
}

// outright redacts a value whose form alone settles it: a phrase, words that a key
// was made of, the password behind the name of an account.
func (s *scanner) outright(strong *strength, a *assignment, from, to int, words []string) bool {
	if a.quoted && a.sep != comma && a.sep != compare && s.slogan(*strong, from, to, *a) {
		s.add(a.start, a.end, ruleSecret)
		return true
	}

	if *strong == passwordKey {
		if end := s.memberEnd(from, *a); end > a.end {
			s.add(a.start, end, rulePassword)
			return true
		}
		if s.wordsOfAccount(from, to, a) {
			s.add(a.start, a.end, rulePassword)
			return true
		}
		if end := max(s.passphrase(s.text[from:to], *a), s.wordsApart(s.text[from:to], *a)); end > 0 {
			s.add(a.start, end, rulePassword)
			return true
		}
	}
	if *strong == tokenKey && a.quoted && a.sep == equals && (words[len(words)-1] == "secret" || len(words) > 1 && words[len(words)-2] == "secret") {
		if end := s.wordsApart(s.text[from:to], *a); end > 0 {
			s.add(a.start, end, ruleSecret)
			return true
		}
	}

	if !in(words[len(words)-1], " creds cred credentials credential login logins ") {
		return false
	}
	n := accountName(s.text[a.start:a.end])
	if a.start += n; n == 0 {
		return false
	}
	if v := s.text[a.start:a.end]; handWritten(v) || capitalised(v) {
		s.add(a.start, a.end, rulePassword)
		return true
	}
	*strong = max(*strong, tokenKey)
	return false
}

// place notes what the place of a value says about it.
func (s *scanner) place(a *assignment, from, to int, words []string) {
	a.line = s.configLine(from, *a)
	a.literal = s.literal(from, *a)
	member := s.text[from+strings.LastIndexByte(s.text[from:to], '.')+1 : to]
	a.outerCapital = capitals(member)
	a.setter = a.sep == call && (len(words) == 1 || words[len(words)-2] == "set" || len(member) == len(words[len(words)-1]))
	a.fallback = a.sep == comma && a.quoted && a.outerCapital
	a.option = false
}

// passValue reports whether what follows the word "pass", which is also said of
// tests, can only be a password.
func (s *scanner) passValue(from, to int, a assignment) bool {
	if s.hasAccount(from) || s.environmentLine(from, to, a) {
		return true
	}
	v := s.text[a.start:min(a.end, a.start+maxJudged)]
	if a.sep != equals && a.sep != colon {
		return a.sep == blank && s.flag(a) && handWritten(v)
	}
	return a.quoted || s.configLine(from, a) && (unlikeWords(v) || picked(v) || handWritten(v) || capitalised(v))
}

// glued finds a value that is joined to its name by a dash: token-3f9a….
func (s *scanner) glued(end, to int) bool {
	if to-end < 16 {
		return false
	}
	at := end
	for {
		i := strings.IndexAny(s.text[at:to], "-_")
		if i < 0 {
			return false
		}
		at += i + 1
		part := s.text[at:to]
		if next := strings.IndexAny(part, "-_"); next >= 0 {
			part = part[:next]
		}
		if strings.ContainsAny(part, "0123456789") {
			break
		}
	}
	v := s.text[at:to]
	if !uuidLike(v) && !hexKey(v) && !(random(v) && len(v) >= 24) {
		return false
	}
	if s.shared(at, to) {
		return false
	}
	s.add(at, to, ruleRandom)
	return true
}

// reach is how far the next value is followed: less once so much has been
// followed that only a flood explains it.
func (s *scanner) reach() int {
	if s.followed > 4*len(s.text)+maxValue {
		return 64
	}
	return maxValue
}

// called is a name of a value, for all who ask about it.
type called struct {
	from, to int
	words    []string
	alone    strength // of the name itself
	strength strength // in its place
	password bool     // it is called what people call their passwords
	room     [maxWords]string
}

// called returns what is known of the name at [from, to).
func (s *scanner) called(from, to int) *called {
	n := &s.naming
	if n.from == from && n.to == to {
		return n
	}
	name := s.text[from:to]
	n.from, n.to, n.words = from, to, nameWords(name, n.room[:0])
	n.alone = wordsStrength(n.words, name)
	n.strength = s.inPlace(n)
	n.password = n.alone == passwordKey && namesPassword(name)
	return n
}

// inPlace judges a name in its place: in a sentence its words stand apart, as in
// "db password" and "api key".
func (s *scanner) inPlace(n *called) strength {
	if n.alone == weakKey && n.from > 2 && s.text[n.from-2:n.from] == "]." && strings.Contains(s.text[max(0, n.from-40):n.from], "wireless.@wifi-") {
		return passwordKey // of a radio, as OpenWrt is told it
	}
	if n.alone > weakKey || n.from < 2 || s.text[n.from-1] != ' ' {
		return n.alone
	}
	before, end := nameAt(s.text, n.from-1)
	var room [2 * maxWords]string
	return max(n.alone, wordsStrength(append(nameWords(s.text[before:end], room[:0]), n.words...), s.text[n.from:n.to]))
}

// maxJudged is how much of a value decides about it.
const maxJudged = 512
