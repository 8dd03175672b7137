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
	if flag := a.sep == blank && a.quoted && s.flag(a); flag && a.end-a.start <= 64 {
		return a.flagPhrase(s.text)
	} else if a.sep != equals && a.sep != colon && !(a.sep == blank && strings.HasSuffix(lowerASCII(name), "phrase")) {
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
	words, digits := 0, false
	titled := lowerASCII(v) != v // a message begins with a capital; it holds numbers, no word with a digit in it
	for word := range strings.FieldsSeq(v) {
		word = lowerASCII(word)
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-!") != "" || len(word) > 12 || smallWords[word] && !a.env || in(word, kindWords) || in(word, examples) && (!a.env || len(word) > 3) {
			return 0
		}
		words++
		digits = digits || mixed(word) || integer(word) && !titled
	}
	switch {
	case words < 2 || words > 8 || titled && !a.quoted:
		return 0
	case a.sep == blank && !a.quoted && (words > 6 || !digits):
		return 0
	case fourByFour(v), a.quoted && (digits || capitals(name) || words > 2 && !titled && strings.IndexByte(v, '-') < 0), words > 2 && strings.HasSuffix(strings.ToLower(name), "phrase"):
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
