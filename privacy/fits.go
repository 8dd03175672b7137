package privacy

import (
	"html"
	"strings"
)

// secretValue decides whether a value is secret, given how sure its name is.
func (s *scanner) secretValue(k strength, a assignment) bool {
	v := s.text[a.start:min(a.end, a.start+maxJudged)]
	if len(a.more) > 0 && a.end-a.start < maxJudged {
		for _, m := range a.more {
			v += s.text[m.start:min(m.end, m.start+maxJudged)]
		}
	}
	if (a.sep == column || a.sep == element) && strings.IndexByte(v, '&') >= 0 {
		v = html.UnescapeString(v)
	}
	if strings.HasPrefix(v, ").") {
		return false // the call that a text was handed to goes on, or one is put together
	}

	if a.told && k == passwordKey && (len(v) >= 6 && integer(v) && s.clauseEnd(a.end)) {
		return true
	}
	salted := a.quoted && salt(v)
	if len(v) < 6 || s.isCode(k, v, a) || strings.Count(v, `\`) > 2 || a.loose && integer(v) && !(k == passwordKey && (a.quoted || a.sep == blank && s.directive(a))) {
		return false
	}
	if a.env && k >= tokenKey && s.environment(v) {
		return true
	}
	if inner := v[1 : len(v)-1]; v[0] == '[' && v[len(v)-1] == ']' && !a.quoted {
		return k >= tokenKey && (chosen(inner) || typedByHand(inner))
	}
	if !a.env && typeName(v) && !random(v) && !(k == passwordKey && a.quoted && numberedWord(v)) {
		return false
	}
	if hexNumber(v) || k < passwordKey && patternLike(v) || v[len(v)-1] == '-' && a.end < len(s.text) && s.text[a.end] == '>' {
		return false
	}
	if salted {
		return !templated(v)
	}
	if k == passwordKey && s.dollarWord(v, a) {
		return true
	}
	if !s.fits(k, v, a) || dummy(v) || selector(v) {
		return false
	}
	bare := strings.Trim(v, `'"`)
	return len(bare) == len(v) || !dummy(bare)
}

// isCode reports whether a value is an expression of a program, which only
// stands where a value may.
func (s *scanner) isCode(k strength, v string, a assignment) bool {
	if a.quoted || a.env || !codeLike(v) || v[0] == '[' && v[len(v)-1] == ']' {
		return false
	}
	if a.sep == colon && s.jumble(a.start) == a.end || k == passwordKey && a.sep == element && mixed(v) && !strings.ContainsAny(v, "(){}[]") {
		return false
	}
	if k < passwordKey {
		return true
	}

	if a.literal && handWritten(v) {
		return false
	}
	return a.loose || a.sep != colon && a.sep != equals || !tangled(v)
}

// fits reports whether a value has the form of a secret of its name's strength.
func (s *scanner) fits(k strength, v string, a assignment) bool {
	switch {
	case a.sep == blank && !s.flag(a):
		return s.spoken(k, v, a)

	case k == weakKey:
		return random(v) || keyLike(v) || a.env && (chosen(v) || typedByHand(v))
	case k == passwordKey && a.sep == compare:
		return mixed(v) && !strings.Contains(v, " ")
	case k == passwordKey && a.quoted && (oneWord(v) || pickedWords(v)) && (a.sep == comma && a.outerCapital || a.sep == call && a.setter):
		return true

	case k >= tokenKey && (a.fallback || a.setter && k == passwordKey) && madeUp(v) && (k == passwordKey || picked(v)):
		return true
	case a.sep == column, a.sep == call, a.sep == comma, a.sep == compare:
		return k == tokenKey && (a.quoted || a.sep == column) && typedByHand(v) || chosen(v) || len(v) >= 16 && !wordy(v) || k == passwordKey && (a.quoted && unlikeWords(v) || (a.quoted || a.sep == column) && picked(v) || a.literal && handWritten(v) && (a.sep == column || countKinds(v).digits > 0) || a.quoted && a.outerCapital && tangled(v))
	case k == passwordKey:
		return passwordText(v, a)
	}
	return tokenValue(v, a) || s.flag(a) && picked(v)
}

// spoken decides about a value with nothing but words before it.
func (s *scanner) spoken(k strength, v string, a assignment) bool {
	switch {
	case technical(v):
		return false
	case capitals(v) && countKinds(v).digits == 0 && keyStrength(v) >= tokenKey:
		return false // the name of a variable
	case k == passwordKey && (integer(v) && (a.quoted && len(v) >= 8 || len(v) >= 16)):
		return true

	case k == passwordKey && (s.behindUser(a) && (mixed(v) || handWritten(v))):
		return true

	case k == passwordKey && (a.quoted || a.told || s.directive(a)):
		return !strings.Contains(v, " ") && !pathLike(v) && !described(v) && !(a.told && strings.HasPrefix(v, "pass")) && (mixed(v) || chosen(v) || unlikeWords(v) && !describesNative(v) || a.told && innerCapital(v) && !describedSo(v) || a.quoted && !a.told && (oneWord(v) || markedWord(v) || handWritten(v) || humped(v)) || s.directive(a) && len(v) >= 8 && (integer(v) || !ascii(v) && countKinds(v).digits > 0))
	case k == passwordKey && picked(v) && (s.lineEnd(a.end) || s.fullStop(a.end) || s.abbreviated(a)), k == tokenKey && a.told && picked(v):
		return true
	case k >= tokenKey && s.directive(a):
		return !strings.Contains(v, " ") && !pathLike(v) && len(v) >= 10 && (mixed(v) || unlikeWords(v))
	case k >= tokenKey && (s.directive(a) || a.quoted || s.flag(a)) && typedByHand(v), k == tokenKey && uuidLike(v) && s.lineEnd(a.end):
		return true
	case k >= tokenKey && (pathLike(v) || uuidLike(v)):
		return false
	case k >= tokenKey:
		return chosen(v) || len(v) >= 16 && mixed(v) && (random(v) || hexKey(v) || !wordy(v))
	}
	redis := a.start > 4 && s.text[a.start-5:a.start] == "AUTH " && s.directive(a) && (chosen(v) || picked(v))
	return redis || random(v) || keyLike(v) && !uuidLike(v)
}

// behindUser reports whether a name and its value stand right behind an account:
// "user ann pass VALUE".
func (s *scanner) behindUser(a assignment) bool {
	words := strings.Fields(s.text[lineStart(s.text, a.start, 64):a.start])
	return len(words) > 2 && in(lowerASCII(words[len(words)-3]), " user username usr login account ")
}

// directive reports whether name and value are all there is in a line, but for
// the word of a command: "requirepass VALUE", "ENV DB_PASSWORD VALUE".
func (s *scanner) directive(a assignment) bool {
	if !s.lineEnd(a.end) && !(s.text[a.end] == ';' && s.lineEnd(a.end+1)) {
		return false
	}
	before := strings.Fields(s.text[lineStart(s.text, a.start, 96):a.start])
	return len(before) == 1 || len(before) == 2 && in(strings.ToLower(before[0]), " ipsec xauth env set export arg setenv setx config fastcgi_param uwsgi_param - ") || len(before) == 3 && before[0] == "set" && before[1][0] == '-'
}

// lineEnd reports whether nothing follows in a line.
func (s *scanner) lineEnd(at int) bool {
	return at >= len(s.text) || s.text[at] == '\n' || s.text[at] == '\r'
}

// flag reports whether a value follows a command line flag.
func (s *scanner) flag(a assignment) bool {
	i := a.start
	for i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '"' || s.text[i-1] == '\'') {
		i--
	}
	from, _ := nameAt(s.text, i)
	return from >= 2 && s.text[from-1] == '-' && (s.text[from-2] == '-' || s.text[from-2] == ' ')
}

