package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// JoinedPassphrase reports whether a value is three or more words joined by one sort of separator, like generated
// passphrases: correct-horse-battery-staple.
func JoinedPassphrase(v string) bool {
	i := strings.IndexAny(v, "-_.")
	if i < 3 || len(v) > 96 {
		return false
	}
	words := 0
	for word := range strings.SplitSeq(v, v[i:i+1]) {
		low := strings.ToLower(word)
		if len(word) < 3 || len(word) > 10 || strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") != "" || word[1:] != low[1:] ||
			value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.ComponentWords) {
			return false
		}
		words++
	}
	return words >= 3
}

// RareWords reports whether a value in quotes, or with a dash where names have none, is words that somebody chose:
// programs, forms and messages use none of them. Small words may be between others.
func RareWords(v string) bool {
	if len(v) < 6 || len(v) > 64 || strings.Trim(v, value.Letters+"-_") != "" {
		return false
	}
	var room [value.MaxWords]string
	words := value.NameWords(v, room[:0])
	for n, w := range words {
		if n > 0 && n < len(words)-1 && value.InList(w, " in is of at on as are the and to for with over ") {
			continue
		}
		if len(w) < 3 || len(w) > 12 || value.CodeWord(w) {
			return false
		}
	}
	return len(words) > 1 || len(words) == 1 && value.LowerASCII(v) == v
}

// SpacedPassphrase returns the end of a value of words between blanks that can only be a password: in quotes, or up to
// the end of its line, after the name of a password. A message has capitals, small words or a full stop.
func SpacedPassphrase(s *scan.Scanner, name string, a Assignment) int {
	shared := a.Sep == Equals && (SuffixFold(name, "shared-key") || SuffixFold(name, "psk"))
	if flag := a.Quoted && (shared || a.Sep == Blank && Flag(s, a)); flag && a.End-a.Start <= 64 {
		return a.flagPhrase(s.Text)
	}
	phrase := SuffixFold(name, "phrase")
	if a.Sep != Equals && a.Sep != Colon && !(a.Sep == Blank && phrase) {
		return 0
	}
	end := a.End
	if !a.Quoted {
		if n := strings.IndexAny(s.Text[a.Start:min(len(s.Text), a.Start+64)], "\r\n"); n >= 0 {
			end = a.Start + n
		} else if end = min(len(s.Text), a.Start+64); end < len(s.Text) {
			return 0
		}
	}
	v := s.Text[a.Start:end]
	if strings.IndexByte(v, ' ') < 0 {
		return 0
	}
	words, digits, marked := 0, false, strings.ContainsAny(v, "#&+*~")
	// a message starts with a capital; it contains numbers, but no word with a digit in it
	titled := value.LowerASCII(v) != v
	for word := range strings.FieldsSeq(v) {
		word = value.LowerASCII(word)
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-!#&+*~") != "" || len(word) > 12 ||
			value.StopWords[word] && !a.Env || value.InList(word, value.DescriptionWords) ||
			value.InList(word, value.Examples) && (!a.Env && !(phrase && words > 0) || len(word) > 3) {
			return 0
		}
		words++
		digits = digits || value.Mixed(word) || value.Integer(word) && !titled
	}
	switch {
	case words < 2 || words > 8 || marked && !(a.Quoted && digits), titled && !a.Quoted &&
		!(phrase && words > 2 && v[0] >= 'a'):
		return 0
	case a.Sep == Blank && !a.Quoted && !digits:
		return 0
	case AppPassword(v), a.Quoted && (digits || Capitals(name) || words > 2 && !titled && strings.IndexByte(v, '-') < 0),
		words > 2 && phrase:
		return end
	}
	return 0
}

