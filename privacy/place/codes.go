package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// PinWords precede numeric codes.
var PinWords = []string{"pin is ", "pin: ", "pin for ", "pin = ", "pin=", "pin vom ", "pin von ", "pin der ",
	"pin ist ", "pin f", "pin again", "pin?", "alarm code ", "setup code ", "door code ", "gate code ", "safe code ",
	"lock code ", "entry code ", "pairing code ", "code is ", "code: ", "code for ", "code f", "passcode ", "code du ",
	"code de ", "code d'", "digo do ", "digo da ", "digo de ", "digo del ", "codice d", "pin d", "tan f", "tan lautet ",
	"tan ist ", "tan: ", "puk: ", "puk is ", "puk ist ", "kod do ", "code ist ", "code lautet ", "code lautet: "}

// locks are things that such a code opens, or words for them.
const locks = " portail porte immeuble coffre alarme portão portao porta cofre cartão cartao puerta portón porton " +
	"caja alarma tarjeta cassaforte allarme cancello carta bancomat cadenas candado lucchetto garagem garaje kluis " +
	"deur hek alarmu domofonu bramy sejfu karty furtki sim bank banking card karte bankkarte ec geldkarte giro " +
	"kreditkarte credit debit door tür haustür türschloss schloss lock alarm alarmanlage safe tresor gate tor garage " +
	"unlock entsperr phone handy smartphone tablet voicemail mailbox verification security login 2fa tan sms otp " +
	"keypad keybox locker spind luggage koffer homekit pairing setup puk ipad iphone lockbox entry building office " +
	"verification bestätigungscode "

// Pin redacts the digits of "PIN: 4711", "my SIM pin is …", "the alarm code for
// the office is …".
func Pin(s *scan.Scanner, end int) {
	behind := codeStart(s, end)
	if behind < 0 {
		return
	}
	start := value.LineStart(s.Text, end, 64)
	before := value.LowerASCII(s.Text[start:end])
	i := lastCodeWord(before)
	if i < 0 || otherCode(s.Text, start+i, before[:i]) {
		return
	}
	word := start + i
	owned := before[i] == 'p' && ownPin(s.Text, word, before[:i])
	if !owned && !namesLock(before) && !namesLock(value.LowerASCII(s.Text[end:behind])) &&
		!namesLock(value.LowerASCII(s.Text[word:end])) {
		return
	}
	to := behind
	for to < len(s.Text) && to-behind < 12 && inCode(s.Text, behind, to) {
		to++
	}
	if owned || !isQuantity(s, to) {
		redactCode(s, behind, to)
	}
}

// ownPin reports whether "pin" is a word of its own that only means a code: PIN, my pin.
func ownPin(text string, word int, before string) bool {
	free := word == 0 || !scan.TokenByte(text[word-1]) || strings.HasSuffix(before, "card-")
	return free && (text[word:word+3] == "PIN" || strings.HasSuffix(before, "my "))
}

// lastCodeWord returns where the last word for a code starts, -1 if there is none.
func lastCodeWord(before string) int {
	at := -1
	for _, w := range []string{"pin", "code", "puk", "tan ", "tan:", "digo", "codice", "kod "} {
		at = max(at, strings.LastIndex(before, w))
	}
	return at
}

// otherCode reports whether a word for a code is the end of another word, or names a code that opens nothing.
func otherCode(text string, word int, before string) bool {
	switch text[word] | 0x20 {
	case 'p':
		if word > 0 && value.Alphanumeric(text[word-1]) {
			return true
		}
	case 't':
		if text[word:word+3] != "TAN" {
			return true
		}
	}
	prefix := strings.Fields(before)
	return len(prefix) > 0 && value.InList(prefix[len(prefix)-1],
		" exit error status return country area zip postal response http source qr color colour reason dial message "+
			"result op key char product order item promo discount coupon article ")
}

// inCode reports whether the byte at an offset belongs to the code that starts at from: digits in one group or two, and
// the letter of an entrance.
func inCode(text string, from, at int) bool {
	switch c := text[at]; c {
	case 'A', 'B':
		return value.Digit(text[at-1])
	case ' ':
		return at == from+3 && value.GroupEnd(text, at+1) == at+4
	case '-':
		return at+1 < len(text) && value.Digit(text[at+1])
	default:
		return value.Digit(c)
	}
}

// redactCode redacts a code of four to eight digits, unless it is part of something longer.
func redactCode(s *scan.Scanner, from, to int) {
	code := s.Text[from:to]
	if n := value.CountKinds(code).Digits; n < 4 || n > 8 || dated(code) {
		return
	}
	if to == len(s.Text) || !scan.TokenByte(s.Text[to]) && (s.Text[to] != '.' || judge.ClauseEnd(s, to)) {
		scan.Add(s, from, to, scan.RulePassword)
	}
}

// isQuantity reports whether a number is a quantity of the next word.
func isQuantity(s *scan.Scanner, at int) bool {
	if at+1 >= len(s.Text) || s.Text[at] != ' ' {
		return false
	}
	word, _, _ := strings.Cut(s.Text[at+1:min(len(s.Text), at+24)], " ")
	word = strings.Trim(word, ",.!?:;\n")
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" &&
		!value.InList(word,
			" and or but in it the on for please tell do und oder then expires valid is to you if as at with so thanks bitte "+
				"ist gilt für ")
}

// codeStart returns the start of the digits of a code: directly, or after its purpose and "is" or a colon; -1 if there
// are none.
func codeStart(s *scan.Scanner, at int) int {
	if at < len(s.Text) && value.Digit(s.Text[at]) {
		return at
	}
	line, _, _ := strings.Cut(s.Text[at:min(len(s.Text), at+64)], "\n")
	if n := strings.IndexAny(line, "0123456789"); n > 1 && line[n-1] == ' ' && strings.Count(line[:n], " ") < 3 &&
		s.Text[at-1] != 'f' && !strings.HasSuffix(s.Text[:at], "for ") {
		if lock := value.LowerASCII(line[:n-1]); namesLock(lock[strings.LastIndexByte(lock, ' ')+1:]) {
			return at + n
		}
	}
	for _, w := range []string{" is ", " ist ", ": ", " lautet ", " est ", " es ", " é ", " è ", " to "} {
		if n := strings.Index(line, w); n >= 0 && at+n+len(w) < len(s.Text) && value.Digit(s.Text[at+n+len(w)]) {
			return at + n + len(w)
		}
	}
	return -1
}

// namesLock reports whether words name something that a code opens.
func namesLock(words string) bool {
	for w := range strings.FieldsFuncSeq(words, func(r rune) bool { return strings.ContainsRune(" \"'`,.:;()-\t", r) }) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "code"), "pin")
		if value.InList(w, locks) {
			return true
		}
	}
	return strings.Contains(words, "one-time")
}
