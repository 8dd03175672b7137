package public

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// vectorNames are names of values other than the key in a test of a cipher.
const vectorNames = " plaintext ciphertext nonce tag aad msg input in expected "

// testVector reports whether a hex key is among the inputs and outputs of a test of a cipher: two of their names, each
// followed by hex, are near.
func testVector(s *scan.Scanner, from, to int) bool {
	const least, reach = 32, 400
	v := s.Text[from:to]
	if to-from < least || strings.Trim(v, "0123456789abcdefABCDEF") != "" {
		return false
	}
	near := s.Text[max(0, from-reach):from] + "\n" + s.Text[to:min(len(s.Text), to+reach)]
	found := ""
	for rest := near; ; {
		i := strings.IndexAny(rest, "\"'`")
		if i < 0 {
			return false
		}
		name := strings.TrimRight(rest[:i], " \t:=")
		rest = rest[i+1:]
		if len(name) == i || !hexLiteral(rest) {
			continue
		}
		at := len(name)
		for at > 0 && value.WordByte(name[at-1]) {
			at--
		}
		name = value.LowerASCII(name[at:])
		if value.InList(name, vectorNames) && found != "" && found != name {
			return true
		} else if value.InList(name, vectorNames) {
			found = name
		}
	}
}

// hexLiteral reports whether a literal that starts here is empty or hex.
func hexLiteral(rest string) bool {
	const most = 256
	i := strings.IndexAny(rest[:min(len(rest), most)], "\"'`\n")
	return i < 0 && len(rest) >= most && strings.Trim(rest[:most], "0123456789abcdefABCDEF") == "" ||
		i >= 0 && strings.Trim(rest[:i], "0123456789abcdefABCDEF") == ""
}