// helps reports whether what follows an option is said of it, in a list of the
// options or in a sentence: "--no-password   never ask".
func (s *scanner) helps(n *called, a assignment) bool {
	if n.from < 2 || s.text[n.from-1] != '-' || s.text[n.from-2] != '-' {
		return false
	}
	if in(n.words[0], " no ask test show prompt ") || distantLetters(s.text[a.start:min(a.end, a.start+maxLabel)]) {
		return true
	}
	next := blanks(s.text, a.end)
	if a.sep == equals {
		v := s.text[a.start:min(a.end, a.start+maxLabel)]
		return !a.quoted && next > a.end+1 && next < len(s.text) && s.text[next] > ' ' && strings.ToUpper(v) == v && countKinds(v).digits == 0
	}
	return strings.HasPrefix(s.text[n.to:], "   ") && next > a.end && next < len(s.text) && s.text[next] > ' ' && s.text[next] != '-'
}

func tokenValue(v string, a assignment) bool {
	if integer(v) && len(v) < 16 {
		return false
	}
	if i := strings.LastIndexByte(v, '-'); i > 0 && versionLike(v[i+1:]) {
		return false // an artifact: name-1.2.3
	}
	if a.sep == blank && (strings.HasPrefix(v, "-") || !ascii(v)) {
		return false
	}
	if !a.quoted && a.loose && identifier(v) && !random(v) && !(a.line && typedByHand(v)) {
		return len(v) >= 20 && mixed(v) && !wordy(v)
	}
	if typedByHand(v) && (!a.loose || a.quoted || a.line) {
		return true
	}

	return len(v) >= 8 && (!wordy(v) || chosen(v)) && !pathLike(v)
}

