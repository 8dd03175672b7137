package compress

import (
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// shorten cuts s to at most n bytes, between words if possible.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	cut := n - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	head := s[:cut]
	if i := strings.LastIndexByte(head, ' '); i > cut/2 {
		head = head[:i]
	}
	return strings.TrimRight(openPlaceholder(head), " ,;:.") + "…"
}

// openPlaceholder removes a placeholder of the gate at the end that lost its closing bracket. Another open bracket may
// be the beginning of all there is.
func openPlaceholder(s string) string {
	i := strings.LastIndexByte(s, '[')
	if i < 0 || strings.Contains(s[i:], "]") {
		return s
	}
	for _, mark := range []string{"[REDACTED:", "[EXCLUDED:", "[WITHHELD:", "[CUT:"} {
		if strings.HasPrefix(s[i:], mark) || strings.HasPrefix(mark, s[i:]) {
			return s[:i]
		}
	}
	return s
}

var (
	fence      = lazyregexp.New("(?s)```.*?(?:```|$)")
	markup     = lazyregexp.New(`(?m)^(?:#+|[-*>]|\d+\.)\s+|\*\*|__|` + "`")
	sentence   = lazyregexp.New(`[.!?](?:\s|$)|\n\n|:\n`)
	politeness = lazyregexp.New(
		`(?i)^(?:(?:hi|hello|hey|ok|okay|great|thanks|thank you|please|now|so|and|then|also|sure|perfect|done)[,.!:]?\s+)+|^(?:can|could|would|will) you (?:please )?|^(?:i(?:'d| would) like you to|i want you to|i need you to|let's|let us)\s+|^(?:remember|note)(?:,|:| that)\s+`)
)

// prose returns a text without courtesies, markup and code blocks.
func prose(s string) string {
	s = fence.ReplaceAllString(s, " ")
	s = strings.TrimSpace(markup.ReplaceAllString(s, ""))
	return strings.TrimSpace(politeness.ReplaceAllString(s, ""))
}

// firstSentence returns the first sentence of a text, within n bytes.
func firstSentence(s string, n int) string {
	s = prose(s)
	for _, at := range sentence.FindAllStringIndex(s, -1) {
		if at[0] >= 12 {
			s = s[:at[0]]
			break
		}
	}
	return shorten(strings.TrimRight(s, ".!: "), n)
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return strings.ToUpper(string(r)) + s[n:]
}

func plural(n int, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

// list joins names with commas and "and".
func list(names []string, most int) string {
	more := ""
	if len(names) > most {
		names, more = names[:most], "…"
	}
	if more != "" || len(names) < 2 {
		return strings.Join(names, ", ") + more
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