// AppPassword reports whether a value is four groups of four lower-case letters, like the app passwords of mail
// providers and phone makers.
func AppPassword(v string) bool {
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

// flagPhrase returns the end of a passphrase in quotes after a flag: several words, none of which a message uses.
func (a Assignment) flagPhrase(text string) int {
	words := 0
	for word := range strings.FieldsSeq(text[a.Start:a.End]) {
		if value.StopWords[word] || strings.ContainsAny(word, "$<>{}") {
			return 0
		}
		words++
	}
	if words < 2 {
		return 0
	}
	return a.End
}

// SigningSecret reports whether a literal is words and a number that somebody made up as a key to sign tokens or
// cookies.
func SigningSecret(s *scan.Scanner, k value.Strength, from, to int, a Assignment) bool {
	v := s.Text[a.Start:a.End]
	if k == value.PasswordKey && inventedSecret(v) {
		return value.LowerASCII(s.Text[max(from, to-len("secret")):to]) == "secret"
	}
	if len(v) < 16 || len(v) > 96 || strings.Trim(v, value.Letters+"0123456789-_.!") != "" ||
		strings.Count(v, "-")+strings.Count(v, "_") < 3 || value.CountKinds(v).Digits == 0 || value.Placeholder(v) ||
		value.UuidLike(v) || strings.Contains(v, "path") || strings.Contains(v, "file") {
		return false
	}
	name := value.LowerASCII(s.Text[from:to])
	if k == value.TokenKey {
		return value.EndsWithAny(name, "secret_key", "secretkey", "signing_key", "signingkey")
	}
	if a.Sep != Colon || !strings.HasSuffix(name, "key") {
		return false
	}
	open := max(0, from-200) + strings.LastIndexByte(s.Text[max(0, from-200):from], '{')
	block := value.LowerASCII(s.Text[max(0, open-24):max(0, open)])
	return value.ContainsAny(block, `jwt"`, `jwtsettings"`, `jwtoptions"`, `jwtconfig"`, `tokens"`)
}

// PassphraseWords reports whether a value in the place of a password is words, none of which labels or messages use.
func PassphraseWords(v string) bool {
	if len(v) < 6 || len(v) > 64 || value.Placeholder(v) || strings.ContainsAny(v, "<>{}()[]$=/\\\"|:;") ||
		strings.IndexByte(".?", v[len(v)-1]) >= 0 {
		return false
	}
	words := 0
	for word := range strings.FieldsSeq(v) {
		low := strings.ToLower(strings.Trim(word, ",.!-_'"))
		if value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.Examples) ||
			value.InList(low, " mot passe ") || value.LabelWord(low) || value.KeyStrength(low) >= value.TokenKey {
			return false
		}
		words++
	}
	return words > 1 && words < 7
}

// AccountPassphrase reports whether the value of the name of a password is words that no label has, in a place where an
// account is set up; if so, it takes all of them.
func AccountPassphrase(s *scan.Scanner, from, to int, a *Assignment) bool {
	end := a.End
	switch {
	case a.Sep == Element:
		v := s.Text[a.Start:end]
		return strings.IndexByte(v, ' ') > 0 && PassphraseWords(v) &&
			strings.Contains(value.LowerASCII(s.Text[max(0, from-120):from]), "<user")
	case a.Quoted && from > 0 && s.Text[from-1] == ' ' && s.Text[to] == '"':
		return false // the label of a form: "Forgot Password"
	case a.Quoted && (a.Sep == Equals || a.Sep == Colon) && rareWordsJoined(s.Text[a.Start:a.End]), a.Quoted &&
		a.Sep == Equals && titleWord(s.Text[a.Start:a.End]):
		return accountBeside(s, from, end)
	case a.Quoted:
		if a.Sep == Blank || a.Sep == Comma || strings.IndexByte(s.Text[a.Start:a.End], ' ') < 0 {
			return false
		}
	case a.Sep != Colon || end >= len(s.Text) || s.Text[end] != ' ':
		return false
	default:
		n := strings.IndexAny(s.Text[a.Start:min(len(s.Text), a.Start+64)], "\r\n")
		if n < 0 && len(s.Text) > a.Start+64 {
			return false
		} else if n < 0 {
			n = len(s.Text) - a.Start
		}
		end = a.Start + n
	}
	block := !a.Quoted && YAMLBlock(s, to, a.Start)
	if v := s.Text[a.Start:end]; !PassphraseWords(v) || !block && !accountBeside(s, from, end) {
		return false
	}
	if block {
		return false
	}
	a.End = end
	return true
}

// titleWord reports whether a value is one long word with a capital that no label has.
func titleWord(v string) bool {
	if len(v) < 9 || len(v) > 24 || v[0] < 'A' || v[0] > 'Z' || value.Placeholder(v) {
		return false
	}
	sp := SpellingOf(v)
	return sp.Plain() && sp.Upper == 1 && !sp.Ordinary() && !sp.Describes()
}

// YAMLBlock reports whether a value is the text of a block of YAML.
func YAMLBlock(s *scan.Scanner, to, start int) bool {
	between := s.Text[to:start]
	return strings.IndexByte(between, '\n') > 0 && strings.ContainsAny(between, "|>")
}

