package pair

import (
	"slices"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// SecretWords are words in the names of secrets.
var SecretWords = []string{
	"passw", "pwd", "pass", "pasw", "pssw", "secret", "token", "key", "auth", "cred", "bearer", "private",
	"signing", "session", "jwt", "login", "psw", "license", "webhook", "hmac", "access", "_pat", "-pat",
	" pw", "\npw", "\"pw", "'pw", "{pw", "(pw", ",pw", "$pw", "@pw", "-pw", ".pw", "<pw", "?pw", "&pw", "*pw", "-dpw",
	"+pw", ":pw", "appid", "rootpw", "bindpw", "sessid", "amz-signature", "goog-signature", "userpw", "dbpw", "mypw",
	"adminpw", "senha", "haslo", "totp", "_pw", "_psk", "-psk", "pat:", " pat is", "\"pat\"", " psk", ".psk", "*psk",
	"hash_salt", "nonce_salt", "auth_salt", "_in_salt", "\"psk", "\npsk", "\tpsk", "kennwort", "wachtwoord", "pepper",
}

// Name judges the name around a secret word, and what is near it.
func Name(s *scan.Scanner, end int) {
	if end <= s.Named || scan.TestResult(s.Text, end) {
		return
	}
	from, to := assign.NameAt(s.Text, end)
	s.Named = to
	if insideRandom(s.Text, from, to, end) {
		return
	}

	s.Names++
	scan.Once(s, from, to, func() {
		judgeName(s, end, from, to)
	})
}

// insideRandom reports whether a word that ends at end is in [from, to) only by chance: in a random part, or behind a
// random one.
func insideRandom(text string, from, to, end int) bool {
	const least = 24
	if to-from < least {
		return false
	}
	before, part := text[from:end], text[from:to]
	if i := strings.IndexAny(text[end:to], "-_."); i >= 0 {
		part = text[from : end+i]
	}
	if i := strings.LastIndexAny(before, "-_."); i >= 0 {
		part = part[i+1:]
	}
	if len(part) >= least {
		return value.Random(part) && !value.CamelWords(part)
	}
	word := len(part) > 4 && value.PlainWords(part) && value.CrossEntropy(part) < value.WordSpoken
	return len(before) >= least && !word && value.Random(before)
}

// judgeName judges the name at [from, to), whose word for a secret ends at end.
func judgeName(s *scan.Scanner, end, from, to int) {
	if mark := from - len(scan.RedactedMark); mark >= 0 && s.Text[from-1] == ':' && scan.Taken(s, mark) > 0 {
		judge.RandomNearName(s, from, to) // the rule of what was found here
		return
	}
	if from > 0 && s.Text[from-1] == '-' && s.Text[from] == 'D' && to-from > 2 {
		from++ // Java's -Dpassword=…
	}
	if to < len(s.Text) && s.Text[to] == '(' && to+1 < len(s.Text) && s.Text[to+1] == ')' {
		return
	}
	n := called(s, from, to)
	members(s, n)
	if mayAssign(s, n) && judgeNamedValue(s, n) {
		return
	}
	indirectValue(s, n)
	if !dashJoined(s, end, to) {
		nearName(s, n)
	}
}

// nearName judges random tokens near a name; what is before a member belongs to others, what is near the name of a
// public key is public.
func nearName(s *scan.Scanner, n *scan.Called) {
	if public.Name(n.Words) {
		return
	}
	if n.Strength < value.TokenKey && member(s, n) {
		s.Reached[scan.ByNear] = max(s.Reached[scan.ByNear], n.From)
	}
	judge.RandomNearName(s, n.From, n.To)
}

// member reports whether a name is the key of a member in quotes: "license": "MIT".
func member(s *scan.Scanner, n *scan.Called) bool {
	rest := s.Text[n.To:]
	return strings.HasPrefix(rest, `": "`) || strings.HasPrefix(rest, `":"`)
}

// mayAssign reports whether the value of a name matters: it may be secret, or one that is public.
func mayAssign(s *scan.Scanner, n *scan.Called) bool {
	return n.Strength != value.NotSecret || public.Name(n.Words) ||
		n.From > 0 && (s.Text[n.From-1] == '/' || s.Text[n.From-1] == ':')
}

// judgeNamedValue judges the value of a name, and reports whether that decides it.
func judgeNamedValue(s *scan.Scanner, n *scan.Called) bool {
	if redactedBefore(s, n) {
		return true
	}
	a, ok := Assigned(s.Text, n.From, n.To, reach(s))
	s.Followed += a.End - a.Start
	switch {
	case !ok, a.Sep == assign.Comma && a.Quoted && s.Text[a.Start-1] == '`': // the next one of a list of names in Markdown
		return false
	case (a.Sep == assign.Blank || a.Sep == assign.Equals) && assign.HelpText(s, n, a):
		return true
	case !a.Quoted && a.End <= a.Start+scan.Taken(s, a.Start):
		return true // as before, with the value in its place
	case public.Name(n.Words) || public.KeyName(s, n.From, n.Words) || resourceName(s, n, a):
		s.Reached[scan.ByNear] = max(s.Reached[scan.ByNear], a.End)
		return true
	}
	return redactValue(s, n, a)
}

// redactedBefore reports whether the value of a name is already redacted, and fills the rest of its line.
func redactedBefore(s *scan.Scanner, n *scan.Called) bool {
	if n.To == len(s.Text) || s.Text[n.To] != '=' && s.Text[n.To] != ':' {
		return false
	}
	at := assign.SkipBlanks(s.Text, n.To+1)
	k := scan.Taken(s, at)
	return k > 0 && assign.LineEnd(s, at+k)
}

// indirectValue searches for the value of a name that does not follow it directly: behind a tag, or for the name of a
// secret in the cells below it.
func indirectValue(s *scan.Scanner, n *scan.Called) {
	markup(s, n.To)
	if n.Strength < value.TokenKey {
		return
	}
	delimiter := heads(s, n.From, n.To)
	if public.Name(n.Words) {
		return
	}
	if delimiter != "" {
		column(s, n.From, delimiter, n.Strength)
	}
	rowsBehind(s, n)
}

// redactValue redacts the value of a name, if it is secret.
func redactValue(s *scan.Scanner, n *scan.Called, a assign.Assignment) bool {
	from, to, words, strong := n.From, n.To, n.Words, strengthWith(s, n, a)
	if strong == value.NotSecret || notItsValue(s, n, a, strong) {
		return false
	}
	a.Env = assign.EnvironmentLine(s, from, to, a)
	if certainValue(s, &strong, &a, from, to, words) {
		return true
	}
	a.Spaced = a.Spaced && !assign.InSection(s, from)
	if a.Env && !a.Quoted {
		a.End = assign.RestOfLine(s, a.Start)
	}
	setPlace(s, &a, from, to, words)
	if !judge.SecretValue(s, strong, s.Text[from:to], a) || public.NamedID(s.Text[from:to], s.Text[a.Start:a.End]) {
		return false
	}
	scan.Add(s, a.Start, a.End, assign.RuleOf(strong))
	if next, ok := a.Value(s.Text, a.End+len(toNew)); ok && a.Quoted && strings.HasPrefix(s.Text[a.End:], toNew) {
		judged(s, n, next)
	}
	return true
}

const toNew = `" -> ` // between the old and the new value in a plan of changes

// strengthWith returns the strength of a name, given what follows it: "pass" and "secret" have several meanings.
func strengthWith(s *scan.Scanner, n *scan.Called, a assign.Assignment) value.Strength {
	if n.Strength == value.TokenKey && n.Words[len(n.Words)-1] == "pass" && passValue(s, n.From, n.To, a) {
		return value.PasswordKey
	}
	return n.Strength
}

// certainValue redacts a value that is not one word in the usual place: a phrase that the judge considers a password,
// words that form a key, the password after the name of an account.
func certainValue(s *scan.Scanner, strong *value.Strength, a *assign.Assignment, from, to int, words []string) bool {
	if *strong == value.PasswordKey {
		phrase := *a // in a section, no argument of a command follows
		phrase.Spaced = a.Spaced || a.Sep == assign.Equals && !a.Quoted && assign.InSection(s, from)
		if end := judge.SpacedPassphrase(s, s.Text[from:to], phrase); end > 0 {
			scan.Add(s, a.Start, end, scan.RulePassword)
			return true
		}
	}
	if *strong == value.TokenKey && a.Quoted && a.Sep == assign.Equals &&
		slices.Contains(words[max(0, len(words)-2):], "secret") {
		if end := judge.SpacedPassphrase(s, s.Text[from:to], *a); end > 0 {
			scan.Add(s, a.Start, end, scan.RuleSecret)
			return true
		}
	}

	if !value.InList(words[len(words)-1], " creds cred credentials credential login logins auth pair ") {
		return false
	}
	n := assign.AccountName(s.Text[a.Start:a.End])
	if a.Start += n; n == 0 {
		return false
	}
	if v := s.Text[a.Start:a.End]; AccountPassword(v, a.Quoted) {
		scan.Add(s, a.Start, a.End, scan.RulePassword)
		return true
	}
	*strong = max(*strong, value.TokenKey)
	return false
}

// setPlace records what the place of a value says about it.
func setPlace(s *scan.Scanner, a *assign.Assignment, from, to int, words []string) {
	a.Line = assign.ConfigLine(s, from, *a)
	member := s.Text[from+strings.LastIndexByte(s.Text[from:to], '.')+1 : to]
	a.OuterCapital = assign.Capitals(member)
	a.Setter = a.Sep == assign.Call && (len(words) == 1 || words[len(words)-2] == "set" ||
		len(member) == len(words[len(words)-1]))
}

// passValue reports whether what follows the word "pass", which is also used of tests, can only be a password.
func passValue(s *scan.Scanner, from, to int, a assign.Assignment) bool {
	if assign.AccountBefore(s, from) || assign.EnvironmentLine(s, from, to, a) {
		return true
	}
	v := s.Text[a.Start:min(a.End, a.Start+assign.MaxJudged)]
	if a.Sep != assign.Equals && a.Sep != assign.Colon {
		return false
	}
	return a.Quoted || assign.ConfigLine(s, from, a) &&
		(value.RandomLetters(v) || value.AlnumPassword(v) || judge.Capitalised(v))
}

// dashJoined finds a value that is joined to its name by a dash: token-3f9a….
func dashJoined(s *scan.Scanner, end, to int) bool {
	if to-end < 16 {
		return false
	}
	at := end
	for {
		i := strings.IndexAny(s.Text[at:to], "-_")
		if i < 0 {
			return false
		}
		at += i + 1
		part := s.Text[at:to]
		if next := strings.IndexAny(part, "-_"); next >= 0 {
			part = part[:next]
		}
		if strings.ContainsAny(part, "0123456789") {
			break
		}
	}
	v := s.Text[at:to]
	if !value.UUIDLike(v) && !value.HexKey(v) && !(value.Random(v) && len(v) >= 24) {
		return false
	}
	scan.Add(s, at, to, scan.RuleRandom)
	return true
}

// reach returns how far the next value is followed: less after so many bytes that only repeated text explains them.
func reach(s *scan.Scanner) int {
	if s.Followed > 4*len(s.Text)+scan.MaxValue {
		return 64
	}
	return scan.MaxValue
}

// called returns what is known about the name at [from, to).
func called(s *scan.Scanner, from, to int) *scan.Called {
	n := &s.Naming
	if n.From == from && n.To == to {
		return n
	}
	name := s.Text[from:to]
	n.From, n.To, n.Words = from, to, value.NameWords(name, n.Room[:0])
	n.Alone = value.WordsStrength(n.Words, name)
	n.Strength = inPlace(s, n)
	return n
}

// inPlace judges a name in its place: in a sentence its words are separate, as in "db password" and "api key".
func inPlace(s *scan.Scanner, n *scan.Called) value.Strength {
	if n.Alone == value.WeakKey && n.From > 2 && s.Text[n.From-2:n.From] == "]." &&
		strings.Contains(s.Text[max(0, n.From-40):n.From], "wireless.@wifi-") {
		return value.PasswordKey // of a radio, in OpenWrt settings
	}
	if n.Alone > value.WeakKey || n.From < 2 || s.Text[n.From-1] != ' ' {
		return n.Alone
	}
	before, end := assign.NameAt(s.Text, n.From-1)
	var room [2 * value.MaxWords]string
	return max(n.Alone, value.WordsStrength(append(value.NameWords(s.Text[before:end], room[:0]), n.Words...),
		s.Text[n.From:n.To]))
}

// resourceName reports whether a value is the end of the name of a resource: arn:…:secret:NAME.
func resourceName(s *scan.Scanner, n *scan.Called, a assign.Assignment) bool {
	return a.Sep == assign.Colon && a.Start == n.To+1 && strings.Contains(s.Text[max(0, n.From-64):n.From], "arn:aws")
}
