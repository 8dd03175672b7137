package judge

import (
	"strings"
	"unicode"

	"keepmum/privacy/value"
)

// Spelling is how a word of a sentence is written.
type Spelling struct {
	text                      string
	runes, Letters, Upper     int
	digits, symbols, Joints   int
	Parts, shortest, Capped   int  // the parts that joints join, and those with a capital at the start
	capitalWords              int  // words in it that start with a capital
	joint                     rune // the joint, -1 if they are not all the same
	marked, NonLatin, unusual bool // letters with accents; of other alphabets; what passwords rarely have
}

func SpellingOf(v string) Spelling {
	sp := Spelling{text: v, shortest: len(v)}
	part, last := 0, rune(0)
	end := func() {
		sp.Parts++
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
			sp.unusual = true
		}
		sp.unusual = sp.unusual || unicode.Is(unicode.Hiragana, c)
		last = c
	}
	end()
	return sp
}

func (sp *Spelling) joined(c rune) {
	if sp.Joints++; sp.Joints > 1 && c != sp.joint {
		sp.joint = -1
		return
	}
	sp.joint = c
}

func (sp *Spelling) letter(c, last rune, first bool) {
	sp.Letters++
	if c >= 0x80 {
		sp.marked = sp.marked || unicode.Is(unicode.Latin, c)
		sp.NonLatin = sp.NonLatin || !unicode.Is(unicode.Latin, c)
	}
	if !unicode.IsUpper(c) {
		return
	}
	sp.Upper++
	if first {
		sp.Capped++
	}
	if first || unicode.IsLower(last) {
		sp.capitalWords++
	}
}

// Plain reports whether a word is only letters.
func (sp *Spelling) Plain() bool { return sp.Letters == sp.runes }

// PasswordAfter reports whether a sentence that leads this strongly to a word can only mean it as a password; closed if
// nothing after it continues the description.
func (sp *Spelling) PasswordAfter(how Lead, native, closed bool) bool {
	v := sp.text
	if sp.runes < 6 || sp.runes > 64 || value.Placeholder(v) || value.PathLike(v) || sp.Address() {
		return false
	}
	switch {
	case how >= LeadBeside && CertainPassword(v):
		return true
	case sp.unusual || sp.Letters < 3 || TypeName(v):
		return false
	case sp.digits > 0 && sp.Joints == 0:
		return sp.numbered(how, closed)
	case sp.symbols > 0:
		return false
	case sp.Joints > 0:
		return sp.joinedWords(how, native, closed)
	}
	return sp.oneWord(how, native, closed)
}

// JoinedPassword reports whether a word consists of words that only a password joins: three or more, or two with
// capitals.
func JoinedPassword(v string) bool {
	sp := SpellingOf(v)
	return sp.Joints > 0 && sp.digits == 0 && (sp.Parts > 2 || sp.Capped == 2 && sp.joint != '-') &&
		sp.PasswordAfter(LeadBeside, false, true)
}

// Address reports whether a word is a mail address.
func (sp *Spelling) Address() bool {
	i := strings.IndexByte(sp.text, '@')
	return i > 0 && strings.Contains(sp.text[i:], ".")
}

