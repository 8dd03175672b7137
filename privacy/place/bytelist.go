package place

import (
	"strconv"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// ByteLists decodes lists of numbers that are bytes of text, [103, 104, 112] or {0x67, 0x68}, and redacts a list that
// contains a secret. Such a list is so long that checking a few positions finds it.
func ByteLists(s *scan.Scanner) {
	const stride, window = 96, 8
	list := &s.Set.List
	keyPair(s, 0, len(s.Text))
	behind := 0 // end of what was read
	for at := stride; at < len(s.Text); at += stride {
		w := s.Text[at-3 : at+1]
		if list[w[0]]&list[w[1]]&list[w[2]]&list[w[3]] == 0 || !listBytes(s.Text[at-window:min(len(s.Text), at+window)]) {
			continue
		}
		from, to := at, at
		for from > behind && scan.ListByte(s.Text[from-1]) {
			from--
		}
		for to < len(s.Text) && scan.ListByte(s.Text[to]) {
			to++
		}
		byteList(s, from, to)
		behind = to
		at = max(at, to-1)
	}
}

// byteList reads the lists in a part of the text that consists of such lists.
func byteList(s *scan.Scanner, from, to int) {
	const least, most = 12, 4 << 10 // limits for the bytes of a list
	var room [256]byte
	if ownLine(s, from-1, to+1) {
		keyPair(s, from-1, to+1)
	}
	for at := from; at < to; {
		raw, end := numbers(room[:0], s.Text[:to], at, most)
		if len(raw) >= least && mostlyAlphanumeric(raw) {
			if found := scan.Decoded(s, string(raw)); len(found) > 0 {
				scan.Add(s, at, end, found[0].Rule)
			}
		}
		at = max(at, end)
		for at < to && value.Alphanumeric(s.Text[at]) {
			at++ // a number that is not a byte of text
		}
		for at < to && !value.Alphanumeric(s.Text[at]) {
			at++
		}
	}
}

// mostlyAlphanumeric reports whether almost all bytes are letters and digits; counts and measurements have all kinds of
// numbers.
func mostlyAlphanumeric(raw []byte) bool {
	n := 0
	for _, c := range raw {
		if value.Alphanumeric(c) {
			n++
		}
	}
	return n*5 >= len(raw)*4
}

// listBytes reports whether a few bytes may be from the middle of such a list.
func listBytes(part string) bool {
	digits := false
	for i := range len(part) {
		if !scan.ListByte(part[i]) {
			return false
		}
		digits = digits || part[i] >= '0' && part[i] <= '9'
	}
	return digits && strings.IndexByte(part, ',') >= 0
}

// numbers appends a list of printable bytes to raw.
func numbers(raw []byte, text string, at, most int) (_ []byte, end int) {
	for len(raw) < most {
		c, n := byteNumber(text[at:])
		if n == 0 {
			return raw, end
		}
		raw = append(raw, c)
		at += n
		end = at
		for at < len(text) && (text[at] == ',' || value.IsSpace(text[at])) && at-end < 32 {
			at++
		}
		if at == end {
			return raw, end
		}
	}
	return raw, end
}

// byteNumber reads a decimal or hexadecimal number that is a printable byte.
func byteNumber(s string) (c byte, n int) {
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		if b, end := value.HexAt(s, len("0x")); end > 1 {
			return b, end
		}
		return 0, 0
	}
	v := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		v = v*10 + int(s[n]-'0')
		n++
	}
	if v < ' ' || v > '~' || n < len(s) && value.Alphanumeric(s[n]) {
		return 0, 0
	}
	return byte(v), n
}

// keyBytes is how many numbers an ed25519 key pair has in the file format of wallets.
const keyBytes = 64

// ownLine reports whether a bracketed list without spaces fills its line.
func ownLine(s *scan.Scanner, from, to int) bool {
	if from < 1 || to > len(s.Text) || to-from > 8*keyBytes || s.Text[from-1] != '\n' {
		return false
	}
	list := s.Text[from:to]
	return list[0] == '[' && list[len(list)-1] == ']' && assign.LineEnd(s, to) && strings.IndexByte(list, ' ') < 0
}

// keyPair redacts [from, to) if it is such a file: [174,47,…].
func keyPair(s *scan.Scanner, from, to int) {
	t := strings.TrimSpace(s.Text[from:to])
	if len(t) > 8*keyBytes || len(t) < 2*keyBytes || t[0] != '[' || t[len(t)-1] != ']' ||
		strings.Count(t, ",") != keyBytes-1 {
		return
	}
	different := map[string]bool{}
	for n := range strings.SplitSeq(t[1:len(t)-1], ",") {
		n = strings.TrimSpace(n)
		if _, err := strconv.ParseUint(n, 10, 8); err != nil {
			return
		}
		different[n] = true
	}
	if len(different) > keyBytes/2 {
		from += strings.IndexByte(s.Text[from:], '[') + 1
		scan.Add(s, from, from+len(t)-2, RulePEM)
	}
}
