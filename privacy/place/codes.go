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
	i := max(strings.LastIndex(before, "pin"), strings.LastIndex(before, "code"), strings.LastIndex(before, "puk"),
		strings.LastIndex(before, "tan "), strings.LastIndex(before, "tan:"), strings.LastIndex(before, "digo"),
		strings.LastIndex(before, "codice"), strings.LastIndex(before, "kod "))
	if i < 0 {
		return
	}
	word := start + i
	joined := word > 0 && scan.TokenByte(s.Text[word-1])
	if joined && before[i] == 'p' && value.Alphanumeric(s.Text[word-1]) {
		return
	}
	if prefix := strings.Fields(before[:i]); len(prefix) > 0 &&
		value.InList(prefix[len(prefix)-1],
			" exit error status return country area zip postal response http source qr color colour reason dial message "+
				"result op key char product order item promo discount coupon article ") {
		return
	}
	if before[i] == 't' && (s.Text[word:word+3] != "TAN") {
		return
	}
	owned := before[i] == 'p' && (!joined || i > 4 && before[i-5:i] == "card-") &&
		(s.Text[word:word+3] == "PIN" || strings.HasSuffix(before[:i], "my "))
	if !owned && !namesLock(before) && !namesLock(value.LowerASCII(s.Text[end:behind])) &&
		!namesLock(value.LowerASCII(s.Text[word:end])) {
		return
	}
	to := behind
	for to < len(s.Text) && to-behind < 12 && (value.Digit(s.Text[to]) ||
		(s.Text[to] == 'A' || s.Text[to] == 'B') && value.Digit(s.Text[to-1]) ||
		s.Text[to] == ' ' && to == behind+3 && value.GroupEnd(s.Text, to+1) == to+4 ||
		s.Text[to] == '-' && to+1 < len(s.Text) && value.Digit(s.Text[to+1])) {
		to++
	}
	if !owned && isQuantity(s, to) {
		return
	}
	if n := value.CountKinds(s.Text[behind:to]); n.Digits >= 4 && n.Digits <= 8 && !dated(s.Text[behind:to]) &&
		(to == len(s.Text) || !scan.TokenByte(s.Text[to]) && (s.Text[to] != '.' || judge.ClauseEnd(s, to))) {
		scan.Add(s, behind, to, scan.RulePassword)
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
