package place

import (
	"net/netip"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// The rules of strict mode.
const (
	RuleEmail = "email"
	RulePhone = "phone"
	RuleCard  = "payment-card"
	RuleIBAN  = "iban"
	RuleIP    = "public-ip"
)

var (
	domainShape = lazyregexp.New(`^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+`)
	digitShape  = lazyregexp.New(`\+?\(?[0-9][0-9 ().-]{7,28}[0-9]`)
	phoneShape  = lazyregexp.New(`^(?:\+[0-9 ().-]{8,22}|\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}|0[0-9]{2,4}[ /-][0-9][0-9 -]{4,10}[0-9])$`)
	ibanShape   = lazyregexp.New(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`)
	addrShape   = lazyregexp.New(`[0-9A-Fa-f:]{0,40}(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7}`)
)

// Personal finds data that identify a person or a location.
func Personal(s *scan.Scanner) {
	emails(s)
	shaped(s, "0123456789 ().-+", 9, digitShape, numbersAt, func(run string) bool { return digits(run) >= 8 })
	shaped(s, value.Capitals+"0123456789 ", 15, ibanShape, iban,
		func(run string) bool { return digits(run) >= 2 })
	shaped(s, "0123456789abcdefABCDEF:.", 7, addrShape, address, func(run string) bool {
		return strings.Count(run, ".") >= 3 && digits(run) >= 4 || strings.Count(run, ":") >= 2
	})
}

// emails finds the addresses around each @.
func emails(s *scan.Scanner) {
	done := 0
	for at := 0; ; at++ {
		n := strings.IndexByte(s.Text[at:], '@')
		if n < 0 {
			return
		}
		at += n
		from := at
		for from > done && at-from < 64 && (scan.TokenByte(s.Text[from-1]) || strings.IndexByte(".%+", s.Text[from-1]) >= 0) {
			from--
		}
		m := domainShape.FindStringIndex(s.Text[at+1 : min(len(s.Text), at+257)])
		if from < at && m != nil {
			done = at + 1 + m[1]
			scan.Add(s, from, done, RuleEmail)
		}
	}
}

// shaped applies an expression only to runs of certain bytes, because finding the runs is far cheaper.
func shaped(s *scan.Scanner, bytes string, least int, shape *lazyregexp.Regexp,
	found func(s *scan.Scanner, from, to int), worth func(run string) bool) {
	var in [256]bool
	for i := range len(bytes) {
		in[bytes[i]] = true
	}
	for i := 0; i < len(s.Text); i++ {
		from := i
		for i < len(s.Text) && in[s.Text[i]] {
			i++
		}
		if i-from < least || !worth(s.Text[from:i]) {
			continue
		}
		// Include one more byte on each side, because the expression checks word boundaries.
		low, high := max(0, from-1), min(len(s.Text), i+1)
		for _, m := range shape.FindAllStringIndex(s.Text[low:high], -1) {
			found(s, low+m[0], low+m[1])
		}
	}
}

func digits(s string) int { return value.CountKinds(s).Digits }

func iban(s *scan.Scanner, from, to int) {
	if validIBAN(strings.ReplaceAll(s.Text[from:to], " ", "")) {
		scan.Add(s, from, to, RuleIBAN)
	}
}

func address(s *scan.Scanner, from, to int) {
	if scan.FreeBefore(s.Text, from) && (to == len(s.Text) || !scan.TokenByte(s.Text[to])) &&
		!ofLongerNumber(s.Text, from, to) && publicAddress(s.Text[from:to]) {
		scan.Add(s, from, to, RuleIP)
	}
}

// ofLongerNumber reports whether more numbers with dots are before or behind, as in the id of an object:
// 1.3.6.1.4.1.311.
func ofLongerNumber(text string, from, to int) bool {
	before := from > 1 && text[from-1] == '.' && value.Digit(text[from-2])
	return before || to+1 < len(text) && text[to] == '.' && value.Digit(text[to+1])
}

func numbersAt(s *scan.Scanner, from, to int) {
	if !scan.FreeBefore(s.Text, from) || to < len(s.Text) && value.WordByte(s.Text[to]) {
		return
	}
	text := s.Text[from:to]
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	switch {
	case len(digits) >= 13 && len(digits) <= 19 && luhn(digits) && strings.Trim(text, "0123456789 -") == "":
		scan.Add(s, from, to, RuleCard)
	case len(digits) >= 8 && len(digits) <= 15 && phoneShape.MatchString(text):
		scan.Add(s, from, to, RulePhone)
	}
}

// luhn verifies the check digit of a card number.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && strings.Trim(digits, digits[:1]) != ""
}

// validIBAN verifies the two check digits: the rearranged number is 1 modulo 97.
func validIBAN(s string) bool {
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	rest := 0
	for _, c := range []byte(s[4:] + s[:4]) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}

// publicAddress reports whether a text is a public internet address.
func publicAddress(text string) bool {
	a, err := netip.ParseAddr(text)
	if err != nil || !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range []string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "100.64.0.0/10", "0.0.0.0/8",
		"2001:db8::/32"} {
		if netip.MustParsePrefix(p).Contains(a) {
			return false
		}
	}
	return a.Is4() || strings.Count(text, ":") >= 3
}

// Unknown redacts tokens that look random, whatever is near them.
func Unknown(s *scan.Scanner, from, to int) {
	run := s.Text[from:to]
	if to-from > 200 || !value.Random(run) || value.CrossEntropy(run) < value.DrawnShort {
		return
	}
	if !judge.HashPrefixed(s.Text, from) && !value.Placeholder(run) && !value.UUIDLike(run) {
		scan.Add(s, from, to, scan.RuleRandom)
	}
}