// accountBeside reports whether the member before or after a password in its object, or on the lines around it, is the
// name of an account or of a machine.
func accountBeside(s *scan.Scanner, from, end int) bool {
	const reach = 160
	start := value.LineStart(s.Text, from, reach)
	if accountMember(s.Text[start:from]) {
		return true
	}
	if line, _, _ := strings.Cut(s.Text[end:min(len(s.Text), end+reach)],
		"\n"); accountMember(strings.TrimLeft(line, "\"' ,")) {
		return true
	}
	for at, n := start, 0; at > 0 && n < 3; n++ {
		next := value.LineStart(s.Text, at-1, reach)
		line := s.Text[next : at-1]
		if strings.HasSuffix(strings.TrimRight(line, " \r"), ":") {
			break
		}
		if accountMember(line) {
			return true
		}
		at = next
	}
	if n := strings.IndexByte(s.Text[end:min(len(s.Text), end+reach)], '\n'); n >= 0 {
		line, _, _ := strings.Cut(s.Text[end+n+1:min(len(s.Text), end+n+1+reach)], "\n")
		return !strings.HasPrefix(strings.TrimLeft(line, " "), "- ") && accountMember(line)
	}
	return false
}

// accountMember reports whether the last member of a line is the name of an account, a machine or a network, and its
// value is not a label: one word that starts in lower case, with a digit, or like an address.
func accountMember(line string) bool {
	line = strings.TrimRight(line, " \t\r,;:{\"'")
	i := strings.LastIndexAny(line, " \"'=:")
	if i < 1 {
		return false
	}
	val, name := line[i+1:], strings.TrimRight(line[:i+1], " \"'=:")
	at, to := NameAt(name, len(name))
	var room [value.MaxWords]string
	words := value.NameWords(name[at:to], room[:0])
	const accounts = " user username usr login account konto email mail host hostname server ssid benutzer usuario " +
		"utente from uid role rolle "
	if len(words) == 0 || !value.InList(words[len(words)-1], accounts) || value.InList(val, accounts) {
		return false
	}
	if value.InList(words[len(words)-1], " ssid ") {
		return true
	}
	return accountValue(val)
}

// MapOfSecrets redacts the values of a map named tokens, secrets or passwords: the keys are the names of their owners.
func MapOfSecrets(s *scan.Scanner, n *scan.Called) {
	const reach = 600
	if n.To >= len(s.Text) || s.Text[n.To-1]|0x20 != 's' || s.Marks > MaxMarks ||
		strings.ContainsAny(s.Text[n.From:n.To], ".-") {
		return
	}
	i := SkipBlanks(s.Text, SkipClosers(s.Text, n.To))
	if i < len(s.Text) && (s.Text[i] == ':' || s.Text[i] == '=') {
		i = SkipBlanks(s.Text, i+1)
	}
	if i >= len(s.Text) || s.Text[i] != '{' {
		return
	}
	s.Marks++
	body, _, ok := strings.Cut(s.Text[i:min(len(s.Text), i+reach)], "}")
	if !ok {
		return
	}
	for at := i; at < i+len(body); at++ {
		c := s.Text[at]
		if c != '"' && c != '\'' {
			continue
		}
		to := ClosingQuote(s.Text, at+1, c, 0, MaxJudged)
		v := s.Text[at+1 : min(to, len(s.Text))]
		key := SkipBlanks(s.Text, min(len(s.Text), to+1))
		if named := key < len(s.Text) && s.Text[key] == ':'; !named && !value.Placeholder(v) &&
			!HashPrefixed(s.Text, at+1) && (value.UuidLike(v) || value.HexKey(v) || len(v) >= 20 && value.Random(v)) {
			scan.Add(s, at+1, to, RuleOf(n.Strength))
		}
		at = to
	}
}

// inventedSecret reports whether a literal is words joined by dashes, one of which programs do not use, while others
// mean that it is a secret: tallyflow-super-secret-jwt.
func inventedSecret(v string) bool {
	if len(v) < 12 || len(v) > 64 || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
		value.Placeholder(v) {
		return false
	}
	own, words := 0, 0
	for w := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' }) {
		if words++; value.InList(w,
			" your my example sample test dummy fake change replace insert placeholder env ref name path file ") {
			return false
		}
		if len(w) > 4 && len(w) < 16 && !value.CodeWord(w) && !value.InList(w, value.ProgramWords) {
			own++
		}
	}
	return own > 0 && words > 2
}
