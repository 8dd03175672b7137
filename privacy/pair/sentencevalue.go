package pair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const longestVerb = len("είναι")

// verb returns how strongly a word leads to the next.
func (y *sentenceReader) verb(word string) judge.Lead {
	word = strings.TrimRight(word, ":")
	switch {
	case len(word) > longestVerb:
		return judge.LeadPassing
	case value.InList(word, verbs), y.native && value.InList(word, nativeVerbs):
		y.native = y.native || !value.InList(word, " is literally ") // the sentence is not English
		return judge.LeadVerb
	case value.InList(word, wordings):
		return judge.LeadWording
	case value.InList(word, laterVerbs):
		return judge.LeadSign
	case y.native && !judge.ASCII(word) && judge.EndsAs(word, "为 為 是 成 는 은"):
		return judge.LeadTowards
	case value.InList(word, typing), value.InList(word, towardsOnes) && y.changes(), word == "its" && y.mistyped():
		return judge.LeadTowards
	}
	return judge.LeadPassing
}

// mistyped reports whether "its" is written for "it is": after a noun.
func (y *sentenceReader) mistyped() bool {
	words := strings.Fields(y.Text[y.noun:max(y.noun, y.at)])
	return len(words) == 0 ||
		!value.InList(value.LowerASCII(words[len(words)-1]), " and or with of by but in for to from the as at on that ")
}

// changes reports whether a sentence says that a password becomes another.
func (y *sentenceReader) changes() bool {
	around := value.LowerASCII(y.Text[value.LineStart(y.Text, y.noun, 64):y.at])
	after := value.LowerASCII(y.Text[y.at:y.limit])
	for _, w := range []string{"set ", "chang", "reset", "updat", "rotat", "geänd", "cambi", "mud", "alter", "troqu",
		"zmieni", "změni", "ändra", "endre", "ændre", "vaihd", "wijzig", "verander", "schimb", "promijen", "promen",
		"ganti"} {
		if strings.Contains(around, w) {
			return true
		}
	}
	return strings.Contains(after, " gesetzt") || strings.Contains(after, " setzen") ||
		strings.Contains(after, " ändern") || strings.Contains(after, " geändert")
}

// describesPurpose reports whether a sentence continues after a word by saying what a password is for.
func (y *sentenceReader) describesPurpose(to int) bool {
	if to >= y.limit {
		return false
	}
	return strings.IndexByte(",.;?!(){}<>|\"", y.Text[to-1]) < 0 && strings.IndexByte("(){}<>|[]\"", y.Text[to]) < 0
}

// wordEnd returns where the word ends that starts at an offset.
func (y *sentenceReader) wordEnd(at int) int {
	for at < y.limit && !value.IsSpace(y.Text[at]) {
		if y.Text[at] >= 0x80 && y.endsWord(at) {
			break
		}
		at++
	}
	return at
}

// endsWord reports whether a sign beyond ASCII that ends words is at an offset.
func (y *sentenceReader) endsWord(at int) bool {
	for _, mark := range []string{"，", "。", "、", "：", "；", "！", "？", "（", "）", "「", "」", "『", "』", "«", "»", "“", "”",
		"„", "‘", "→", "—", "–", "،", "…", "।"} {
		if strings.HasPrefix(y.Text[at:y.limit], mark) {
			return true
		}
	}
	return false
}

// value judges the word after what leads to it.
func (y *sentenceReader) value(at int, how judge.Lead) {
	for range 3 {
		at = judge.SkipBlanks(y.Text[:y.limit], at)
		if y.quoted(at, how) {
			return
		}
		to := y.wordEnd(at)
		word := value.LowerASCII(y.Text[at:to])
		if value.InList(word, wordings) {
			how = judge.LeadWording
		} else if how == judge.LeadSign && y.native && value.InList(word, nativeVerbs) || value.InList(word, verbs) {
			how = judge.LeadVerb
		} else if !value.InList(strings.TrimRight(word, ":"), meanwhile) &&
			!(how == judge.LeadSign && value.InList(word, laterVerbs)) &&
			!(how == judge.LeadVerb && y.verb(word) == judge.LeadTowards) &&
			!(how == judge.LeadSign && value.InList(word, turning)) {
			y.judged(at, to, how)
			return
		}
		at = to
	}
}

