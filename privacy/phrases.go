package privacy

import "strings"

// picked reports whether a value looks like a password that somebody picked:
// letters and digits, but no name with a number behind it and no algorithm.
func picked(v string) bool {
	if !pickedForm(v) {
		return false
	}
	if n := countKinds(v); n.digits == 1 && digit(v[len(v)-1]) || n.runs == 1 && n.digits == n.lower+n.upper+n.digits-1 {
		return false
	}
	return true
}

// capitalised is picked for places that hardly leave a doubt: with a capital and
// small letters one digit is enough, also at the end.
func capitalised(v string) bool {
	n := countKinds(v)
	return n.upper > 0 && n.lower > 2 && pickedForm(v) && !typeName(v)
}

// pickedForm reports whether a value is letters and digits without the signs of
// programs, and names no algorithm.
func pickedForm(v string) bool {
	if len(v) < 8 || len(v) > 64 || !mixed(v) || strings.ContainsAny(v, " (){}[]<>\"'`/\\=;|,:") || pathLike(v) || uuidLike(v) || codeLike(v) {
		return false
	}
	low := strings.ToLower(v)
	for _, a := range []string{"sha1", "sha2", "sha3", "sha5", "md5", "base32", "base58", "base64", "bcrypt", "argon2", "pbkdf2", "utf8", "utf-", "aes", "hs256", "rs256", "ed25519", "x509", "p256", "oauth2", "http", "ipv", "i18n", "l10n"} {
		if strings.Contains(low, a) {
			return false
		}
	}
	return true
}

// forWhom skips "for the staging database is": what a sentence puts between the
// word for a secret and the secret.
func forWhom(text string, i int) (int, bool) {
	end := min(len(text), i+96)
	word, _, _ := strings.Cut(text[i:end], " ")
	if !in(strings.ToLower(word), " for to of on at in für fuer von vom zum zur am auf der den dem de du des della dello del di do da van voor pour en you that we i ") {
		return 0, false
	}
	for n := 0; n < 12 && i < end; n++ {
		word, _, more := strings.Cut(text[i:end], " ")
		if !more || strings.ContainsAny(word, "\n\"'(){};") || n > 0 && in(lowerASCII(word), trailers) {
			return 0, false
		}
		next := blanks(text, i+len(word))
		if in(strings.ToLower(word), " is = was: are ist lautet lautet: est es é è era será sarà ") || n > 0 && strings.HasSuffix(word, ":") {
			return next, true
		}
		i = next
	}
	return 0, false
}

// trailers lead to numbers in changelogs.
const trailers = " closes: fixes: refs: see: bug: bugs: issue: issues: "

