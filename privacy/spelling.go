package privacy

import (
	"strings"
	"unicode"
)

// spelling is how a word of a sentence is written.
type spelling struct {
	text                    string
	runes, letters, upper   int
	digits, symbols, joints int
	parts, shortest, capped int  // what the joints join, and those with a capital in front
	humps                   int  // words of it that begin with a capital
	joint                   rune // what joins, -1 when it is not always the same
	marked, distant, odd    bool // letters with accents; of other alphabets; what passwords hardly have
}

func spellingOf(v string) spelling {
	sp := spelling{text: v, shortest: len(v)}
	part, last := 0, rune(0)
	end := func() {
		sp.parts++
		sp.shortest = min(sp.shortest, part)
		part = 0
	}
	for _, c := range v {
		sp.runes++
		switch {
		case c == '-' || c == '_' || c == '.':
			sp.joined(c)
			end()
		case unicode.IsLetter(c) || unicode.IsMark(c):
			part++
			sp.letter(c, last, part == 1)
		case c >= '0' && c <= '9':
			part++
			sp.digits++
		case strings.ContainsRune("!#$%&*+?^~@", c):
			sp.symbols++
		default:
			sp.odd = true
		}
		sp.odd = sp.odd || unicode.Is(unicode.Hiragana, c)
		last = c
	}
	end()
	return sp
}

func (sp *spelling) joined(c rune) {
	if sp.joints++; sp.joints > 1 && c != sp.joint {
		sp.joint = -1
		return
	}
	sp.joint = c
}

func (sp *spelling) letter(c, last rune, first bool) {
	sp.letters++
	if c >= 0x80 {
		sp.marked = sp.marked || unicode.Is(unicode.Latin, c)
		sp.distant = sp.distant || !unicode.Is(unicode.Latin, c)
	}
	if !unicode.IsUpper(c) {
		return
	}
	sp.upper++
	if first {
		sp.capped++
	}
	if first || unicode.IsLower(last) {
		sp.humps++
	}
}

// plain reports whether a word is letters alone.
func (sp *spelling) plain() bool { return sp.letters == sp.runes }

// handsOver reports whether a sentence that leads to a word so strongly can only
// mean a password by it; closed when nothing goes on to describe it.
func (sp *spelling) handsOver(how lead, native, closed bool) bool {
	v := sp.text
	if sp.runes < 6 || sp.runes > 64 || dummy(v) || pathLike(v) || sp.address() {
		return false
	}
	switch {
	case how >= leadBeside && heldOut(v):
		return true
	case sp.odd || sp.letters < 3 || typeName(v) || how < leadBeside && (!native || sp.joints == 0 && !sp.distant):
		return false
	case sp.digits > 0 && sp.joints == 0:
		return sp.numbered(how, native, closed)
	case sp.symbols > 0:
		return false
	case sp.joints > 0:
		return sp.joinedWords(how, native, closed)
	}
	return sp.oneWord(how, native, closed)
}

// joinedPassword reports whether a word is several ones that only a password joins:
// three or more, or two with capitals.
func joinedPassword(v string) bool {
	sp := spellingOf(v)
	return sp.joints > 0 && sp.digits == 0 && (sp.parts > 2 || sp.capped == 2 && sp.joint != '-') && sp.handsOver(leadBeside, false, true)
}

// address reports whether a word is one of mail.
func (sp *spelling) address() bool {
	i := strings.IndexByte(sp.text, '@')
	return i > 0 && strings.Contains(sp.text[i:], ".")
}

