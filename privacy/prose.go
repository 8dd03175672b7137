package privacy

import "strings"

// foreignWords are what a password is called in other languages.
var foreignWords = []string{"mot de passe", "mdp", "contrase", "clave", "zugangsdaten", "parola", "heslo", "salasana", "adgangskode", "passordet", "passord", "palavra-passe", "mat khau", "kata sandi", "sandi:", "lozinka", "geslo", "motdepasse", "mot_de_passe", "jelszo", "losenord", "sifre", "parool", "slaptazodis", "jelszav", "heslem", "haslem", "kodeord"}

// distantWords are more of them, whose letters the automaton does not hold.
var distantWords = []string{"κωδικός", "รหัสผ่าน", "رمز عبور", "Schlüssel", "schlüssel", "口令", "비번", "كلمة المرور", "كلمة مرور", "كلمة السر", "الرمز السري", "পাসওয়ার্ড", "пасс ", "סיסמה", "पासवर्ड", "mật khẩu", "парол", "Парол", "密码", "密碼", "パスワード", "비밀번호", "hasło", "Hasło", "lösenord", "şifre", "jelszó", "Jelszó", "Mật khẩu", "Şifre", "Lösenord", "Κωδικός", "hasła", "hasłem", "Hasłem", "лозинка", "slaptažod", "parolē", "parolă"}

// distant looks for those words in a text that can have them.
func (s *scanner) distant() {
	if s.latin {
		return
	}
	seen := alphabetOf(s.text)
	s.eachWord(distantWords, seen, s.foreign)
	s.eachWord(keyWords, seen, s.offeredBehind)
}

// alphabet is the set of the bytes beyond ASCII that stand in a text.
type alphabet [256]bool

func alphabetOf(text string) (seen alphabet) {
	const stretch = 64
	for ; len(text) > stretch; text = text[stretch:] {
		if !ascii(text[:stretch]) {
			seen.note(text[:stretch])
		}
	}
	seen.note(text)
	return seen
}

func (a *alphabet) note(text string) {
	for i := range len(text) {
		a[text[i]] = text[i] >= 0x80
	}
}

// spells reports whether a word can stand in a text: most have dashes and
// quotation marks, and no letter of another alphabet.
func (a *alphabet) spells(word string) bool {
	for i := range len(word) {
		if word[i] >= 0x80 && !a[word[i]] {
			return false
		}
	}
	return true
}

// eachWord calls found with the end of every place where one of the words stands.
func (s *scanner) eachWord(words []string, seen alphabet, found func(end int)) {
	for _, w := range words {
		if !seen.spells(w) {
			continue
		}
		s.saidEnd = 0
		for at := 0; ; {
			i := strings.Index(s.text[at:], w)
			if i < 0 {
				break
			}
			at += i + len(w)
			found(at)
		}
	}
}

// keyWords are what a key for an interface is called in other alphabets.
var keyWords = []string{"APIキー", "API密钥", "密钥", "密鑰", "トークン", "令牌", "토큰", "API 키", "токен", "Токен", "ключ", "clé api", "clé API", "Clé API", "API-Schlüssel", "API klíč", "API nøgle", "API anahtar"}

// offeredBehind redacts a key in the same sentence behind such a word.
func (s *scanner) offeredBehind(from int) {
	const half = 16
	found, limit := false, min(len(s.text), from+2*maxTold)
	for at := from; at < limit && s.text[at] != '\n'; at++ {
		if !tokenByte(s.text[at]) || tokenByte(s.text[at-1]) {
			continue
		}
		if s.offered(at) {
			found = true
		} else if end := groupEnd(s.text, at); found && end == at+half && s.text[at-2] == ':' && countKinds(s.text[at:end]).hex && mixed(s.text[at:end]) {
			s.add(at, end, ruleSecret) // the other half of a pair
		}
	}
}

