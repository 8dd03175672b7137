package privacy

import "strings"

// lockWords are what digits open without being called a code or a PIN.
var lockWords = []string{"padlock", "lockbox", "key box", "alarm is", "keypad", "alarm panel", "combo", "combination", "schloss", "tresor", "alarmanlage", "candado", "lucchetto", "cadenas", "digicode", "cassaforte", "kluis", "puk", "safe"}

// before digits, what says that they open it.
const leading = " code pin kod código codice è é is ist with mit by est es to auf con avec met op lautet are sind "

// lockSaid redacts the digits behind such a word: "the padlock opens with 4-1-7-3".
func (s *scanner) lockSaid(end int) {
	if s.text[end-1] == ' ' {
		end--
	}
	if end < len(s.text) && latin(s.text[end]) || strings.EqualFold(s.text[max(0, end-5):end], "nsafe") || end > 4 && s.text[end-5] == '-' && strings.EqualFold(s.text[end-4:end], "safe") || strings.HasPrefix(s.text[end:], " mode") {
		return
	}
	limit := min(len(s.text), end+64)
	at := end
	for at < limit && !digit(s.text[at]) && strings.IndexByte("\n?;(", s.text[at]) < 0 {
		at++
	}
	if at >= limit || !digit(s.text[at]) || !s.leadsTo(end, at) {
		return
	}
	to := lockDigits(s.text, at)
	v := s.text[at:to]
	if n := countKinds(v); n.lower > 0 || n.upper > 0 || n.digits < 4 || n.digits > 8 || n.digits != len(v) && strings.ContainsAny(v, " -") && dated(v) || to < len(s.text) && s.text[to] != '#' && !s.clauseEnd(to) && s.text[to] != ' ' && s.text[to] != ')' || s.counts(to) || s.measured(to) {
		return
	}
	s.add(at, to, rulePassword)
}

// measured reports whether a number goes on with a unit or with a word that codes
// do not have behind them.
func (s *scanner) measured(at int) bool {
	if at >= len(s.text) || s.text[at] != ' ' {
		return false
	}
	line, _, _ := strings.Cut(s.text[at+1:min(len(s.text), at+24)], "\n")
	word, _, _ := strings.Cut(line, " ")
	return in(lowerASCII(strings.Trim(word, ",.!?:;")), " euro eur usd chf kg cm mm km mb gb x ") || !ascii(word) || word != "" && word[0] >= 'A' && word[0] <= 'Z' || strings.HasPrefix(word, "%") || strings.HasPrefix(word, "$")
}

// leadsTo reports whether what stands between a lock and digits says that they open it.
func (s *scanner) leadsTo(end, at int) bool {
	between := lowerASCII(s.text[end:at])
	if between == " " {
		before := lowerASCII(s.text[max(0, end-len("combination")):end])
		return strings.HasSuffix(before, "combo") || strings.HasSuffix(before, "combination") || strings.HasSuffix(before, "panel") || strings.HasSuffix(before, "puk") || strings.HasSuffix(before, "digicode")
	}
	if strings.HasSuffix(between, ": ") || strings.HasSuffix(between, "= ") || strings.HasSuffix(between, ", ") && strings.Count(between, ",") < 3 {
		return true
	}
	words := strings.Fields(between)
	return len(words) > 0 && len(words) < 8 && strings.HasSuffix(between, " ") && in(words[len(words)-1], leading)
}

// lockDigits returns where digits end that are said one by one, or in groups of at
// most three: 4-1-7-3, 8 2 4 6, 32-7-19, 4711.
func lockDigits(text string, at int) int {
	to := groupEnd(text, at)
	if !integer(text[at:to]) || to-at > 3 {
		return to
	}
	for to+1 < len(text) && (text[to] == ' ' || text[to] == '-') && digit(text[to+1]) {
		end := groupEnd(text, to+1)
		if end-to > 4 || !integer(text[to+1:end]) {
			break
		}
		to = end
	}
	return to
}

// digitWords are what a PIN, or a password that is one, is called in other alphabets.
var digitWords = []string{"暗証番号", "密码", "密碼", "パスコード", "비밀번호", "пин-код", "Пин-код", "ПИН-код", "код от", "код для", "Код от"}

// foreignPin redacts the digits that are such a PIN.
func (s *scanner) foreignPin(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+64)], "\n")
	n := strings.IndexAny(line, "0123456789")
	if n < 0 {
		return
	}
	between := strings.TrimRight(line[:n], " 「\"")
	led := between == ""
	for _, w := range []string{":", "：", "是", "は", "為", "为", "는", "은", "—", "-", "=", "это"} {
		led = led || strings.HasSuffix(between, w)
	}
	to := groupEnd(s.text, end+n)
	if v := s.text[end+n : to]; led && integer(v) && len(v) >= 4 && len(v) <= 8 && !s.counts(to) && (to == len(s.text) || strings.IndexByte("-./:", s.text[to]) < 0 || s.clauseEnd(to)) {
		s.add(end+n, to, rulePassword)
	}
}