// numbered judges letters with digits: hasenfuss0815, but not server1.
func (sp *spelling) numbered(how lead, native, closed bool) bool {
	if (how < leadBeside && !(how == leadBehind && sp.distant && sp.digits > 1 && sp.symbols == 0 && closed)) || sp.letters+sp.symbols < 5 || sp.upper == sp.letters || sp.ordinary() || !pickedForm(sp.text) && !sp.distant && !sp.marked {
		return false
	}
	if sp.distant || sp.symbols > 0 {
		return !digit(sp.text[0]) && sp.letters < 20 && (sp.digits > 1 || how > leadBeside) && (sp.symbols > 0 || digit(sp.text[len(sp.text)-1]))
	}
	return closed && (how >= leadTowards && (sp.digits > 1 || sp.letters > 6) || native && sp.digits > 1)
}

// joinedWords judges words that a sign joins.
func (sp *spelling) joinedWords(how lead, native, closed bool) bool {
	if sp.joint < 0 || sp.shortest == 0 || sp.letters < 7 || sp.letters < 8 && sp.capped < 2 || sp.upper == sp.letters || sp.digits > 3 || !sp.ownWords(native && how >= leadSign) {
		return false
	}
	capped := sp.capped == sp.parts || sp.humps > 2
	switch {
	case sp.parts > 5, sp.distant && sp.joint == '-' && sp.parts < 3, sp.joint == '-' && sp.describing(native):
		return false
	case sp.digits > 0:
		return sp.letters > sp.parts*3 && closed && how >= leadBeside && (sp.parts > 2 || capped || how > leadTowards)
	case sp.parts > 2:
		return how >= leadBeside || capped && sp.joint != '-' || how == leadBehind && closed && (sp.joint != '.' || len(sp.text)-strings.LastIndexByte(sp.text, '.') > 5)
	case sp.shortest < 3:
		return false
	case capped && sp.joint != '-':
		return closed || native || how >= leadTowards
	case how < leadBeside || !closed:
		return false
	case sp.joint == '.':
		return (sp.shortest > 3 || how >= leadVerb) && (sp.letters > 9 || native && how >= leadVerb)
	case sp.distant:
		return true
	}
	return (how >= leadVerb || native && sp.joint == '_') && sp.letters > 9
}

// ownWords reports whether the words are not those of programs or of messages; in
// a row of many one may be, or of three in another language.
func (sp *spelling) ownWords(native bool) bool {
	n := sp.ordinaryWords()
	return n == 0 || n == 1 && (sp.parts > 3 || native && sp.parts == 3 && sp.joint == '-')
}

// oneWord judges letters alone.
func (sp *spelling) oneWord(how lead, native, closed bool) bool {
	if !closed || sp.distant || sp.letters < 9 || sp.upper == sp.letters || sp.ordinary() {
		return false
	}
	if sp.humps > 1 && sp.capped > 0 {
		return how >= leadVerb || how == leadSign && native
	}
	if sp.marked || sp.humps > 1 {
		return false
	}
	switch how {
	case leadSign:
		if !native && sp.upper == 0 && unlikeWords(sp.text) {
			return true
		}
	case leadWording:
		return !sp.describes()
	case leadVerb:
		return !sp.describes() && (!native || sp.letters > 9 && !describesNative(sp.text))
	}
	return !native && sp.upper == 0 && sp.letters >= 16 && !sp.describes()
}

// ordinary reports whether one of the words is one of programs, of messages or of
// what is said of passwords.
func (sp *spelling) ordinary() bool { return sp.ordinaryWords() > 0 }

// ordinaryWords counts them.
func (sp *spelling) ordinaryWords() int {
	low := strings.ToLower(sp.text)
	if in(low, remarks) {
		return sp.parts
	}
	var room [maxWords]string
	words := nameWords(sp.text, room[:0])
	if sp.marked || sp.distant {
		words = strings.FieldsFunc(low, func(c rune) bool { return strings.ContainsRune("-_.0123456789", c) })
	}
	found := 0
	for n, w := range words {
		if n > 0 && n < len(words)-1 && len(w) < 4 && !in(w, hardly) && (len(words) < 4 || !smallWords[w]) {
			continue
		}
		if smallWords[w] || in(w, hardly) || in(w, prepositions) || in(w, remarks) || in(w, techWords) || in(w, kindWords) || in(w, partWords) || in(w, examples) || in(w, codeWords) || in(w, programWords) || keyStrength(w) != notSecret {
			found++
		}
	}
	return found
}

