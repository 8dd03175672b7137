package memory

import (
	"strings"
	"unicode"
)

// termKind says how much a term reveals about the subject of a text.
type termKind int

const (
	word    termKind = iota
	generic          // a word that any text about software may contain
	ident            // an identifier, a path, a version: a name from the code
	part             // a part of an identifier
	number
)

// weight is how much a shared term counts. Weights and their factors are sums of powers of two, so that adding them is
// exact and the order of a map does not change a score.
func (k termKind) weight() float64 {
	switch k {
	case generic:
		return 0.375
	case ident:
		return 2
	}
	return 1
}

// term is a word in the form that is compared: lower case, without ending, one of its synonyms.
type term struct {
	text string
	kind termKind
}

// terms calls f for each content word of a text, in order. It skips small words and negations.
func terms(text string, f func(term)) {
	for _, chunk := range strings.FieldsFunc(text, notInTerm) {
		chunk = strings.Trim(chunk, "./:-_@#+'’%$")
		if chunk != "" {
			chunkTerms(chunk, f)
		}
	}
}

// notInTerm reports whether a rune ends a chunk. A chunk may contain whatever occurs in identifiers, paths and numbers.
func notInTerm(r rune) bool {
	if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return false
	}
	return !strings.ContainsRune("_./:-@#+'’%$", r)
}

func chunkTerms(chunk string, f func(term)) {
	if isNumber(chunk) {
		f(term{normalNumber(chunk), number})
		return
	}
	parts, emit := splitParts(chunk), f
	if isIdent(chunk) {
		f(term{canonical(strings.ToLower(chunk)), ident})
		if len(parts) == 1 {
			return
		}
		emit = func(t term) { f(term{t.text, part}) }
	}
	for _, p := range parts {
		if isNumber(p) {
			emit(term{normalNumber(p), number})
			continue
		}
		plainTerm(strings.ToLower(p), emit)
	}
}

// plainTerm emits one lower-case word, or pairs of characters in scripts without spaces between words.
func plainTerm(w string, f func(term)) {
	if wide := []rune(w); wide[0] >= 0x2E80 && len(wide) > 2 {
		for i := range len(wide) - 1 {
			f(term{string(wide[i : i+2]), word})
		}
		return
	}
	if len(w) < 2 || isStop(w) {
		return
	}
	s := canonical(stem(w))
	switch {
	case isStop(s):
	case isGeneric(s):
		f(term{s, generic})
	default:
		f(term{s, word})
	}
}

// isNumber reports whether a chunk is a quantity: digits, with at most a unit or a sign.
func isNumber(s string) bool {
	digits := 0
	for digits < len(s) &&
		(s[digits] >= '0' && s[digits] <= '9' || digits > 0 && strings.IndexByte(".,_:", s[digits]) >= 0) {
		digits++
	}
	return digits > 0 && len(s)-digits <= 3
}

func normalNumber(s string) string {
	return strings.NewReplacer(",", "", "_", "").Replace(strings.ToLower(s))
}

// isIdent reports whether a chunk is spelt unlike any word of a language: with dots, underscores, slashes or colons
// inside, with digits, or with capitals inside.
func isIdent(s string) bool {
	if strings.ContainsAny(s, "_/:@#") || strings.Contains(strings.Trim(s, "."), ".") {
		return true
	}
	digit, letter, inner := false, false, false
	var before rune
	for _, r := range s {
		digit = digit || unicode.IsDigit(r)
		letter = letter || unicode.IsLetter(r)
		inner = inner || unicode.IsUpper(r) && unicode.IsLower(before)
		before = r
	}
	return inner || digit && letter
}

// splitParts splits an identifier or a compound into its words.
func splitParts(s string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, s[start:end])
		}
	}
	var before rune
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
			flush(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush(i)
			start = i
		}
		before = r
	}
	flush(len(s))
	return out
}

// stem removes endings so that forms of the same word match. It need not find the root: equal results are enough.
func stem(w string) string {
	if len(w) < 4 || w[0] >= 0x80 {
		return w
	}
	w = singular(w)
	for _, ending := range []string{"ization", "isation", "ation", "ing", "ed", "ment", "ness", "ion", "ly"} {
		rest, ok := strings.CutSuffix(w, ending)
		if !ok || len(rest) < 3 || !strings.ContainsAny(rest, "aeiouy") {
			continue
		}
		switch ending {
		case "ation":
			rest += "at"
		case "ization", "isation":
			rest += "iz"
		}
		w = undouble(rest)
		break
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// undouble turns "runn" into "run".
func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("aeiouls", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

// bag is the set of terms of a text with their weights.
type bag map[string]float64

func (b bag) add(text string, factor float64) {
	terms(text, func(t term) { b[t.text] = max(b[t.text], factor*t.kind.weight()) })
}

func (b bag) total() (sum float64) {
	for _, w := range b {
		sum += w
	}
	return sum
}

// shared returns the total weight of what two bags have in common.
func (b bag) shared(c bag) (sum float64) {
	if len(c) < len(b) {
		b, c = c, b
	}
	for t, w := range b {
		if v, ok := c[t]; ok {
			sum += (w + v) / 2
		}
	}
	return sum
}