// passwordText decides about what people choose.
func passwordText(v string, a assignment) bool {
	if strings.ContainsAny(v, "\n\t") || strings.Count(v, " ") > 1 || pathLike(v) {
		return false
	}

	if !plainWords(v) {
		if n := countKinds(v); a.arrow && n.upper > 0 && n.digits > 0 && !codeLike(v) && !typeName(v) {
			return len(v) >= 8
		}
		if !a.quoted && a.loose && identifier(v) {
			return chosen(v) || mixed(v) && countKinds(v).runs > 1 || a.line && typedByHand(strings.ReplaceAll(v, ".", ""))
		}
		if a.sep == colon && !a.quoted && !a.line && !ascii(v) {
			sp := spellingOf(v)
			return !sp.plain() || sp.humps > 1 // a sentence goes on
		}
		return !strings.Contains(v, " ") || chosen(strings.ReplaceAll(v, " ", ""))
	}
	if a.env && !strings.ContainsAny(v, " /:,") {
		return !in(lowerASCII(v), kindWords)
	}
	if strings.IndexByte(v, '-') > 0 || a.quoted {
		if wordsJoined(v) || fourByFour(v) || (a.sep != column && a.sep != blank || a.option) && pickedWords(v) && (a.quoted || a.line) || a.quoted && a.sep != column && humped(v) {
			return true
		}
	}
	if a.sep == element && pickedWords(v) || a.literal && handWritten(v) || (a.sep == element || a.line && !a.loose && strings.IndexByte(v, '-') > 0) && joinedPassword(v) {
		return true
	}
	if strings.ContainsAny(v, " ./:,_-") || strings.Contains(strings.ToLower(v), "pass") {
		return false
	}
	if unlikeWords(v) && (a.quoted || !a.loose) {
		return true
	}
	return a.line || !a.quoted && !a.loose && a.sep == equals || (a.quoted || a.sep == element || a.option) && oneWord(v)
}

// salt reports whether a literal is a long row of all sorts of signs, as generators
// of salts draw them, blanks and brackets among them.
func salt(v string) bool {
	n := countKinds(v)
	return len(v) >= 32 && n.sorts() == 4 && n.digits > 2 && n.other*5 >= len(v) && n.other*5 <= len(v)*4 && !strings.Contains(v, "://") && surprise(v) >= 5.6 && !patternLike(v)
}

// oneWord reports whether a literal is one word of small letters, which can
// hardly be anything but a password where one is named: no label, no name of code.
func oneWord(v string) bool {
	return len(v) >= 8 && len(v) <= 24 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz") == "" && !smallWords[v] && !in(v, kindWords)
}

// kindWords say of what kind a password or its field is.
const kindWords = " password required optional disabled protected temporary plaintext encrypted generated kennwort wachtwoord contrasena forgotten signature interactive authentication credential credentials personal environment keychain username directory external internal "

// typedByHand reports whether a value is letters with some digits, as people
// make passwords up, and not a name with a number behind it.
func typedByHand(v string) bool {
	n := countKinds(v)
	return n.other == 0 && n.digits >= 2 && n.lower+n.upper >= 4 && !n.hex && picked(v)
}

// madeUp reports whether a literal in the place of a password alone has small
// letters and digits, and is no name of one.
func madeUp(v string) bool {
	low := lowerASCII(v)
	return mixed(v) && strings.ToUpper(v) != v && len(v) <= 64 && !strings.ContainsAny(v, " (){}[]<>/:\\%$") && !strings.Contains(low, "pass") && !strings.Contains(low, "pwd") && !dotted(v) && !typeName(v) && !uuidLike(v)
}

// environment reports whether the value of NAME=value in a file of settings is
// a secret: there every byte up to the end of the line belongs to it.
func (s *scanner) environment(v string) bool {
	return len(v) >= 6 && !dummy(strings.Trim(v, `'"`)) && !pathLike(v) && !strings.ContainsAny(v, "$`(){}[]<>") && !strings.Contains(v, "...") && (chosen(v) || countKinds(v).sorts() >= 3)
}

// unlikeWords reports whether a value of letters alone is spelt as no word and
// no name in code is: what somebody typed, or a machine drew, as a password.
// Names such as changePassword stay below the bound, keyboard runs are above it.
func unlikeWords(v string) bool {
	const bound = 5.2
	return len(v) >= 8 && len(v) <= 64 && identifier(v) && !strings.Contains(v, "_") && surprise(v) > bound
}

