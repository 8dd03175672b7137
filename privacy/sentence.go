package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence that gives a password away is a noun for one, what it is for, what
// leads on (a verb, a sign, a quotation mark, nothing), the value, and what ends
// the clause. How strongly it leads on decides how much the value may look like a
// word of the sentence.

// lead is how strongly a sentence leads to the word behind it.
type lead uint8

const (
	leadPassing lead = iota // it stands somewhere behind the noun
	leadBehind              // behind a word that says what the password is for
	leadBeside              // right behind the noun
	leadTowards             // behind "to" of a change, behind "type"
	leadSign                // behind a colon, a dash, an arrow
	leadVerb                // behind a verb such as "is"
	leadWording             // behind one that only a wording follows
)

const (
	maxSentence  = 160 // bytes behind a noun that are read
	maxQualified = 9   // words that say what it is for
)

// saying reads the sentence behind a noun for a password.
type saying struct {
	*scanner
	noun, at, limit int
	native          bool // the noun is none of English or of programs
}

// said redacts the password that the sentence behind a noun gives away, and
// reports whether there is one.
func (s *scanner) said(end int, native bool) bool {
	spans := len(s.spans)
	y := saying{scanner: s, noun: end, at: end, limit: min(len(s.text), end+min(maxSentence, s.reach())), native: native}
	if n := strings.IndexByte(s.text[end:y.limit], '\n'); n >= 0 {
		y.limit = end + n
	}
	if y.begins() {
		y.read()
		s.further(end, spans, native)
		s.followed += y.at - end
	}
	return len(s.spans) > spans
}

// english reports whether a noun for a password is one of English, or of all.
func english(noun string) bool {
	if suffixFold(noun, "key") || suffixFold(noun, "secret") {
		return true
	}
	return namesPassword(noun) && !beginsFold(noun, "w") && !beginsFold(noun, "s")
}

// inSentence reports whether a name is a word of a sentence, and goes on as one.
func (s *scanner) inSentence(n *called) bool {
	if n.to >= len(s.text) || s.text[n.to] < 0x80 && strings.IndexByte(" :=,*\"'`", s.text[n.to]) < 0 {
		return false
	}
	name := s.text[n.from:n.to]
	for i := 1; i < len(name); i++ {
		if c := name[i]; c == '_' || c == '.' || c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			return false // a name of a program
		}
	}
	return true
}

// begins skips the ending of the noun and what closes it, and reports whether a
// sentence may go on there.
func (y *saying) begins() bool {
	if y.native {
		y.inflected()
	}
	text := y.text[:y.limit]
	if strings.HasPrefix(text[y.at:], "'s ") {
		y.at += len("'s")
		return !y.owned() || !y.numberedPhrase(y.at)
	}
	shut := closers(text, y.at)
	y.at = aside(text, shut, false)
	if y.at >= y.limit || shut > y.noun && strings.IndexByte("\"'", text[shut-1]) >= 0 && text[y.at] != ' ' {
		return false // a key in quotes
	}
	switch c := text[y.at]; c {
	case ' ', ':', '=', '?':
		return true
	case ',':
		how, _ := y.leadsOn(y.at + 1)
		return how > leadPassing
	default:
		return c >= 0x80
	}
}

// inflected skips the ending of a noun in an alphabet whose words have one.
func (y *saying) inflected() {
	for range 5 {
		c, n := utf8.DecodeRuneInString(y.text[y.at:y.limit])
		if !unicode.In(c, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew) || c < 0x80 && y.text[y.at-1] < 0x80 {
			return
		}
		y.at += n
	}
}

