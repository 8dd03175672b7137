package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// counts is what a candidate consists of.
type counts struct {
	letters, upper, digits int
	signs                  int // neither letters, digits nor joints
	brackets               int // those of the signs that expressions contain
	joints                 int // of - _ .
	humps                  int // capitals after a lower-case letter
	wide                   int // bytes beyond ASCII
	changes                int // changes from letters to digits and back
}

func count(v string) (n counts) {
	n.count(v)
	return n
}

// count sums up 64-bit tallies, one look-up for each byte, because it is called for every word near a cue.
func (n *counts) count(v string) {
	*n = counts{}
	last := uint8(classNone)
	for len(v) > 0 {
		part := v[:min(len(v), 1<<tallyBits-1)]
		v = v[len(part):]
		sum := uint64(0)
		for i := range len(part) {
			sum += tallies[last&classMask][part[i]]
			last = byteClasses[part[i]]
		}
		if sum < 1<<tallyBits {
			n.letters += int(sum) // most words are only lower-case letters
			continue
		}
		for _, count := range [...]*int{&n.letters, &n.upper, &n.digits, &n.signs, &n.brackets, &n.joints, &n.humps,
			&n.wide, &n.changes} {
			*count += int(sum & (1<<tallyBits - 1))
			sum >>= tallyBits
		}
	}
	if n.joints > 0 && n.letters+n.joints == n.size() && n.humps == 0 {
		n.humps = 1 // joined words are not a plain word
	}
}

// size returns how many bytes were counted.
func (n *counts) size() int { return n.letters + n.digits + n.signs + n.joints }

// Classes of bytes.
const (
	classNone = iota // before the first byte
	classSmall
	classCapital
	classDigit
	classWide
	classJoint
	classSign
	classMask = 7
)

var byteClasses = func() (out [256]uint8) {
	for c := range out {
		switch b := byte(c); {
		case isLower(b):
			out[c] = classSmall
		case isLower(b | 0x20):
			out[c] = classCapital
		case value.Digit(b):
			out[c] = classDigit
		case c >= 0x80:
			out[c] = classWide
		case b == '-' || b == '_' || b == '.':
			out[c] = classJoint
		default:
			out[c] = classSign
		}
	}
	return out
}()

const tallyBits = 7 // of each count in a tally

// tallies contains what a byte adds to the counts, after a byte of each class, in one number with a few bits for each
// count.
var tallies = func() (out [classMask + 1][256]uint64) {
	for last := range out {
		for c, class := range byteClasses {
			small, capital, digit, wide := class == classSmall, class == classCapital, class == classDigit, class == classWide
			letter := small || capital
			after := last == classSmall || last == classCapital
			for n, is := range []bool{letter || wide, capital, digit, class == classSign,
				class == classSign && expressionSigns[c], class == classJoint, capital && last == classSmall, wide,
				letter && last == classDigit || digit && after} {
				out[last][c] |= uint64(bit(is)) << (n * tallyBits)
			}
		}
	}
	return out
}()

func isLower(c byte) bool { return c-'a' < 26 }

// expressionSigns are the signs in expressions of programs.
var expressionSigns = setOf("()[]{}<>=\"`\\|")

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// kindOf returns in one word what a value looks like.
func kindOf(v string, n counts) string {
	switch {
	case n.plain() && n.wide == 0 && len(v) < 16:
		return letterCase(n)
	case n.digits == len(v):
		return digitsKind(n.digits)
	case n.letters == 0:
		return numberKind(v)
	case pathLike(v):
		return "path"
	case value.UUIDLike(v):
		return "uuid"
	case mailLike(v):
		return "mail"
	case n.wide*2 > len(v):
		return "distant"
	case len(v) >= 16 && value.Random(v), randomShort(v, n):
		return "drawn"
	case n.signs > 0:
		return signedKind(n)
	case n.joints > 0:
		return joinedKind(v, n)
	case n.digits > 0:
		return numberedKind(v, n)
	}
	return letterCase(n)
}

func letterCase(n counts) string {
	switch {
	case n.humps > 0:
		return "camel"
	case n.upper == 0:
		return "word"
	case n.upper == n.letters:
		return "capitals"
	}
	return "Word"
}

// pathLike reports whether a value has the form of a path.
func pathLike(v string) bool {
	return strings.IndexByte("/~", v[0]) >= 0 || strings.HasPrefix(strings.TrimPrefix(v, "."), "./") ||
		strings.Count(v, "/") > 2
}

// mailLike reports whether a value has the form of a mail address.
func mailLike(v string) bool {
	name, host, _ := strings.Cut(v, "@")
	return name != "" && strings.IndexByte(host, '.') >= 0
}