// judged redacts a word if the sentence can only mean it as a password.
func (y *sentenceReader) judged(at, to int, how judge.Lead) bool {
	at, to = y.trimMarks(at, to-y.particle(at, to))
	word := y.Text[at:to]
	if len(word) < 6 || judge.TechnicalTerm(word) || how < judge.LeadSign && strings.HasPrefix(y.Text[to:], "...") {
		return false
	}
	sp := judge.SpellingOf(word)
	if how >= judge.LeadSign && y.nonLatinNoun() && !sp.NonLatin {
		how = min(how+1, judge.LeadWording) // in letters of another alphabet a description is rare
	}
	if how == judge.LeadSign && y.abbreviated() {
		how = judge.LeadVerb
	}
	if how == judge.LeadBeside && sp.Plain() && y.afterAccount(word) && y.closes(to) && !sp.Ordinary() &&
		!sp.Describes() && sp.Upper < sp.Letters {
		scan.Add(y.Scanner, at, to, scan.RulePassword)
		return true
	}
	if how == judge.LeadBeside && sp.Joints == 1 && y.afterAccount(word) && y.closes(to) {
		how = judge.LeadVerb
	}
	if how == judge.LeadBeside && sp.Plain() && !strings.HasSuffix(y.Text[:y.noun], "phrase") {
		return false
	}
	native := y.native
	if !sp.PasswordAfter(how, native, y.closes(to)) && !y.afterPrompt(sp, at, to) {
		return false
	}
	scan.Add(y.Scanner, at, to, scan.RulePassword)
	return true
}

// abbreviated reports whether the noun is one that only notes use: no form and no message has such a label.
func (y *sentenceReader) abbreviated() bool {
	from, _ := judge.NameAt(y.Text, y.noun-1)
	return value.InList(value.LowerASCII(y.Text[from:y.noun]), " mdp ww ")
}

// afterAccount reports whether an account and a joining word or comma are before the noun: "ann@10.0.0.1, pw …", "con
// root y clave …".
func (y *sentenceReader) afterAccount(v string) bool {
	from := y.noun
	for from > 0 && y.noun-from < 24 && y.Text[from-1] > ' ' {
		from--
	}
	if foreign := y.native || judge.SuffixFold(y.Text[:y.noun], "wort"); foreign && judge.DescribesNative(v) &&
		!judge.EndsAs(v, "ito ita") {
		return false // what is said about it
	}
	var last, before string
	for word := range strings.FieldsSeq(y.Text[value.LineStart(y.Text, from, 80):from]) {
		before, last = last, word
	}
	account, listed := strings.CutSuffix(last, ",")
	if !listed {
		if !value.InList(value.LowerASCII(last), " and y und e et en och og i ja и & / ") {
			return false
		}
		account = before
	} else if account = strings.Trim(account, "\"'`„“”«»"); value.InList(value.LowerASCII(before),
		" network netz netzwerk ssid wlan wifi wi-fi réseau rete rede red user login username benutzer usuario "+
			"utilisateur utente gebruiker användare bruker käyttäjä użytkownik ") && !judge.DescribesNative(v) &&
		judge.WordLike(account) && value.KeyStrength(account) == value.NotSecret &&
		!value.InList(account, value.DescriptionWords) {
		return true
	}
	return value.InList(account, " root admin administrator postgres oracle sa pi ubuntu ec2-user ") ||
		strings.IndexByte(account, '@') > 0 && !strings.ContainsAny(account, "\"'`<>(){}=;")
}

// nonLatinNoun reports whether the noun is written in another alphabet.
func (y *sentenceReader) nonLatinNoun() bool {
	c, _ := utf8.DecodeLastRuneInString(y.Text[:y.noun])
	return c >= 0x80 && !unicode.Is(unicode.Latin, c)
}

// particle returns the length of what some languages append to a word.
func (y *sentenceReader) particle(at, to int) int {
	if y.Text[to-1] < 0x80 {
		return 0
	}
	for _, p := range []string{"입니다.", "입니다", "이에요", "이고", "예요", "です", "だよ"} {
		if strings.HasSuffix(y.Text[at:to], p) {
			return len(p)
		}
	}
	return 0
}

