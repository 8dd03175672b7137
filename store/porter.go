package store

// stem is Porter's algorithm (1980) as the index's tokenizer runs it, so that words of a text can be compared with
// those of a query without the index. It expects lower case. Words with characters other than a–z are not changed, just
// as in the index.
func stem(w string) string {
	if len(w) < 3 || len(w) > 64 {
		return w
	}
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	b := make([]byte, len(w), len(w)+2)
	copy(b, w)
	return string(step5(step4(step3(step2(step1c(step1b(step1a(b))))))))
}

func consonant(b []byte, i int) bool {
	switch b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(b, i-1)
	}
	return true
}

// measure counts the sequences of vowels followed by consonants.
func measure(b []byte) (m int) {
	for i := 1; i < len(b); i++ {
		if consonant(b, i) && !consonant(b, i-1) {
			m++
		}
	}
	return m
}

func hasVowel(b []byte) bool {
	for i := range b {
		if !consonant(b, i) {
			return true
		}
	}
	return false
}

func doubleConsonant(b []byte) bool {
	n := len(b)
	return n >= 2 && b[n-1] == b[n-2] && consonant(b, n-1)
}

// cvc reports whether a word ends like hop: consonant, vowel, consonant other than w, x and y.
func cvc(b []byte) bool {
	n := len(b)
	if n < 3 || !consonant(b, n-1) || consonant(b, n-2) || !consonant(b, n-3) {
		return false
	}
	return b[n-1] != 'w' && b[n-1] != 'x' && b[n-1] != 'y'
}

func ends(b []byte, suffix string) bool {
	return len(b) > len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}

func step1a(b []byte) []byte {
	switch n := len(b); {
	case ends(b, "sses"), ends(b, "ies"):
		return b[:n-2]
	case ends(b, "ss"):
		return b
	case ends(b, "s"):
		return b[:n-1]
	}
	return b
}

func step1b(b []byte) []byte {
	n := len(b)
	switch {
	case ends(b, "eed"):
		if measure(b[:n-3]) > 0 {
			return b[:n-1]
		}
		return b
	case ends(b, "ed") && hasVowel(b[:n-2]):
		b = b[:n-2]
	case ends(b, "ing") && hasVowel(b[:n-3]):
		b = b[:n-3]
	default:
		return b
	}
	switch n = len(b); {
	case ends(b, "at"), ends(b, "bl"), ends(b, "iz"):
		return append(b, 'e')
	case doubleConsonant(b) && b[n-1] != 'l' && b[n-1] != 's' && b[n-1] != 'z':
		return b[:n-1]
	case measure(b) == 1 && cvc(b):
		return append(b, 'e')
	}
	return b
}

func step1c(b []byte) []byte {
	if n := len(b); ends(b, "y") && hasVowel(b[:n-1]) {
		b[n-1] = 'i'
	}
	return b
}

type rewrite struct{ from, to string }

func step2(b []byte) []byte {
	return replaceSuffix(b, []rewrite{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"logi", "log"},
		{"bli", "ble"},
		{"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
		{"ator", "ate"},
		{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"},
		{"biliti", "ble"},
	})
}

func step3(b []byte) []byte {
	return replaceSuffix(b, []rewrite{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	})
}

func replaceSuffix(b []byte, table []rewrite) []byte {
	for _, r := range table {
		if ends(b, r.from) {
			if head := b[:len(b)-len(r.from)]; measure(head) > 0 {
				return append(head, r.to...)
			}
			return b
		}
	}
	return b
}

func step4(b []byte) []byte {
	for _, s := range []string{"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
		"ou", "ism", "ate", "iti", "ous", "ive", "ize"} {
		if !ends(b, s) {
			continue
		}
		head := b[:len(b)-len(s)]
		if s == "ion" && head[len(head)-1] != 's' && head[len(head)-1] != 't' {
			return b
		}
		if measure(head) > 1 {
			return head
		}
		return b
	}
	return b
}

func step5(b []byte) []byte {
	if n := len(b); ends(b, "e") {
		if m := measure(b[:n-1]); m > 1 || m == 1 && !cvc(b[:n-1]) {
			b = b[:n-1]
		}
	}
	if n := len(b); n > 1 && b[n-1] == 'l' && doubleConsonant(b) && measure(b[:n-1]) > 1 {
		b = b[:n-1]
	}
	return b
}