// ascii reports whether a text has no letters of other alphabets.
func ascii(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		b := text[:8] // the compiler makes one load of it
		if (uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

const (
	maxTold = 64 // bytes behind a word for a password in which a sentence says it
	maxSaid = 8  // words of it
)

// told redacts a password that a sentence says some words behind its name, when
// it can be nothing else: letters, digits and symbols, as no word is written.
func (s *scanner) told(from int) {
	s.sentence(from, func(v string, _ int) bool {
		if i := strings.IndexAny(v, "/:"); i > 0 && wordLike(v[:i]) && len(v)-i > 8 {
			v = v[i+1:] // an account and its password
		}
		return chosen(v) && symbolic(v) && !operands(v)
	})
}

// hints reports whether a digit, and a symbol too, stand so near behind a name
// that grouped and told may find something.
func (s *scanner) hints(from int) (numbered, both bool) {
	marked := false
	for i, limit := max(from, s.saidEnd), min(len(s.text), from+maxTold); i < limit; i++ {
		switch c := s.text[i]; {
		case c == '\n':
			return numbered, false
		case c >= '0' && c <= '9':
			numbered = true
		case c == '!' || c >= '#' && c <= '&' || c == '*' || c == '+' || c == '?' || c == '^' || c == '~':
			marked = true
		}
		if numbered && marked {
			return true, true
		}
	}
	return numbered, false
}

// foreign does the same for other languages; behind such a word even what is
// less sure is a password.
func (s *scanner) foreign(end int) {
	if strings.HasPrefix(s.text[end:], "ña") {
		end += len("ña")
	}
	if word := lowerASCII(s.text[max(0, end-4):end]); len(word) == 4 && word[1:] == "mdp" && word[0] >= 'a' && word[0] <= 'z' {
		return
	}
	if s.settingNamed(end) {
		s.name(end)
	}
	for n := 0; end < len(s.text) && wordByte(s.text[end]) && s.text[end-1] < 0x80; n++ {
		if end++; n == 3 {
			return // a longer word
		}
	}
	s.once(end, end, func() { s.foreignName(end) })
}

// settingNamed reports whether the word that ends at an offset is one of the name of
// a setting: heslo=, "clave": , CHIAVE_API = .
func (s *scanner) settingNamed(end int) bool {
	from, to := nameAt(s.text, end)
	to = blanks(s.text, closers(s.text, to))
	if to >= len(s.text) || s.text[to] != ':' {
		return to < len(s.text) && s.text[to] == '='
	}
	before := strings.TrimRight(s.text[lineStart(s.text, from, 160):from], " \t-")
	return before == "" || strings.IndexByte("\"'{,(", before[len(before)-1]) >= 0
}

// foreignKey judges the name of a key in another language.
func (s *scanner) foreignKey(end int) {
	if s.settingNamed(end) {
		s.name(end)
	}
}

func (s *scanner) foreignName(end int) {
	a, ok := assigned(s.text, end, end, min(maxJudged, s.reach()))
	s.followed += a.end - a.start
	if ok && a.quoted && (a.sep == colon || a.sep == equals) {
		if v := s.text[a.start:a.end]; typedPassword(v) {
			s.add(a.start, a.end, rulePassword)
		}
		return
	}

	s.said(end, true)
	s.sentence(end, func(v string, nth int) bool {
		return chosen(v) && (symbolic(v) || nth < 6) || nth < 6 && picked(v) && countKinds(v).upper+countKinds(v).lower > 3 || nth <= 1 && s.text[end] == ':' && (handWritten(v) || markedWord(v)) || nth < 7 && handWritten(v) && countKinds(v).digits > 0 && countKinds(v).upper > 0 || nth < 4 && (capitalised(v) || markedWord(v) || handWritten(v) && countKinds(v).digits > 0 || integer(v) && len(v) >= 16)
	})
}

// sentence judges the words of the rest of a line; letters of other alphabets
// end a word too.
func (s *scanner) sentence(from int, secret func(v string, nth int) bool) {
	limit := min(len(s.text), from+maxTold)
	at, nth := max(from, s.saidEnd), 0
	for at < limit && at == from && (s.text[at] == '$' || s.text[at] == '.' && at+1 < limit && alphanumeric(s.text[at+1])) {
		for at++; at < limit && s.text[at] > ' '; at++ { // the name goes on, as those of files do
		}
	}
	for at < limit && nth < maxSaid {
		if c := s.text[at]; c == '\n' || c == '\r' {
			return
		} else if c <= ' ' || c >= 0x80 {
			at++
			continue
		}
		to := at
		for to < len(s.text) && to-at < 128 && s.text[to] > ' ' && (s.text[to] < 0x80 || accented(s.text, to)) {
			to++
		}
		start, end := at, to
		for start < end && strings.IndexByte("\"'`*(:,=", s.text[start]) >= 0 {
			start++
		}
		for end > start && (strings.IndexByte("\"'`),.;:?", s.text[end-1]) >= 0 || s.text[end-1] == '*' && start > at) {
			end--
		}
		if v := s.text[start:end]; len(v) >= 8 && !pathLike(v) && !technical(v) && !strings.HasPrefix(s.text[end:], "...") && secret(v, nth) {
			s.add(start, end, rulePassword)
		}
		if nth++; at > from {
			s.saidEnd = to
		}
		at = to
	}
}

// technical reports whether a word of a sentence is the name of a standard, a
// size, or one that a line's end is written in.
func technical(v string) bool {
	for _, start := range []string{"pkcs#", "tpm2", "ieee80", "128-bit", "256-bit", "phase2-", "snmpv"} {
		if beginsFold(v, start) {
			return true
		}
	}
	return strings.Contains(v, "%0A") || strings.Contains(v, "%.4s") || strings.Contains(v, `\-`) // a dash of a manual page
}

// accented reports whether a byte is one of a Latin letter with an accent.
func accented(text string, at int) bool {
	c := text[at]
	return c >= 0xC3 && c <= 0xC5 || c < 0xC0 && text[at-1] >= 0xC3 && text[at-1] <= 0xC5
}

// symbolic reports whether a value has a symbol that joins no words.
func symbolic(v string) bool {
	return strings.ContainsAny(v, "!#$%^*?+~&") && countKinds(v).sorts() >= 3
}

// entered redacts what a script types into a field for a password:
// page.fill('#password', '…'), getByLabel("Password").type("…").
func (s *scanner) entered(end int) {
	before := strings.ToLower(s.text[max(0, end-96):end])
	literals := s.literals(end)
	if len(literals) == 0 {
		return
	}
	last := literals[len(literals)-1]
	for _, l := range literals[:len(literals)-1] {
		before += lowerASCII(s.text[l.start:l.end])
	}
	v := s.text[last.start:last.end]
	if i := strings.IndexByte(v, '{'); i > 0 && v[len(v)-1] == '}' {
		v = v[:i] // what key is pressed then
	}
	if asksFor(before) && (typedPassword(v) || handWritten(v) || quotedPassword(v, leadVerb, true) && !labelWord(v)) {
		s.add(last.start, last.start+len(v), rulePassword)
	}
}

// asksFor reports whether a field of a form is one for a secret.
func asksFor(field string) bool {
	for _, words := range [][]string{{"passw", "secret", "token", "apikey", "api_key", "api-key", "api key", "passcode", "#pw", "'pw", "\"pw", "kennwort", "senha", "wachtwoord"}, foreignWords, distantWords} {
		for _, w := range words {
			if strings.Contains(field, w) {
				return true
			}
		}
	}
	return false
}

// literals returns the literals of a call up to what closes it.
func (s *scanner) literals(at int) (out []span) {
	call := at
	for limit := min(len(s.text), at+400); at < limit && len(out) < 8; at++ {
		switch c := s.text[at]; {
		case c == '"' || c == '\'' || c == '`':
			to := closing(s.text, at+1, c, 0, 256)
			out = append(out, span{start: at + 1, end: to})
			at = to
		case c == '(' && at+1 < limit && s.text[at+1] == ')':
			at++ // an argument such as url.String()
		case c == ')', c == ';', c == '\n' && !continued(s.text[call:at]):
			return out
		}
	}
	return out
}

// continued reports whether a call goes on in the next line.
func continued(args string) bool {
	args = strings.TrimRight(args, " \t\r")
	return args == "" || args[len(args)-1] == ','
}

// spokenOf redacts what a sentence about a password has of letters and digits,
// as no word and no name is written: "the password Winter2024x does not work".
func (s *scanner) spokenOf(to int) {
	next, _, _ := strings.Cut(strings.TrimLeft(s.text[to:min(len(s.text), to+24)], " "), " ")
	if in(strings.TrimRight(next, "\",.:"), " manager managers hash hashes hashing field fields policy policies reset resets rotation rotations expiry strength length prompt form grant input store vault column table test tests ") {
		return
	}
	s.sentence(to, func(v string, nth int) bool {
		return nth < 7 && (typedByHand(v) && !hostLike(v) && !typeName(v) || chosen(v) && symbolic(v) && !operands(v))
	})
}

// hostLike reports whether a value is a word of small letters and a number,
// as hosts, versions and accounts are called.
func hostLike(v string) bool {
	return strings.Trim(strings.TrimRight(v, "0123456789"), "abcdefghijklmnopqrstuvwxyz") == ""
}
