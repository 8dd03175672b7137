package pair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// A sentence that reveals a password consists of a noun for one, what it is for, what leads to the value (a verb, a
// sign, a quotation mark, nothing), the value, and the end of the clause. The more strongly it leads to the value, the
// more the value may look like a word of the sentence.

const (
	maxSentence  = 160 // bytes after a noun that are read
	maxQualified = 9   // words that say what it is for
)

// saying reads the sentence after a noun for a password.
type sentenceReader struct {
	*scan.Scanner
	noun, at, limit int
	native          bool // the noun is not English and not from a program
}

// SentencePassword redacts the password that the sentence after a noun reveals, and reports whether there is one.
func SentencePassword(s *scan.Scanner, end int, native bool) bool {
	spans := len(s.Spans)
	y := sentenceReader{Scanner: s, noun: end, at: end, limit: min(len(s.Text), end+min(maxSentence, reach(s))),
		native: native}
	if n := strings.IndexByte(s.Text[end:y.limit], '\n'); n >= 0 {
		y.limit = end + n
	}
	if y.skipNoun() {
		y.read()
		nextPassword(s, end, spans, native)
		s.Followed += y.at - end
	}
	return len(s.Spans) > spans
}

// english reports whether a noun for a password is English, or used in every language.
func english(noun string) bool {
	if judge.SuffixFold(noun, "key") || judge.SuffixFold(noun, "secret") {
		return true
	}
	return judge.NamesPassword(noun) && !value.BeginsFold(noun, "w") && !value.BeginsFold(noun, "s")
}

// inSentence reports whether a name is a word of a sentence that continues after it.
func inSentence(s *scan.Scanner, n *scan.Called) bool {
	if n.To >= len(s.Text) || s.Text[n.To] < 0x80 && strings.IndexByte(" :=,*\"'`", s.Text[n.To]) < 0 {
		return false
	}
	return !programName(s.Text[n.From:n.To])
}