// configLine reports whether a name and its value are a line of a file of
// settings, or a member of JSON with quoted name and value: not code.
func (s *scanner) configLine(from int, a assignment) bool {
	if a.sep == colon && a.quoted && from > 0 && s.text[from-1] == '"' && a.end < len(s.text) && s.text[a.end] == '"' {
		return true
	}
	if a.sep != colon && a.sep != equals || a.quoted {
		return false
	}
	start := lineStart(s.text, from, 96)
	if i := strings.LastIndex(s.text[start:from], `\n  `); i >= 0 && strings.HasPrefix(s.text[a.end:], `\n`) {
		start += i + len(`\n`) // of a literal that holds a file
	} else if !s.lineEnd(a.end) {
		return false
	}
	before := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(s.text[start:from], " \t-@/#;\"'["), "old: "), "set ")
	return before == "" && strings.IndexByte(s.text[from:a.start], '(') < 0
}

// pathLike reports whether a value is a path or an address, not a secret.
func pathLike(v string) bool {
	if strings.Contains(v, "://") {
		return true
	}
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "../") {
		return !random(v)
	}
	return strings.Count(v, "/") >= 2 && !hexKey(v[strings.LastIndexByte(v, ':')+1:]) && surprise(v) < 5 && !keyWithSlashes(v)
}

// keyWithSlashes reports whether a value is a long key in base64, of which a
// slash is a digit like any other.
func keyWithSlashes(v string) bool {
	n := countKinds(v)
	return len(v) >= 24 && n.digits >= 3 && n.upper >= 3 && n.lower >= 3 && n.other-strings.Count(v, "=")-strings.Count(v, "+") == strings.Count(v, "/") && n.runs >= 3
}

// environmentLine reports whether NAME=value, without blanks and quotes, is a
// line of an environment.
func (s *scanner) environmentLine(from, to int, a assignment) bool {
	if a.sep != equals || a.loose || a.start > to+2 || a.start == to+2 != a.quoted || !capitals(s.text[from:to]) {
		return false
	}
	before := strings.TrimLeft(s.text[lineStart(s.text, from, 40):from], " \t+-\"'")
	before = strings.TrimRight(before, " \"'")
	return before == "" || in(strings.ToLower(before), " export set - environment= echo env arg ") || strings.HasSuffix(before, " -e") || strings.HasSuffix(before, " export") || strings.HasSuffix(before, " --env") || strings.HasSuffix(before, " --build-arg")
}

// restOfLine returns where a line ends that goes on without blanks; otherwise
// where the word ends.
func (s *scanner) restOfLine(at int) int {
	end := at
	for end < len(s.text) && end-at < maxJudged && s.text[end] > ' ' {
		end++
	}
	for end > at && strings.IndexByte("\"',;", s.text[end-1]) >= 0 {
		end-- // of the list or literal that the line stands in
	}
	return end
}

// capitals reports whether a name is written as those of an environment are.
func capitals(name string) bool {
	for i := range len(name) {
		if c := name[i]; !wordByte(c) || c >= 'a' && c <= 'z' {
			return false
		}
	}
	return len(name) > 2
}

// fullStop reports whether a sentence and its line end here.
func (s *scanner) fullStop(at int) bool {
	return at < len(s.text) && s.text[at] == '.' && s.lineEnd(at+1)
}

// abbreviated reports whether the name before a value is short for password:
// in a sentence nobody uses it as the subject.
func (s *scanner) abbreviated(a assignment) bool {
	before := strings.TrimRight(s.text[max(0, a.start-8):a.start], " ")
	return strings.HasSuffix(before, " pw") || strings.HasSuffix(before, " pwd")
}

// clauseEnd reports whether nothing but the end of a sentence, or of a part of
// it, follows.
func (s *scanner) clauseEnd(at int) bool {
	return s.lineEnd(at) || s.text[at] == ',' || s.text[at] == '.' && (s.lineEnd(at+1) || s.text[at+1] == ' ')
}

// jumble returns the end of a line's last word that can only be a password a
// program drew: ten and more bytes of all four sorts. Otherwise 0.
func (s *scanner) jumble(at int) int {
	end := s.restOfLine(at)
	last := s.lineEnd(end)
	if end > at && s.text[end-1] == '}' && strings.Contains(s.text[lineStart(s.text, at, 160):at], "{") {
		end = unbracketed(s.text, at, end) // it closes the map that the value stands in
	}
	v := s.text[at:end]
	if name, _, ok := strings.Cut(v, "("); ok && (identifier(name) || strings.Contains(name, "::")) && strings.HasSuffix(strings.TrimRight(v, ",;"), ")") {
		return 0 // a call
	}
	if len(v) < 10 || len(v) > 64 || !last || (countKinds(v).sorts() < 4 || countKinds(v).other < 3 || strings.Contains(v, "()")) && !tangled(v) || strings.Contains(v, "://") || dummy(v) || strings.HasPrefix(v, "<") {
		return 0
	}
	return end
}