// Addressed reports whether a value is a mail address whose name is words and numbers, not a password with an @ in it.
func Addressed(v string) bool {
	name, host, ok := strings.Cut(v, "@")
	return ok && strings.IndexByte(host, '.') > 0 &&
		strings.Trim(value.LowerASCII(host), "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" &&
		strings.Trim(value.LowerASCII(name), "abcdefghijklmnopqrstuvwxyz0123456789-._+") == ""
}

// numbered judges letters with digits: hasenfuss0815, but not server1.
func (sp *Spelling) numbered(how Lead, closed bool) bool {
	if (how < LeadBeside && !(how == LeadBehind && sp.NonLatin && sp.digits > 1 && sp.symbols == 0 && closed)) ||
		sp.Letters+sp.symbols < 5 || sp.Ordinary() || !value.AlnumForm(sp.text) && !sp.NonLatin && !sp.marked {
		return false
	}
	if sp.NonLatin {
		return !value.Digit(sp.text[0]) && sp.Letters < 20 && (sp.digits > 1 || how > LeadBeside) &&
			value.Digit(sp.text[len(sp.text)-1])
	}
	return closed && (how >= LeadTowards && (sp.digits > 1 || sp.Letters > 6))
}

// joinedWords judges words joined by a sign.
func (sp *Spelling) joinedWords(how Lead, native, closed bool) bool {
	if sp.joint < 0 || sp.shortest == 0 || sp.Letters < 7 || sp.Letters < 8 && sp.Capped < 2 || sp.Upper == sp.Letters ||
		sp.digits > 3 || !sp.ownWords() {
		return false
	}
	capped := sp.Capped == sp.Parts
	switch {
	case sp.Parts > 5, sp.NonLatin && sp.joint == '-' && sp.Parts < 3, sp.joint == '-' && sp.describing(native):
		return false
	case sp.digits > 0:
		return sp.Letters > sp.Parts*3 && closed && how >= LeadBeside && (sp.Parts > 2 || how > LeadTowards)
	case sp.Parts > 2:
		return how >= LeadBeside || capped && sp.joint != '-' ||
			how == LeadBehind && closed && (sp.joint != '.' || len(sp.text)-strings.LastIndexByte(sp.text, '.') > 5)
	case sp.shortest < 3:
		return false
	case capped && sp.joint != '-':
		return closed || native || how >= LeadTowards
	case how < LeadBeside || !closed:
		return false
	case sp.joint == '.':
		return (sp.shortest > 3 || how >= LeadVerb) && (sp.Letters > 9 || native && how >= LeadVerb)
	}
	return how >= LeadVerb && sp.Letters > 9
}

// ownWords reports whether programs and messages do not use the words; one of many may be an exception, or one of three
// in another language.
func (sp *Spelling) ownWords() bool {
	n := sp.ordinaryWords()
	return n == 0 || n == 1 && sp.Parts > 3
}

// oneWord judges a word of only letters.
func (sp *Spelling) oneWord(how Lead, native, closed bool) bool {
	if !closed || sp.NonLatin || sp.Letters < 9 || sp.Ordinary() {
		return false
	}
	if sp.capitalWords > 1 && sp.Capped > 0 {
		return how >= LeadVerb || how == LeadSign && native
	}
	if sp.marked {
		return false
	}
	switch how {
	case LeadSign:
		if !native && sp.Upper == 0 && value.RandomLetters(sp.text) {
			return true
		}
	case LeadWording:
		return !sp.Describes()
	case LeadVerb:
		return !sp.Describes() && (!native || sp.Letters > 9 && !DescribesNative(sp.text))
	}
	return !native && sp.Upper == 0 && sp.Letters >= 16 && !sp.Describes()
}

// Ordinary reports whether programs, messages or remarks about passwords use one of the words.
func (sp *Spelling) Ordinary() bool { return sp.ordinaryWords() > 0 }

// ordinaryWords counts such words.
func (sp *Spelling) ordinaryWords() int {
	low := strings.ToLower(sp.text)
	if value.InList(low, Remarks) {
		return sp.Parts
	}
	var room [value.MaxWords]string
	words := value.NameWords(sp.text, room[:0])
	if sp.marked || sp.NonLatin {
		words = strings.FieldsFunc(low, func(c rune) bool { return strings.ContainsRune("-_.0123456789", c) })
	}
	found := 0
	for n, w := range words {
		if n > 0 && n < len(words)-1 && len(w) < 4 && !value.InList(w, hardly) && (len(words) < 4 || !value.StopWords[w]) {
			continue
		}
		if value.StopWords[w] || value.InList(w, hardly) || value.InList(w, prepositions) || value.InList(w, Remarks) ||
			value.InList(w, techWords) || value.InList(w, value.DescriptionWords) || value.InList(w, value.ComponentWords) ||
			value.InList(w, value.Examples) || value.InList(w, value.CodeWords) || value.InList(w, value.ProgramWords) ||
			value.KeyStrength(w) != value.NotSecret {
			found++
		}
	}
	return found
}

// hardly are short words that join others into descriptions: out-of-date, opt-in.
const hardly = " up out end one off non not pre too self two well high low per state read write case app get set " +
	"api web dev env sql ssh url uri ssl tls jwt aws gcp key pin max min log db id ui os ip io cli sdk tmp bin lib src " +
	"etc usr var new old full half hard soft auto multi cross semi anti "

// prepositions start and end such descriptions.
const prepositions = " by to in of on at as "

// techWords are names of programs and formats, and words for their subjects.
const techWords = " postgres postgresql mysql mariadb redis mongo mongodb oracle ubuntu debian python kotlin node " +
	"nodejs windows android kafka rabbitmq elastic elasticsearch jenkins gitlab github grafana keycloak vault " +
	"terraform docker compose kubernetes bitwarden keepass lastpass onepassword keychain keyring openssl openssh " +
	"postfix dovecot nextcloud wordpress cloud cluster gateway frontend backend kernel socket endpoint webhook " +
	"pipeline runner branch commit merge issue ticket bcrypt scrypt sha hash hashes utf ascii unicode javascript " +
	"typescript localhost base argon md aes rsa "

// Remarks are words in what sentences say about passwords.
const Remarks = " something anything nothing everything whatever somewhere elsewhere sometimes yesterday nowhere " +
	"somehow backwards lowercase uppercase cleartext plaintext ciphertext klartext metadata obsolete duplicate " +
	"everywhere nonsense gibberish mandatory obligatoire obligatoria obligatorio obrigatória obligatorisk " +
	"obligatoriskt pflichtfeld pflichtangabe vertraulich geheimsache chefsache erforderlich ungültig incorrecta " +
	"incorrecto incorrecte incorrectă errata necesaria requerida vereist verplicht onjuist verlopen påkrævet udløbet " +
	"forkert felaktigt pakollinen vanhentunut neplatné povinné zašifrované prošlé nieprawidłowe wymagane wygasło " +
	"błędne kötelező érvénytelen hibás zorunlu geçersiz wajib salah sementara goodness important different identical " +
	"available unchanged compromised guessable redundant ambiguous hardcoded "

// Describes reports whether a word, or the last of several, has the ending of a description.
func (sp *Spelling) Describes() bool { return DescribedSo(sp.text) }

func DescribedSo(v string) bool {
	v = value.LowerASCII(v)
	if described(v) {
		return true
	}
	return EndsAs(v, "ed ing able ible ive ous ent ant ic ics ical al ful less ary ory ly ised ized tion tions ment "+
		"ness ity ism ist ology wide side only based free proof safe like style ready aware friendly specific date time")
}

// describing reports whether words joined by dashes are a description.
func (sp *Spelling) describing(native bool) bool {
	if !native {
		return sp.Describes()
	}
	return sp.Parts < 3 && (sp.Describes() || DescribesNative(sp.text))
}

// stems start words for what is said about passwords in many languages.
const stems = "incor inkor inval oblig obrig neces con com kom des ident facul temp perm provi person config defin " +
	"gener modif valid crypt encri cript krypt krip cifr chiff sensi vulner autom autog docum secur segur sicur stand ver"

// DescribesNative is the same for other languages in Latin script.
func DescribesNative(v string) bool {
	low := value.LowerASCII(v)
	for stem := range strings.SplitSeq(stems, " ") {
		if strings.HasPrefix(low, stem) {
			return true
		}
	}
	return EndsAs(low, "ica ico ado ada ido ida ato ata ito ita uto uta bile vel nte ivo iva rio ria rie oso osa cto "+
		"cta ibil abil ne na no ny ty wy we lo t isk lig ig lijk baar loos erd eld igd en tu ty tt va nut ut tud kas lik "+
		"as kan la ton ad ssa isch sache ade vol kt nie end nnt")
}

// EndsAs reports whether a word ends with an entry of a list.
func EndsAs(v, list string) bool {
	for end := range strings.SplitSeq(list, " ") {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}
