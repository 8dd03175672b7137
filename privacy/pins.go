package privacy

import "strings"

// pinNames end the name of a setting whose digits open something.
var pinNames = []string{
	"pin=", "pin:", "pin\"", "pin'", "pin>", "pin = ", "pin\t", "_pin ", "-pin ", "puk=", "puk\"", "puk:",
	"alarm_code", "alarmcode", "alarm-code", "door_code", "doorcode", "door-code", "gate_code", "gatecode", "gate-code",
	"unlock_code", "unlockcode", "unlock-code", "entry_code", "entrycode", "disarm_code", "disarmcode", "lock_code", "lockcode",
	"safe_code", "keypad_code", "keypadcode", "setup_code", "setupcode", "pairing_code", "pairingcode", "homekit_code", "pin_code", "pincode",
}

// contacts are what else is called a pin: of a board, of a map.
const contacts = " led gpio rx tx clk sda scl cs ss mosi miso sck dc rst reset busy irq int motor servo button btn relay dht analog digital data input output pwm sensor echo trig buzzer enable dir step latch clock select bus port adc dac backlight onewire wake board pull map mapping marker drop hat package version dependency spin ping bowling rolling "

// pinSetting redacts the digits of a setting: SIM_PIN=4711, "simPin": "4711",
// #define UNLOCK_PIN 730184, --pin 482913.
func (s *scanner) pinSetting(end int) {
	if end <= s.pinEnd {
		return
	}
	at := end - 1
	for at > 0 && !tokenByte(s.text[at]) {
		at--
	}
	from, to := nameAt(s.text, at)
	if s.pinEnd = to; !s.namesPin(from, to) {
		return
	}
	v := blanks(s.text, closers(s.text, to))
	if v >= len(s.text) {
		return
	}
	switch c := s.text[v]; {
	case c == '=' || c == ':' || c == '>' && v == to:
		v = blanks(s.text, v+1)
	case v == to || !s.defines(from):
		return
	}
	if v < len(s.text) && strings.IndexByte("\"'`", s.text[v]) >= 0 {
		v++
	}
	stop := v
	for stop < len(s.text) && stop-v < 12 && (digit(s.text[stop]) || s.text[stop] == '-' && stop > v) {
		stop++
	}
	if s.opensByDigits(v, stop) {
		s.add(v, stop, rulePassword)
	}
}

// namesPin reports whether a name ends with a word for digits that open something.
func (s *scanner) namesPin(from, to int) bool {
	var room [maxWords]string
	words := nameWords(s.text[from:to], room[:0])
	if len(words) == 0 {
		return false
	}
	for _, w := range words {
		if in(w, contacts) {
			return false
		}
	}
	if len(words) == 1 && s.inProse(from) {
		return false // it is judged as what is said
	}
	last := words[len(words)-1]
	if in(last, " pin cpin puk pincode passcode ") {
		return true
	}
	if of, ok := strings.CutSuffix(last, "pin"); ok {
		return in(of, locks) || in(of, " so user ")
	}
	return strings.HasSuffix(last, "code")
}

// inProse reports whether a word stands before a name that declares nothing.
func (s *scanner) inProse(from int) bool {
	before := strings.Fields(s.text[lineStart(s.text, from, 64):from])
	if len(before) == 0 || from > 0 && s.text[from-1] != ' ' {
		return false
	}
	word := before[len(before)-1]
	return wordLike(word) && !in(lowerASCII(word), " const let var val export set env define final static string int char ")
}

// defines reports whether a name is followed by its value after a blank: a macro
// or an option.
func (s *scanner) defines(from int) bool {
	before := s.text[lineStart(s.text, from, 64):from]
	return strings.HasSuffix(before, "-") && strings.TrimLeft(before[strings.LastIndexByte(before, ' ')+1:], "-") == "" || strings.HasPrefix(strings.TrimLeft(before, " \t"), "#define ")
}

// opensByDigits reports whether what stands at [from, to) are the digits of a PIN
// that is no example, and nothing goes on behind it.
func (s *scanner) opensByDigits(from, to int) bool {
	v := s.text[from:to]
	n := countKinds(v)
	if n.digits < 4 || n.digits > 8 || n.other > 2 || n.other > 0 && dated(v) || monotone(v) || strings.HasPrefix("123456789", v) || strings.HasSuffix(v, "-") {
		return false
	}
	if to == len(s.text) {
		return true
	}
	c := s.text[to]
	return strings.IndexByte("\"'`<,;)}]\r\n\\", c) >= 0 || c == ' ' && !s.counts(to) && !s.measured(to)
}

// pinColumn redacts the digits under the name of a column: | PIN | PUK |.
func (s *scanner) pinColumn(end int) {
	at := end
	for at > 0 && !alphanumeric(s.text[at-1]) {
		at--
	}
	if end < len(s.text) && digit(s.text[end]) {
		s.pinSpoken(at, end)
		return
	}
	from, to := nameAt(s.text, at)
	if !in(lowerASCII(s.text[from:to]), " pin puk puk1 puk2 pin1 pin2 pincode ") {
		return
	}
	delimiter := s.delimiter(from, to, blanks(s.text, to))
	if delimiter == "" {
		return
	}
	start := lineStart(s.text, from, 512)
	head, _, _ := strings.Cut(s.text[start:min(len(s.text), start+512)], "\n")
	if s.grid.names++; s.grid.names > maxHeads || alternatives(head) {
		return
	}
	nth := separators(s.text[start:from], delimiter)
	s.eachRow(start+len(head)+1, delimiter, separators(head, delimiter), func(at int, row string) {
		at, cell := nthCell(at, row, delimiter, nth)
		v := strings.Trim(cell[strings.LastIndexByte(strings.TrimRight(cell, " \t\r"), ' ')+1:], " \t\r\"'`*")
		if at += strings.Index(cell, v); integer(v) && len(v) >= 4 && len(v) <= 8 {
			s.add(at, at+len(v), rulePassword)
		}
	})
}

// pinSpoken redacts "lock screen PIN 4907": digits right behind the word, and what
// they open before it.
func (s *scanner) pinSpoken(at, digits int) {
	to := groupEnd(s.text, digits)
	if s.text[at-1]|0x20 == 'n' && opens(lowerASCII(s.text[lineStart(s.text, at, 32):at-len("pin")])) && s.opensByDigits(digits, to) {
		s.add(digits, to, rulePassword)
	}
}