// programName reports whether a name is written like those in programs.
func programName(name string) bool {
	for i := 1; i < len(name); i++ {
		if c := name[i]; c == '_' || c == '.' || c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// skipNoun skips the ending of the noun and its closing mark, and reports whether a sentence may continue there.
func (y *sentenceReader) skipNoun() bool {
	if y.native {
		y.inflected()
	}
	text := y.Text[:y.limit]
	if strings.HasPrefix(text[y.at:], "'s ") {
		y.at += len("'s")
		return !y.ownPassword() || !y.numberedPhrase(y.at)
	}
	shut := judge.SkipClosers(text, y.at)
	y.at = skipBracketed(text, shut, false)
	if y.at >= y.limit || shut > y.noun && strings.IndexByte("\"'", text[shut-1]) >= 0 && text[y.at] != ' ' {
		return false // a key in quotes
	}
	switch c := text[y.at]; c {
	case ' ', ':', '=', '?':
		return true
	case ',':
		how, _ := y.leadAfterComma(y.at + 1)
		return how > judge.LeadPassing
	default:
		return c >= 0x80
	}
}

// inflected skips the ending of a noun in an alphabet whose words have endings.
func (y *sentenceReader) inflected() {
	for range 5 {
		c, n := utf8.DecodeRuneInString(y.Text[y.at:y.limit])
		if !unicode.In(c, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew) ||
			c < 0x80 && y.Text[y.at-1] < 0x80 {
			return
		}
		y.at += n
	}
}

func (y *sentenceReader) read() {
	how := judge.LeadBeside
	switch c := y.Text[y.at]; {
	case c == '?':
		y.value(y.at+1, judge.LeadBeside)
		return
	case c == ',':
		y.wordAfterApposition(y.at + 1)
		return
	case c >= 0x80:
		how = judge.LeadPassing // no blank: the word of the noun continues
	}
	for range maxQualified {
		y.at = y.skipBrackets(judge.SkipBlanks(y.Text[:y.limit], y.at))
		if n, l := y.sign(); n > 0 {
			if how < judge.LeadBeside || !y.statement() {
				y.value(y.at+n, l)
			}
			return
		}
		if y.quoted(y.at, how) {
			return
		}
		to := y.wordEnd(y.at)
		if to == y.at {
			return
		}
		word := value.LowerASCII(y.Text[y.at:to])
		if l := y.verb(word); l > judge.LeadPassing {
			y.value(to, l)
			return
		}
		if value.InList(word, fromWhat) && y.changes() && y.oldAndNew(to, towardsOnes) ||
			y.Text[to-1] == ',' && y.wordAfterApposition(to) {
			return
		}
		if (how >= judge.LeadBeside || y.native && joinsWords(y.Text[y.at:to])) && y.judged(y.at, to, how) {
			return
		}
		if y.marked(to) || !y.describesPurpose(to) {
			return
		}
		if y.at = to; how != judge.LeadBeside || !value.InList(word, meanwhile) {
			how = judge.LeadBehind
		}
		if value.InList(word, ofWhat) {
			how = judge.LeadPassing
		}
	}
}

// marked judges what follows a word with a colon or a question mark, and reports whether the word has one.
func (y *sentenceReader) marked(to int) bool {
	switch c := y.Text[to-1]; {
	case c == ':':
		y.value(to, judge.LeadSign)
	case c == '?':
		y.value(to, judge.LeadBeside)
	default:
		return false
	}
	return true
}

// leadAfterComma returns how strongly the words after a comma lead to a password, and where they end: "the password of
// the lab, it's …", "it asks for a password, type …", "I changed the password, now it is …".
func (y *sentenceReader) leadAfterComma(at int) (judge.Lead, int) {
	word, at := y.word(at)
	now := value.InList(word, meanwhile)
	if now {
		word, at = y.word(at)
	}
	switch {
	case value.InList(word, " it's its c'est é è es "), now && y.verb(word) == judge.LeadVerb:
		return judge.LeadVerb, at
	case value.InList(word, typing):
		return judge.LeadTowards, at
	}
	return judge.LeadPassing, at
}

// word returns the word after an offset, and where it ends.
func (y *sentenceReader) word(at int) (string, int) {
	at = judge.SkipBlanks(y.Text[:y.limit], at)
	to := y.wordEnd(at)
	return value.LowerASCII(y.Text[at:to]), to
}

// wordAfterApposition judges the word after such words, and reports whether there are any.
func (y *sentenceReader) wordAfterApposition(at int) bool {
	how, at := y.leadAfterComma(at)
	if how > judge.LeadPassing {
		y.value(at, how)
	}
	return how > judge.LeadPassing
}

// elliptic lists starts of clauses that omit the noun: "and the new one is …", "e a do roteador é …", ", das vom Router
// …".
const elliptic = "a do |a da |o do |o da |la del |la de |el del |el de |quella de|quello de|celui d|celle d|das vom " +
	"|das von |das für|die vom |die von |die für|der vom |die van |dat van |det til|den til|to do |a k |a ke |a od |a " +
	"от |и от "

// nextPassword reads the next password of a sentence that revealed one.
func nextPassword(s *scan.Scanner, noun, spans int, native bool) {
	const most = 10 // words
	if len(s.Spans) == spans {
		return
	}
	at := judge.SkipClosers(s.Text, s.Spans[len(s.Spans)-1].End)
	y := sentenceReader{Scanner: s, noun: noun, at: at, limit: min(len(s.Text), at+maxSentence/2), native: native}
	if n := strings.IndexByte(y.Text[at:y.limit], '\n'); n >= 0 {
		y.limit = at + n
	}
	rest := y.Text[at:y.limit]
	listed := strings.HasPrefix(rest, ",")
	words := judge.FieldSpans(y.Text, at+len(rest)-len(strings.TrimLeft(rest, ",")), y.limit)
	words = words[:min(len(words), most)]
	if len(words) > 0 &&
		value.InList(value.LowerASCII(y.Text[words[0][0]:words[0][1]]), " and und y e et en och og i и & ") {
		listed, words = true, words[1:]
	}
	if !listed || len(words) < 3 || !y.startsClause(words) {
		return
	}
	for _, w := range words[1:] {
		word := value.LowerASCII(y.Text[w[0]:w[1]])
		if how := y.verb(word); how >= judge.LeadSign {
			y.value(w[1], max(how, judge.LeadSign))
			return
		}
		if w != words[1] && y.judged(w[0], w[1], judge.LeadSign) || !y.describesPurpose(w[1]) && y.Text[w[1]-1] != ')' {
			return
		}
	}
}

// startsClause reports whether words start such a clause.
func (y *sentenceReader) startsClause(words [][2]int) bool {
	clause := value.LowerASCII(y.Text[words[0][0]:words[len(words)-1][1]])
	for begin := range strings.SplitSeq(elliptic, "|") {
		if strings.HasPrefix(clause, begin) {
			return true
		}
	}
	i := strings.Index(clause, " one ")
	return i > 0 && i < 32 && value.InList(clause[:strings.IndexByte(clause, ' ')], " the new old other ")
}

// oldAndNew redacts two passwords, the old and the new, with a word of a list between them, and reports whether they
// are there. Only the new one must not be a word.
func (y *sentenceReader) oldAndNew(at int, between string) bool {
	words := judge.FieldSpans(y.Text, at, min(y.limit, at+96))
	if len(words) < 3 || !value.InList(value.LowerASCII(y.Text[words[1][0]:words[1][1]]), between) {
		return false
	}
	from, to := y.trimMarks(words[0][0], words[0][1])
	start, end := y.trimMarks(words[2][0], words[2][1])
	after := judge.SpellingOf(y.Text[start:end])
	if !after.PasswordAfter(judge.LeadTowards, y.native, y.closes(end)) {
		return false
	}
	scan.Add(y.Scanner, from, to, scan.RulePassword)
	scan.Add(y.Scanner, start, end, scan.RulePassword)
	return true
}

// trimMarks removes the marks around a word that may surround a password.
func (y *sentenceReader) trimMarks(from, to int) (int, int) {
	for from < to && strings.IndexByte("\"'`*(", y.Text[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte("\"'`*,.;:)?", y.Text[to-1]) >= 0 {
		to--
	}
	return from, to
}

// skipBrackets skips brackets between a noun and what leads to the value.
func (y *sentenceReader) skipBrackets(at int) int {
	if at >= y.limit || y.Text[at] != '(' {
		return at
	}
	if n := strings.IndexAny(y.Text[at:min(y.limit, at+40)], ")="); n > 0 && y.Text[at+n] == ')' {
		return judge.SkipBlanks(y.Text[:y.limit], at+n+1)
	}
	return at
}

// joinsWords is a quick check for words joined by signs, and for a word of another alphabet with a number.
func joinsWords(word string) bool {
	joints, upper, digits := 0, 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c == '-' || c == '_' || c == '.':
			joints++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return joints > 1 || joints > 0 && upper > 1 || digits > 1 && word[0] >= 0x80
}

// sign reads a sign that leads to the value, and returns its length.
func (y *sentenceReader) sign() (int, judge.Lead) {
	rest := y.Text[y.at:y.limit]
	if rest == "" || rest[0] < 0x80 && strings.IndexByte(":=-", rest[0]) < 0 {
		return 0, 0
	}
	for _, sign := range []string{": ", "= ", "=> ", "- ", "-> ", "— ", "– ", "→ ", "：", "→"} {
		if strings.HasPrefix(rest, sign) {
			return len(sign), judge.LeadSign
		}
	}
	if y.native && y.at-y.noun < 8 {
		for _, particle := range []string{"는 ", "은 ", "は", "是", "為", "为", "คือ"} {
			if strings.HasPrefix(rest, particle) {
				return len(particle), judge.LeadVerb
			}
		}
	}
	return 0, 0
}

// statement reports whether a noun and the sign after it start a line of a program: its value is judged as an
// assignment.
func (y *sentenceReader) statement() bool {
	sign := y.Text[y.at]
	if sign != '=' && (sign != ':' || y.native) {
		return false
	}
	from, _ := judge.NameAt(y.Text, y.noun)
	before := y.Text[value.LineStart(y.Text, from, 48):from]
	if sign == ':' {
		return before != "" && strings.TrimLeft(before, " \t") == ""
	}
	before = strings.Trim(before, " \t$@#/-")
	return before == "" || value.InList(before, " let var val const my local export set final private public static ")
}

// verbs lead to a value; native ones are other words in English.
const (
	verbs       = " is ist est c'est es é è er är war wäre je jest este és adalah là literally "
	fromWhat    = " from von de van från fra da od z из "
	nativeVerbs = " là on to e е es це это є é ir yra είναι היא הוא هي هو है да "
	laterVerbs  = " be was will era será sera sarà était var bylo było bude będzie volt fost "
	ofWhat      = " for of to the our my your from on in at für von vom zum zur am auf der den dem die das des de du " +
		"del della dello dell do da dos el la le les los para pour per voor van het til av på från för till k ke na do od " +
		"u za pro z ze dla от для на к до з із у за в от untuk di "
	wordings    = " lautet heißt heisst "
	towardsOnes = " to auf zu in a pour en na på naar à til op na în la ke em para "
	typing      = " type enter use say answer tippe gib eingeben introduce escribe pon tape entre saisis digita " +
		"inserisci digite messo puesto wpisz podaj zadej skriv typ gebruik введи вводи "
	turning   = " changed rotated updated reset "
	meanwhile = " now is jetzt nun still ahora ora agora nu teraz teď сейчас теперь зараз teraz тепер dann aktuell " +
		"literally just actually simply once again also jak такой такая: "
)