// randomShort reports whether a short value is random.
func randomShort(v string, n counts) bool {
	return len(v) >= 10 && n.digits > 1 && n.changes > 2 && n.signs == 0 && value.CrossEntropy(v) >= value.DrawnShort
}

func digitsKind(n int) string {
	switch {
	case n < 4:
		return "digits3"
	case n <= 6:
		return "digits" + numeral(n)
	case n <= 8:
		return "digits7-8"
	}
	return "digits9-"
}

func numberKind(v string) string {
	switch {
	case strings.Trim(v, "0123456789.") == "":
		return "version"
	case strings.Trim(v, "0123456789-:.,/") == "":
		return "date"
	case strings.Trim(v[:len(v)-1], "0123456789") == "" && strings.IndexByte("#*", v[len(v)-1]) >= 0:
		return "digits#"
	}
	return "figures"
}

func signedKind(n counts) string {
	switch {
	case n.digits > 0 && n.joints > 0:
		return "signed-#"
	case n.digits > 0:
		return "signed#"
	case n.upper > 0:
		return "Signed"
	}
	return "signed"
}

// joinedKinds names the kinds without allocating a string for each.
var joinedKinds = func() (out [5][5]string) {
	for i, kind := range []string{"joined", "JOINED", "Joined", "joined#", "Joined#"} {
		for j, by := range jointNames {
			out[i][j] = kind + by
		}
	}
	return out
}()

func joinedKind(v string, n counts) string {
	kind := 4
	switch {
	case n.digits == 0 && n.upper == 0:
		kind = 0
	case n.digits == 0 && n.upper == n.letters:
		kind = 1
	case n.digits == 0:
		kind = 2
	case n.upper == 0:
		kind = 3
	}
	return joinedKinds[kind][jointsOf(v)]
}

func numberedKind(v string, n counts) string {
	switch {
	case value.CountKinds(v).Hex && n.changes > 1 && len(v) > 5:
		return "hex"
	case n.upper == n.letters:
		return "WORD#"
	case n.upper > 0:
		return "Word#"
	}
	return "word#"
}

// jointNames are the signs that join the parts of a value.
var jointNames = [...]string{"", "-", "_", ".", "mixed"}

// jointsOf returns the index in jointNames for a value.
func jointsOf(v string) int {
	kind := 0
	for i := range len(v) {
		by := 0
		switch v[i] {
		case '-':
			by = 1
		case '_':
			by = 2
		case '.':
			by = 3
		default:
			continue
		}
		if kind != 0 && kind != by {
			return 4
		}
		kind = by
	}
	return kind
}

// shape returns a value as the classes of its characters, each run of a class once: Aa-Aa-0.
func shape(v string, room *[]byte) string {
	const most = 10
	out := (*room)[:0]
	for i := 0; i < len(v) && len(out) < most; i++ {
		c := v[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 0x80:
			c = 'a'
		case c >= 'A' && c <= 'Z':
			c = 'A'
		case value.Digit(c):
			c = '0'
		case c != '-' && c != '_' && c != '.':
			c = '!'
		}
		if n := len(out); n == 0 || out[n-1] != c {
			out = append(out, c)
		}
	}
	*room = out
	return string(out)
}

// ending returns how a value ends: with a year, with digits, with a sign.
func ending(v string) string {
	n := len(v)
	digits := n - len(strings.TrimRight(v, "0123456789"))
	last := v[n-1]
	switch {
	case digits == n:
		return "all digits"
	case digits == 4 && (strings.HasPrefix(v[n-4:], "19") || strings.HasPrefix(v[n-4:], "20")):
		return "a year"
	case digits > 0:
		return "digits " + numeral(digits)
	case strings.IndexByte("!?#*.$%&+", last) >= 0:
		return "a sign"
	}
	if dot := strings.LastIndexByte(v, '.'); dot > 0 && n-dot <= 5 {
		return "." + value.LowerASCII(v[dot+1:])
	}
	return "a letter"
}

// accountLike returns whether a word can be the name of an account.
func accountLike(v string) string {
	n := count(v)
	switch {
	case v == "":
		return "nothing"
	case strings.IndexByte(v, '@') > 0:
		return "mail"
	case value.InList(value.LowerASCII(v),
		" root admin administrator guest postgres oracle sa pi ubuntu user operator service system administrador "):
		return "account"
	case n.signs > 0 && strings.IndexByte(v, '\\') < 0 || len(v) > 32:
		return "no"
	case n.digits == 0 && n.joints == 0 && n.upper == 0:
		return "word"
	case n.upper == 0 && n.letters > 0:
		return "name"
	case n.letters == 0:
		return "number"
	case n.upper == 1 && n.humps == 0:
		return "Word"
	}
	return "Name"
}