// hardly are short words that join others to descriptions: out-of-date, opt-in.
const hardly = " up out end one off non not pre too self two well high low per state read write case app get set api web dev env sql ssh url uri ssl tls jwt aws gcp key pin max min log db id ui os ip io cli sdk tmp bin lib src etc usr var new old full half hard soft auto multi cross semi anti "

// prepositions begin and end them.
const prepositions = " by to in of on at as "

// techWords are names of programs, of formats and of what they are about.
const techWords = " postgres postgresql mysql mariadb redis mongo mongodb oracle ubuntu debian python kotlin node nodejs windows android kafka rabbitmq elastic elasticsearch jenkins gitlab github grafana keycloak vault terraform docker compose kubernetes bitwarden keepass lastpass onepassword keychain keyring openssl openssh postfix dovecot nextcloud wordpress cloud cluster gateway frontend backend kernel socket endpoint webhook pipeline runner branch commit merge issue ticket bcrypt scrypt sha hash hashes utf ascii unicode javascript typescript localhost base argon md aes rsa "

// remarks are what sentences say of passwords.
const remarks = " something anything nothing everything whatever somewhere elsewhere sometimes yesterday nowhere somehow backwards lowercase uppercase cleartext plaintext ciphertext klartext metadata obsolete duplicate everywhere nonsense gibberish mandatory obligatoire obligatoria obligatorio obrigatória obligatorisk obligatoriskt pflichtfeld pflichtangabe vertraulich geheimsache chefsache erforderlich ungültig incorrecta incorrecto incorrecte incorrectă errata necesaria requerida vereist verplicht onjuist verlopen påkrævet udløbet forkert felaktigt pakollinen vanhentunut neplatné povinné zašifrované prošlé nieprawidłowe wymagane wygasło błędne kötelező érvénytelen hibás zorunlu geçersiz wajib salah sementara goodness important different identical available unchanged compromised guessable redundant ambiguous hardcoded "

// describes reports whether a word, or the last of several, ends as those do that
// say how something is.
func (sp *spelling) describes() bool { return describedSo(sp.text) }

func describedSo(v string) bool {
	v = lowerASCII(v)
	if described(v) {
		return true
	}
	return endsAs(v, "ed ing able ible ive ous ent ant ic ics ical al ful less ary ory ly ised ized tion tions ment ness ity ism ist ology wide side only based free proof safe like style ready aware friendly specific date time")
}

// describing reports whether words that dashes join say how something is.
func (sp *spelling) describing(native bool) bool {
	if !native {
		return sp.describes()
	}
	return sp.parts < 3 && (sp.describes() || describesNative(sp.text))
}

// stems begin what is said of passwords in many languages.
const stems = "incor inkor inval oblig obrig neces con com kom des ident facul temp perm provi person config defin gener modif valid crypt encri cript krypt krip cifr chiff sensi vulner autom autog docum secur segur sicur stand ver"

// describesNative is the same for other languages that use letters of Latin.
func describesNative(v string) bool {
	low := lowerASCII(v)
	for stem := range strings.SplitSeq(stems, " ") {
		if strings.HasPrefix(low, stem) {
			return true
		}
	}
	return endsAs(low, "ica ico ado ada ido ida ato ata ito ita uto uta bile vel nte ivo iva rio ria rie oso osa cto cta ibil abil ne na no ny ty wy we lo t isk lig ig lijk baar loos erd eld igd en tu ty tt va nut ut tud kas lik as kan la ton ad ssa isch sache ade vol kt nie end nnt")
}

// endsAs reports whether a word ends with one of those of a list.
func endsAs(v, list string) bool {
	for end := range strings.SplitSeq(list, " ") {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}