// afterPrompt reports whether a word was typed after a question of a terminal: "Password for user ann: VALUE",
// "ann@host's password: VALUE".
func (y *sentenceReader) afterPrompt(sp judge.Spelling, at, to int) bool {
	if !sp.Plain() || sp.Letters < 6 || !judge.LineEnd(y.Scanner, to) || y.Text[at-2] != ':' || sp.Ordinary() {
		return false
	}
	question := strings.Fields(y.Text[value.LineStart(y.Text, y.noun, 96) : at-2])
	switch n := len(question); {
	case n > 4 || n < 2:
		return false
	case n > 2 && question[1] == "for":
		return question[0] == "Password" && (n == 4 && question[2] == "user")
	default:
		return n == 2 && strings.HasSuffix(question[0], "'s") && strings.Contains(question[0], "@")
	}
}

// PasswordToType redacts what somebody should type where there is no noun for a password: "when sudo asks, type VALUE",
// "koden til routeren er VALUE".
func PasswordToType(s *scan.Scanner, end int) {
	for strings.IndexByte(" :", s.Text[end-1]) >= 0 {
		end--
	}
	if end < len(s.Text) && Latin(s.Text[end]) {
		return
	}
	start := end
	for start > 0 && s.Text[start-1] != ' ' && s.Text[start-1] != '\n' && end-start < 12 {
		start--
	}
	switch word := value.LowerASCII(s.Text[start:end]); {
	case word == "koden" || word == "kode" || word == "ww":
		scan.Once(s, end, end, func() { SentencePassword(s, end, true) })
	case value.InList(word, " with mit met con avec com "):
		logsInWith(s, end)
	case !strings.HasPrefix(word, "kode"):
		scan.Once(s, end, end, func() { SentencePassword(s, end, false) })
	}
}

// logsInWith redacts what somebody uses to log in: "you log in with VALUE".
func logsInWith(s *scan.Scanner, end int) {
	at := judge.SkipBlanks(s.Text, end)
	to := at
	for to < len(s.Text) && to-at < 64 && s.Text[to] > ' ' {
		to++
	}
	v := strings.Trim(s.Text[at:to], "\"'`*,.;:)?")
	if first, _, _ := strings.Cut(value.LowerASCII(v), "_"); value.InList(first,
		" google microsoft apple github gitlab azure okta amazon facebook linkedin slack single ") {
		return // who vouches for somebody
	}
	if sp := judge.SpellingOf(v); value.SymbolPassword(v) && judge.HasSymbol(v) && !value.Expression(v) &&
		!sp.Address() || value.WordWithSymbol(v) && sp.PasswordAfter(judge.LeadTowards, false, true) ||
		sp.Parts > 1 && sp.Capped > 1 && !strings.HasSuffix(s.Text[:end], "opens with") && judge.JoinedPassword(v) {
		at += strings.Index(s.Text[at:to], v)
		scan.Add(s, at, at+len(v), scan.RulePassword)
	}
}

// joining words start another clause of a sentence.
const joining = " and und y et a og och ja en i и та і και و ve dan és și şi si & with mit con avec user username " +
	"login логин юзер bruger brugernavn gebruiker gebruikersnaam benutzername usernya użytkownik benutzer nhé nha voor " +
	"usuario utilisateur utente for für pour gesetzt setzen ändern geändert umgestellt gezet veranderd please bitte " +
	"btw lol fyi thx thanks danke merci gracias — – - // # aber but so then on in at if or when wenn until bis por per " +
	"для است है द ครับ không "

// closes reports whether a clause ends at an offset.
func (y *sentenceReader) closes(at int) bool {
	if at >= len(y.Text) || judge.ClauseEnd(y.Scanner, at) {
		return true
	}
	c := y.Text[at]
	if c >= 0x80 {
		return true // letters of another alphabet end a word too
	}
	if c != ' ' {
		return strings.IndexByte("\"'`;*:", c) >= 0
	}
	at = judge.SkipBlanks(y.Text, at)
	if at >= len(y.Text) || strings.IndexByte("(,.;-", y.Text[at]) >= 0 || y.Text[at] >= 0xE2 {
		return true // a dash continues, as does a language without blanks
	}
	to := at
	for to < len(y.Text) && to-at < 24 && !value.IsSpace(y.Text[to]) {
		to++
	}
	return value.InList(strings.TrimRight(value.LowerASCII(y.Text[at:to]), ",."), joining)
}