func (y *saying) read() {
	how := leadBeside
	switch c := y.text[y.at]; {
	case c == '?':
		y.value(y.at+1, leadBeside)
		return
	case c == ',':
		y.apposed(y.at + 1)
		return
	case c >= 0x80:
		how = leadPassing // no blank: the word of the noun goes on
	}
	for range maxQualified {
		y.at = y.remark(blanks(y.text[:y.limit], y.at))
		if n, l := y.sign(); n > 0 {
			if how < leadBeside || !y.statement() {
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
		word := lowerASCII(y.text[y.at:to])
		if l := y.verb(word); l > leadPassing {
			y.value(to, l)
			return
		}
		if in(word, fromWhat) && y.changes() && y.turned(to, towardsOnes) || y.text[to-1] == ',' && y.apposed(to) {
			return
		}
		if (how >= leadBeside || y.native && joinsWords(y.text[y.at:to])) && y.judged(y.at, to, how) {
			return
		}
		if y.marked(to) || !y.goesOn(to) {
			return
		}
		if y.at = to; how != leadBeside || !in(word, meanwhile) {
			how = leadBehind
		}
		if in(word, ofWhat) {
			how = leadPassing
		}
	}
}

// marked judges what stands behind a word with a colon or a question mark, and
// reports whether it has one.
func (y *saying) marked(to int) bool {
	switch c := y.text[to-1]; {
	case c == ':' && y.formerly(to):
	case c == ':':
		y.value(to, leadSign)
	case c == '?':
		y.value(to, leadBeside)
	default:
		return false
	}
	return true
}

// leadsOn is how strongly the words behind a comma lead to a password, and where
// they end: "the password of the lab, it's …", "it asks for a password, type …",
// "I changed the password, now it is …".
func (y *saying) leadsOn(at int) (lead, int) {
	word, at := y.word(at)
	now := in(word, meanwhile)
	if now {
		word, at = y.word(at)
	}
	switch {
	case in(word, " it's its c'est é è es "), now && y.verb(word) == leadVerb:
		return leadVerb, at
	case in(word, typing):
		return leadTowards, at
	}
	return leadPassing, at
}

// word returns the word behind an offset, and where it ends.
func (y *saying) word(at int) (string, int) {
	at = blanks(y.text[:y.limit], at)
	to := y.wordEnd(at)
	return lowerASCII(y.text[at:to]), to
}

// apposed judges the word behind such ones, and reports whether there are some.
func (y *saying) apposed(at int) bool {
	how, at := y.leadsOn(at)
	if how > leadPassing {
		y.value(at, how)
	}
	return how > leadPassing
}

// elliptic begins a part of a sentence that leaves the noun out: "and the new one
// is …", "e a do roteador é …", ", das vom Router …".
const elliptic = "a do |a da |o do |o da |la del |la de |el del |el de |quella de|quello de|celui d|celle d|das vom |das von |das für|die vom |die von |die für|der vom |die van |dat van |det til|den til|to do |a k |a ke |a od |a от |и от "

// further reads the next password of a sentence that gave one away.
func (s *scanner) further(noun, spans int, native bool) {
	const most = 10 // words
	if len(s.spans) == spans {
		return
	}
	at := closers(s.text, s.spans[len(s.spans)-1].end)
	y := saying{scanner: s, noun: noun, at: at, limit: min(len(s.text), at+maxSentence/2), native: native}
	if n := strings.IndexByte(y.text[at:y.limit], '\n'); n >= 0 {
		y.limit = at + n
	}
	rest := y.text[at:y.limit]
	listed := strings.HasPrefix(rest, ",")
	words := fieldSpans(y.text, at+len(rest)-len(strings.TrimLeft(rest, ",")), y.limit)
	words = words[:min(len(words), most)]
	if len(words) > 0 && in(lowerASCII(y.text[words[0][0]:words[0][1]]), " and und y e et en och og i и & ") {
		listed, words = true, words[1:]
	}
	if !listed || len(words) < 3 || !y.leavesOut(words) {
		return
	}
	for _, w := range words[1:] {
		word := lowerASCII(y.text[w[0]:w[1]])
		if how := y.verb(word); how >= leadSign || strings.HasSuffix(word, ":") {
			y.value(w[1], max(how, leadSign))
			return
		}
		if w != words[1] && y.judged(w[0], w[1], leadSign) || !y.goesOn(w[1]) && y.text[w[1]-1] != ')' {
			return
		}
	}
}

// leavesOut reports whether words begin as such a part of a sentence does.
func (y *saying) leavesOut(words [][2]int) bool {
	clause := lowerASCII(y.text[words[0][0]:words[len(words)-1][1]])
	for begin := range strings.SplitSeq(elliptic, "|") {
		if strings.HasPrefix(clause, begin) {
			return true
		}
	}
	i := strings.Index(clause, " one ")
	return i > 0 && i < 32 && in(clause[:strings.IndexByte(clause, ' ')], " the new old other ")
}

// formerly reads "…: before OLD, now NEW".
func (y *saying) formerly(at int) bool {
	at = blanks(y.text[:y.limit], at)
	to := y.wordEnd(at)
	return in(lowerASCII(y.text[at:to]), " vorher bisher früher previously formerly before avant antes prima voorheen ") && y.turned(to, meanwhile)
}

// turned redacts two passwords of which the one became the other, with a word of a
// list between them, and reports whether they stand there. Only the new one must
// be no word.
func (y *saying) turned(at int, between string) bool {
	words := fieldSpans(y.text, at, min(y.limit, at+96))
	if len(words) < 3 || !in(lowerASCII(y.text[words[1][0]:words[1][1]]), between) {
		return false
	}
	from, to := y.bare(words[0][0], words[0][1])
	start, end := y.bare(words[2][0], words[2][1])
	before, after := spellingOf(y.text[from:to]), spellingOf(y.text[start:end])
	if !after.handsOver(leadTowards, y.native, y.closes(end)) || !before.handsOver(leadVerb, y.native, true) {
		return false
	}
	y.add(from, to, rulePassword)
	y.add(start, end, rulePassword)
	return true
}

// bare takes the marks off a word that may stand around a password.
func (y *saying) bare(from, to int) (int, int) {
	for from < to && strings.IndexByte("\"'`*(", y.text[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte("\"'`*,.;:)?", y.text[to-1]) >= 0 {
		to--
	}
	return from, to
}

// remark skips what stands in brackets between a noun and what leads on.
func (y *saying) remark(at int) int {
	if at >= y.limit || y.text[at] != '(' {
		return at
	}
	if n := strings.IndexAny(y.text[at:min(y.limit, at+40)], ")="); n > 0 && y.text[at+n] == ')' {
		return blanks(y.text[:y.limit], at+n+1)
	}
	return at
}

// joinsWords is a quick look for words that signs join to one, and for a word of
// another alphabet with a number.
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

// sign reads what leads on without being a word, and returns its length.
func (y *saying) sign() (int, lead) {
	rest := y.text[y.at:y.limit]
	if rest == "" || rest[0] < 0x80 && strings.IndexByte(":=-", rest[0]) < 0 {
		return 0, 0
	}
	for _, sign := range []string{": ", "= ", "=> ", "- ", "-> ", "— ", "– ", "→ ", "：", "→"} {
		if strings.HasPrefix(rest, sign) {
			return len(sign), leadSign
		}
	}
	if y.native && y.at-y.noun < 8 {
		for _, particle := range []string{"는 ", "은 ", "は", "是", "為", "为", "คือ"} {
			if strings.HasPrefix(rest, particle) {
				return len(particle), leadVerb
			}
		}
	}
	return 0, 0
}

// statement reports whether a noun and the sign behind it begin a line as those of
// programs do: what they hold is judged as an assignment.
func (y *saying) statement() bool {
	sign := y.text[y.at]
	if sign != '=' && (sign != ':' || y.native) {
		return false
	}
	from, _ := nameAt(y.text, y.noun)
	before := y.text[lineStart(y.text, from, 48):from]
	if sign == ':' {
		return before != "" && strings.TrimLeft(before, " \t") == ""
	}
	before = strings.Trim(before, " \t$@#/-")
	return before == "" || in(before, " let var val const my local export set final private public static ")
}

// verbs lead to what something is; native ones are other words in English.
const (
	verbs       = " is ist est c'est es é è er är war wäre je jest este és adalah là literally "
	fromWhat    = " from von de van från fra da od z из "
	nativeVerbs = " là on to e е es це это є é ir yra είναι היא הוא هي هو है да "
	laterVerbs  = " be was will era será sera sarà était var bylo było bude będzie volt fost "
	ofWhat      = " for of to the our my your from on in at für von vom zum zur am auf der den dem die das des de du del della dello dell do da dos el la le les los para pour per voor van het til av på från för till k ke na do od u za pro z ze dla от для на к до з із у за в от untuk di "
	wordings    = " lautet heißt heisst "
	towardsOnes = " to auf zu in a pour en na på naar à til op na în la ke em para "
	typing      = " type enter use say answer tippe gib eingeben introduce escribe pon tape entre saisis digita inserisci digite messo puesto wpisz podaj zadej skriv typ gebruik введи вводи "
	turning     = " changed rotated updated reset "
	meanwhile   = " now is jetzt nun still ahora ora agora nu teraz teď сейчас теперь зараз teraz тепер dann aktuell literally just actually simply once again also jak такой такая: "
)

const longestVerb = len("είναι")

// verb is how strongly a word leads to the next.
func (y *saying) verb(word string) lead {
	word = strings.TrimRight(word, ":")
	switch {
	case len(word) > longestVerb:
		return leadPassing
	case in(word, verbs), y.native && in(word, nativeVerbs):
		y.native = y.native || !in(word, " is literally ") // the sentence is none of English
		return leadVerb
	case in(word, wordings):
		return leadWording
	case in(word, laterVerbs):
		return leadSign
	case y.native && !ascii(word) && endsAs(word, "为 為 是 成 는 은"):
		return leadTowards
	case in(word, typing), in(word, towardsOnes) && y.changes(), word == "its" && y.mistyped():
		return leadTowards
	}
	return leadPassing
}

// mistyped reports whether an "its" stands where "it is" is meant: behind a noun.
func (y *saying) mistyped() bool {
	words := strings.Fields(y.text[y.noun:max(y.noun, y.at)])
	return len(words) == 0 || !in(lowerASCII(words[len(words)-1]), " and or with of by but in for to from the as at on that ")
}

// changes reports whether a sentence says that a password becomes another.
func (y *saying) changes() bool {
	around := lowerASCII(y.text[lineStart(y.text, y.noun, 64):y.at])
	after := lowerASCII(y.text[y.at:y.limit])
	for _, w := range []string{"set ", "chang", "reset", "updat", "rotat", "geänd", "cambi", "mud", "alter", "troqu", "zmieni", "změni", "ändra", "endre", "ændre", "vaihd", "wijzig", "verander", "schimb", "promijen", "promen", "ganti"} {
		if strings.Contains(around, w) {
			return true
		}
	}
	return strings.Contains(after, " gesetzt") || strings.Contains(after, " setzen") || strings.Contains(after, " ändern") || strings.Contains(after, " geändert") || strings.Contains(after, " gezet")
}

// goesOn reports whether a sentence goes on behind a word as one that says what
// a password is for.
func (y *saying) goesOn(to int) bool {
	if to >= y.limit {
		return false
	}
	return strings.IndexByte(",.;?!(){}<>|\"", y.text[to-1]) < 0 && strings.IndexByte("(){}<>|[]\"", y.text[to]) < 0
}

// wordEnd is where the word ends that begins at an offset.
func (y *saying) wordEnd(at int) int {
	for at < y.limit && !isSpace(y.text[at]) {
		if y.text[at] >= 0x80 && y.bounds(at) {
			break
		}
		at++
	}
	return at
}

// bounds reports whether a sign stands at an offset that ends words, and is none
// of ASCII.
func (y *saying) bounds(at int) bool {
	for _, mark := range []string{"，", "。", "、", "：", "；", "！", "？", "（", "）", "「", "」", "『", "』", "«", "»", "“", "”", "„", "‘", "→", "—", "–", "،", "…", "।"} {
		if strings.HasPrefix(y.text[at:y.limit], mark) {
			return true
		}
	}
	return false
}

// value judges the word behind what leads to it.
func (y *saying) value(at int, how lead) {
	for range 3 {
		at = blanks(y.text[:y.limit], at)
		if y.quoted(at, how) {
			return
		}
		if how >= leadVerb && y.owned() && y.numberedPhrase(at) {
			return
		}
		to := y.wordEnd(at)
		word := lowerASCII(y.text[at:to])
		if in(word, fromWhat) && y.changes() && y.turned(to, towardsOnes) {
			return
		}
		if in(word, wordings) {
			how = leadWording
		} else if how == leadSign && y.native && in(word, nativeVerbs) || in(word, verbs) {
			how = leadVerb
		} else if !in(strings.TrimRight(word, ":"), meanwhile) && !(how == leadSign && in(word, laterVerbs)) && !(how == leadVerb && y.verb(word) == leadTowards) && !(how == leadSign && in(word, turning)) {
			y.judged(at, to, how)
			return
		}
		at = to
	}
}

// judged redacts a word if the sentence can only mean a password by it.
func (y *saying) judged(at, to int, how lead) bool {
	at, to = y.bare(at, to-y.particle(at, to))
	word := y.text[at:to]
	if len(word) < 6 || technical(word) || how < leadSign && strings.HasPrefix(y.text[to:], "...") {
		return false
	}
	sp := spellingOf(word)
	if how >= leadSign && y.distantNoun() && !sp.distant {
		how = min(how+1, leadWording) // in letters of another alphabet hardly anything is described
	}
	if how == leadSign && y.abbreviated() {
		how = leadVerb
	}
	if how == leadBeside && sp.plain() && y.behindAccount(word) && y.closes(to) && !sp.ordinary() && !sp.describes() && sp.upper < sp.letters {
		y.add(at, to, rulePassword)
		return true
	}
	if how == leadBeside && sp.joints == 1 && y.behindAccount(word) && y.closes(to) {
		how = leadVerb
	}
	if how == leadBeside && sp.plain() && !strings.HasSuffix(y.text[:y.noun], "phrase") {
		return false
	}
	native := y.native
	if !sp.handsOver(how, native, y.closes(to)) && !y.prompted(sp, at, to, how) {
		return false
	}
	y.add(at, to, rulePassword)
	return true
}

// abbreviated reports whether the noun is one that only notes have: no form and
// no message is labelled so.
func (y *saying) abbreviated() bool {
	from, _ := nameAt(y.text, y.noun-1)
	return in(lowerASCII(y.text[from:y.noun]), " mdp ww ")
}

// behindAccount reports whether an account and a word or a comma that joins stand
// before the noun: "ann@10.0.0.1, pw …", "con root y clave …".
func (y *saying) behindAccount(v string) bool {
	from := y.noun
	for from > 0 && y.noun-from < 24 && y.text[from-1] > ' ' {
		from--
	}
	if foreign := y.native || suffixFold(y.text[:y.noun], "wort"); foreign && describesNative(v) && !endsAs(v, "ito ita") || endsAs(v, "vacía vacia vazia vuota") {
		return false // what is said of it
	}
	var last, before string
	for word := range strings.FieldsSeq(y.text[lineStart(y.text, from, 80):from]) {
		before, last = last, word
	}
	account, listed := strings.CutSuffix(last, ",")
	if !listed {
		if !in(lowerASCII(last), " and y und e et en och og i ja и & / ") {
			return false
		}
		account = before
	} else if account = strings.Trim(account, "\"'`„“”«»"); in(lowerASCII(before), " network netz netzwerk ssid wlan wifi wi-fi réseau rete rede red user login username benutzer usuario utilisateur utente gebruiker användare bruker käyttäjä użytkownik ") && !describesNative(v) && wordLike(account) && keyStrength(account) == notSecret && !in(account, kindWords) {
		return true
	}
	return in(account, " root admin administrator postgres oracle sa pi ubuntu ec2-user ") || strings.IndexByte(account, '@') > 0 && !strings.ContainsAny(account, "\"'`<>(){}=;")
}

// distantNoun reports whether the noun is written in another alphabet.
func (y *saying) distantNoun() bool {
	c, _ := utf8.DecodeLastRuneInString(y.text[:y.noun])
	return c >= 0x80 && !unicode.Is(unicode.Latin, c)
}

// particle is the length of what some languages hang at the end of a word.
func (y *saying) particle(at, to int) int {
	if y.text[to-1] < 0x80 {
		return 0
	}
	for _, p := range []string{"입니다.", "입니다", "이에요", "이고", "예요", "です", "だよ"} {
		if strings.HasSuffix(y.text[at:to], p) {
			return len(p)
		}
	}
	return 0
}

// prompted reports whether a word is what was typed behind a question of a
// terminal: "Password for user ann: VALUE", "ann@host's password: VALUE".
func (y *saying) prompted(sp spelling, at, to int, how lead) bool {
	if !sp.plain() || sp.letters < 6 || !y.lineEnd(to) || y.text[at-2] != ':' || sp.ordinary() {
		return false
	}
	question := strings.Fields(y.text[lineStart(y.text, y.noun, 96) : at-2])
	switch n := len(question); {
	case how < leadSign || n > 4 || n < 2:
		return false
	case n > 2 && question[1] == "for":
		return question[0] == "Password" && (n == 4 && question[2] == "user")
	default:
		return n == 2 && strings.HasSuffix(question[0], "'s") && strings.Contains(question[0], "@")
	}
}

// handover redacts what somebody is to type where no noun for a password stands:
// "when sudo asks, type VALUE", "koden til routeren er VALUE".
func (s *scanner) handover(end int) {
	for strings.IndexByte(" :", s.text[end-1]) >= 0 {
		end--
	}
	if end < len(s.text) && latin(s.text[end]) {
		return
	}
	start := end
	for start > 0 && s.text[start-1] != ' ' && s.text[start-1] != '\n' && end-start < 12 {
		start--
	}
	switch word := lowerASCII(s.text[start:end]); {
	case word == "koden" || word == "kode" || word == "ww":
		s.once(end, end, func() { s.said(end, true) })
	case in(word, " with mit met con avec com "):
		s.opensWith(end)
	case !strings.HasPrefix(word, "kode"):
		s.once(end, end, func() { s.said(end, false) })
	}
}

// opensWith redacts what somebody gets in with: "you log in with VALUE".
func (s *scanner) opensWith(end int) {
	at := blanks(s.text, end)
	to := at
	for to < len(s.text) && to-at < 64 && s.text[to] > ' ' {
		to++
	}
	v := strings.Trim(s.text[at:to], "\"'`*,.;:)?")
	if first, _, _ := strings.Cut(lowerASCII(v), "_"); in(first, " google microsoft apple github gitlab azure okta amazon facebook linkedin slack single ") {
		return // who vouches for somebody
	}
	if sp := spellingOf(v); chosen(v) && symbolic(v) && !operands(v) && !sp.address() || markedWord(v) && sp.handsOver(leadTowards, false, true) || sp.parts > 1 && sp.capped > 1 && !strings.HasSuffix(s.text[:end], "opens with") && joinedPassword(v) {
		at += strings.Index(s.text[at:to], v)
		s.add(at, at+len(v), rulePassword)
	}
}

// joining words begin another part of a sentence.
const joining = " and und y et a og och ja en i и та і και و ve dan és și şi si & with mit con avec user username login логин юзер bruger brugernavn gebruiker gebruikersnaam benutzername usernya użytkownik benutzer nhé nha voor usuario utilisateur utente for für pour gesetzt setzen ändern geändert umgestellt gezet veranderd please bitte btw lol fyi thx thanks danke merci gracias — – - // # aber but so then on in at if or when wenn until bis por per для است है द ครับ không "

// closes reports whether the part of a sentence ends at an offset.
func (y *saying) closes(at int) bool {
	if at >= len(y.text) || y.clauseEnd(at) {
		return true
	}
	c := y.text[at]
	if c >= 0x80 {
		return true // letters of another alphabet end a word too
	}
	if c != ' ' {
		return strings.IndexByte("\"'`;*:", c) >= 0
	}
	at = blanks(y.text, at)
	if at >= len(y.text) || strings.IndexByte("(,.;-", y.text[at]) >= 0 || y.text[at] >= 0xE2 {
		return true // a dash, or a language without blanks goes on
	}
	to := at
	for to < len(y.text) && to-at < 24 && !isSpace(y.text[to]) {
		to++
	}
	return in(strings.TrimRight(lowerASCII(y.text[at:to]), ",."), joining)
}

// quotations are the marks of quotations, and what closes each.
var quotations = [][2]string{{"«", "»"}, {"»", "«"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"‘", "’"}, {"‚", "‘"}, {"「", "」"}, {"『", "』"}, {"\"", "\""}}

// quoted redacts a quotation that is a password, and reports whether one begins here.
func (y *saying) quoted(at int, how lead) bool {
	if at >= y.limit || y.text[at] < 0x80 && y.text[at] != '"' || how < leadBeside {
		return false
	}
	for _, q := range quotations {
		if q[0] == "\"" && how < leadVerb {
			continue
		}
		rest, ok := strings.CutPrefix(y.text[at:y.limit], q[0])
		inner, _, shut := strings.Cut(rest, q[1])
		if !ok || !shut {
			continue
		}
		v := strings.TrimSpace(strings.ReplaceAll(inner, "\u00a0", " "))
		if from := at + len(q[0]) + strings.Index(rest, v); v != "" && !technical(v) && (quotedPassword(v, how, y.native) || how >= leadVerb && (strings.HasSuffix(y.text[:y.noun], "phrase") || y.owned()) && quotedPhrase(v)) {
			y.add(from, from+len(v), rulePassword)
		}
		return true
	}
	return false
}

// owned reports whether a sentence speaks of the speaker's own password.
func (y *saying) owned() bool {
	words := strings.Fields(y.text[lineStart(y.text, y.noun, 48):y.noun])
	for _, w := range words[max(0, len(words)-4):] {
		if in(lowerASCII(w), " my our mein meine unser unsere mon ma notre mi nuestra il la mia nostra minha nossa mijn ons mitt mit moje ") {
			return true
		}
	}
	return false
}

// numberedPhrase redacts a few words with a number behind them, as somebody's own
// password: "my password is biscuit tin 1984".
func (y *saying) numberedPhrase(at int) bool {
	const most = 5
	at = blanks(y.text[:y.limit], at)
	for n, w := range fieldSpans(y.text, at, y.limit) {
		word := strings.TrimRight(y.text[w[0]:w[1]], ".,;!")
		switch {
		case n > 1 && integer(word) && len(word) > 1 && (len(word) < w[1]-w[0] || y.closes(w[1])):
			y.add(at, w[0]+len(word), rulePassword)
			return true
		case n == most, len(word) < w[1]-w[0], len(word) < 3, strings.Trim(word, letters) != "":
			return false
		}
		if low := lowerASCII(word); smallWords[low] || in(low, remarks) || in(low, kindWords) || describedSo(low) || keyStrength(low) != notSecret {
			return false
		}
	}
	return false
}

// quotedPhrase reports whether a quotation behind "the passphrase is" is a row of
// words that says nothing of passphrases.
func quotedPhrase(v string) bool {
	words, small := 0, 0
	for word := range strings.FieldsSeq(v) {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || in(word, remarks) || in(word, kindWords) || keyStrength(word) != notSecret {
			return false
		}
		if words++; smallWords[word] {
			small++
		}
	}
	return words > 3 && words < 10 && small*2 <= words
}

// quotedPassword reports whether a quotation behind a noun for a password is one.
func quotedPassword(v string, how lead, native bool) bool {
	if !strings.Contains(v, " ") {
		sp := spellingOf(v)
		return sp.handsOver(max(how, leadSign), true, true) || sp.handsOver(max(how, leadSign), native, true)
	}
	first, _ := utf8.DecodeRuneInString(v)
	if len(v) < 8 || len(v) > 64 || strings.Count(v, " ") > 6 || foreignLabel(v) || how < leadVerb && unicode.IsUpper(first) {
		return false
	}
	low := strings.ToLower(v)
	for _, noun := range foreignWords {
		if strings.Contains(low, noun) {
			return false
		}
	}
	for word := range strings.FieldsSeq(low) {
		for _, c := range word {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '’' && c != '-' {
				return false
			}
		}
		if smallWords[word] || in(word, remarks) || keyStrength(word) != notSecret {
			return false
		}
	}
	return true
}