// foretold redacts a secret whose name comes behind it: "use VALUE as the password".
func (s *scanner) foretold(n *called) {
	from := n.from
	if from == 0 {
		return
	}
	if n.password {
		s.bracketed(from)
	}
	if s.text[from-1] != ' ' {
		return
	}
	back := max(0, from-24)
	i := -1
	for at := back; at < from; at++ {
		if s.text[at] == ' ' && introduces(s.text[at:from]) {
			i = at - back
		}
	}
	if i < 0 || strings.ContainsAny(s.text[back+i:from], ".,;:=(\n") {
		return
	}
	if n.alone < tokenKey {
		return
	}
	end := back + i
	start := end
	for start > 0 && end-start < 128 && s.text[start-1] > ' ' {
		start--
	}
	quoted := start < end && strings.IndexByte("\"'`", s.text[start]) >= 0
	for start < end && strings.IndexByte("\"'`", s.text[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte("\"'`", s.text[end-1]) >= 0 {
		end--
	}
	if v := s.text[start:end]; (chosen(v) || picked(v) || handWritten(v) && (quoted || countKinds(v).digits > 0) || quoted && markedWord(v) || n.password && joinedPassword(v)) && !typeName(v) {
		s.add(start, end, rulePassword)
	}
}

// typeName reports whether a value is written as the name of a type or a
// function: words with capitals, the last of which is what a secret is called.
func typeName(v string) bool {
	if !identifier(v) || len(v) > 48 {
		return false
	}
	var room [maxWords]string
	words := nameWords(v, room[:0])
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	if in(words[0], " secret password hidden masked sensitive protected ") && in(last, " str string bytes field type text input value ") {
		return true
	}
	return camelWords(v) && (words[0] == "test" || in(last, " key keys token tokens secret secrets password "))
}

// pair redacts the password of "login: ann / PASSWORD".
func (s *scanner) pair(end int) {
	to := end
	for to < len(s.text) && to-end < 80 && s.text[to] > ' ' {
		to++
	}
	for end < to && strings.IndexByte("\"'`", s.text[end]) >= 0 {
		end++
	}
	v := strings.TrimRight(s.text[end:to], ".,;)\"'`")
	if n := countKinds(v); n.lower == 0 && strings.IndexByte(v, '_') > 0 && strings.Trim(v, letters[26:]+"0123456789_") == "" {
		return // a constant
	}
	ofMail := false
	if !(ofMail && addressee(v)) && !capitalised(v) && !picked(v) && !chosen(v) && !markedWord(v) && !joinedPassword(v) && (!handWritten(v) || countKinds(v).digits == 0) {
		return
	}
	start := lineStart(s.text, end, 80)
	if ofMail || chosen(v) && symbolic(v) {
		start = max(0, start-160) // the question above
	}
	before := strings.ToLower(s.text[start:end])
	for _, w := range []string{"login", "log in", "cred", "sign in", "password", "passw", "account", "user", "zugang", "anmeld", "connexion", "identifiant", "wifi", "wlan", "u/p", "acceso", "accesso", "admin", "root", "auth", "konto", "compte", "cuenta", "conta ", "conta:", "benutzer", "nutzer", "usuario", "usuário", "utente"} {
		if strings.Contains(before, w) {
			s.add(end, end+len(v), rulePassword)
			return
		}
	}
}

// addressee reports whether what an address is handed with can only be a password.
func addressee(v string) bool {
	sp := spellingOf(v)
	return !versionLike(v) && sp.handsOver(leadVerb, false, true)
}

// passphrase returns the end of a value that is a row of words, 0 when it is none:
// a sentence has small words and those of messages in it.
func (s *scanner) passphrase(name string, a assignment) int {
	limit := min(len(s.text), a.start+96)
	if a.quoted {
		limit = a.end
	}
	if s.phraseBytes > len(s.text)/2+maxValue { // only a flood has so many
		return 0
	}
	words, at := 0, a.start
	defer func() { s.phraseBytes += at - a.start }()
	for words <= maxPhrase {
		end := at
		for end < limit && s.text[end] >= 'a' && s.text[end] <= 'z' {
			end++
		}
		if w := s.text[at:end]; len(w) < 3 || len(w) > 10 || smallWords[w] {
			return 0
		}
		words, at = words+1, blanks(s.text, end)
		if at == end || at >= limit {
			at = end
			break
		}
	}
	closed := at >= limit || strings.IndexByte("\n\r.,;\"'(<", s.text[at]) >= 0
	named := a.quoted || a.told || strings.HasSuffix(strings.ToLower(name), "phrase")
	if !closed || words < 4 || words > maxPhrase || !named && (words == 4 || a.sep == blank) {
		return 0
	}
	return at
}

const maxPhrase = 10 // words

// smallWords stand in sentences about passwords, and hardly in passwords.
var smallWords = wordSet(`the and for are was were has have had been being not nor but you your yours our its his her their them they this that these those with without from into onto over under when where which while who whom what why how can could may might must shall should will would does did done get got set use used uses using via per than then too very also only just still all any each every some none such same other another more most less least one two three here there now new old user users username name names word words key keys file files field value string text type types empty blank null nil must match matches matched mismatch contain contains containing include includes required require requires optional invalid valid wrong incorrect missing expired expires failed fails fail error errors change changed changes changing update updated reset resets enter entered confirm confirmation provide provided specify specified define defined encrypted encrypt hashed hash stored store saved save shown hidden show sent send given prompt prompts ask asked asks please try again long short weak strong length characters letters digits password passwords passphrase passphrases secret secrets token tokens login account access auth server client database default`)

// innerCapital reports whether a value is of words that no sentence writes so:
// joined by dashes, with a capital that is not the first letter.
func innerCapital(v string) bool {
	n := countKinds(v)
	if len(v) < 8 || n.lower == 0 || n.upper == 0 || n.other == 0 || n.other != strings.Count(v, "-")+strings.Count(v, "_") || !strings.ContainsAny(v[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return false
	}
	return true
}

// described reports whether a value is a word that says how a secret is treated.
func described(v string) bool {
	last := strings.ToLower(v[strings.LastIndexAny(v, "-_")+1:])
	return len(last) < len(v) && in(last, " encoded encrypted hashed protected based sensitive only generated specific like compatible safe free signed style aware ")
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// introduces reports whether a text begins with words that lead from a secret to its name.
func introduces(text string) bool {
	if len(text) < 4 || text[1] != 'a' && text[1] != 'i' && text[1] != 'f' {
		return false
	}
	for _, w := range []string{" as ", " is the ", " ist das ", " for the ", " for our "} {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}