// quotations are opening quotation marks, each with its closing mark.
var quotations = [][2]string{{"«", "»"}, {"»", "«"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"‘", "’"}, {"‚", "‘"},
	{"「", "」"}, {"『", "』"}, {"\"", "\""}}

// quoted redacts a quotation that is a password, and reports whether one starts here.
func (y *sentenceReader) quoted(at int, how judge.Lead) bool {
	if at >= y.limit || y.Text[at] < 0x80 && y.Text[at] != '"' || how < judge.LeadBeside {
		return false
	}
	for _, q := range quotations {
		if q[0] == "\"" && how < judge.LeadVerb {
			continue
		}
		rest, ok := strings.CutPrefix(y.Text[at:y.limit], q[0])
		inner, _, shut := strings.Cut(rest, q[1])
		if !ok || !shut {
			continue
		}
		v := strings.TrimSpace(strings.ReplaceAll(inner, "\u00a0", " "))
		if from := at + len(q[0]) + strings.Index(rest, v); v != "" && !judge.TechnicalTerm(v) &&
			(quotedPassword(v, how, y.native) || how >= judge.LeadVerb &&
				(strings.HasSuffix(y.Text[:y.noun], "phrase") || y.ownPassword()) && quotedPhrase(v)) {
			scan.Add(y.Scanner, from, from+len(v), scan.RulePassword)
		}
		return true
	}
	return false
}

// ownPassword reports whether a sentence mentions the speaker's own password.
func (y *sentenceReader) ownPassword() bool {
	words := strings.Fields(y.Text[value.LineStart(y.Text, y.noun, 48):y.noun])
	for _, w := range words[max(0, len(words)-4):] {
		if value.InList(value.LowerASCII(w),
			" my our mein meine unser unsere mon ma notre mi nuestra il la mia nostra minha nossa mijn ons mitt mit moje ") {
			return true
		}
	}
	return false
}

// numberedPhrase redacts a few words followed by a number, as somebody's own password: "my password is biscuit tin
// 1984".
func (y *sentenceReader) numberedPhrase(at int) bool {
	const most = 5
	at = judge.SkipBlanks(y.Text[:y.limit], at)
	for n, w := range judge.FieldSpans(y.Text, at, y.limit) {
		word := strings.TrimRight(y.Text[w[0]:w[1]], ".,;!")
		switch {
		case n > 1 && value.Integer(word) && len(word) > 1 && (len(word) < w[1]-w[0] || y.closes(w[1])):
			scan.Add(y.Scanner, at, w[0]+len(word), scan.RulePassword)
			return true
		case n == most, len(word) < w[1]-w[0], len(word) < 3, strings.Trim(word, value.Letters) != "":
			return false
		}
		if low := value.LowerASCII(word); value.StopWords[low] {
			return false
		}
	}
	return false
}

// quotedPhrase reports whether a quotation after "the passphrase is" is a row of words that says nothing about
// passphrases.
func quotedPhrase(v string) bool {
	words, small := 0, 0
	for word := range strings.FieldsSeq(v) {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || value.KeyStrength(word) != value.NotSecret {
			return false
		}
		if words++; value.StopWords[word] {
			small++
		}
	}
	return words > 3 && words < 10 && small*2 <= words
}

// quotedPassword reports whether a quotation after a noun for a password is one.
func quotedPassword(v string, how judge.Lead, native bool) bool {
	if !strings.Contains(v, " ") {
		sp := judge.SpellingOf(v)
		return sp.PasswordAfter(max(how, judge.LeadSign), true, true) ||
			sp.PasswordAfter(max(how, judge.LeadSign), native, true)
	}
	first, _ := utf8.DecodeRuneInString(v)
	if len(v) < 8 || len(v) > 64 || strings.Count(v, " ") > 6 || how < judge.LeadVerb && unicode.IsUpper(first) {
		return false
	}
	for word := range strings.FieldsSeq(strings.ToLower(v)) {
		if value.StopWords[word] || value.InList(word, judge.Remarks) || value.KeyStrength(word) != value.NotSecret {
			return false
		}
	}
	return true
}
