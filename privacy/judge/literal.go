package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Value reads the value that starts at or after i.
func (a Assignment) Value(text string, i int) (Assignment, bool) {
	i = a.skipWrapper(text, a.skipToValue(text, i))
	if i >= len(text) {
		return a, false
	}
	if from, to := bracedValue(text, i); from < to && a.Sep == Equals {
		a.Quoted, a.Start, a.End = true, from, to
		return a, true
	}
	at, quote, escapes := openQuote(text, i)
	if quote != 0 && a.outer == quote && a.depth == escapes && at == i+1+escapes && a.Sep == Equals && !a.Spaced {
		return a, false // it closes the literal that contains the name: "PWD=" + dir
	}
	switch {
	case quote != 0:
		a.Quoted = true
		a.Start = at
		a.End = ClosingQuote(text, at, quote, escapes, a.MaxLength)

	case a.Sep == Comma || a.Sep == Call || a.Sep == Compare:
		return a, false
	default:
		a.Start = at
		a.End = a.bareEnd(text, at)
	}
	return a, a.Start < a.End
}

// skipWrapper skips what programs and markup print around a value: Markdown stars, a YAML anchor or type, the old value
// of a word diff, the length of a string, an option.
func (a Assignment) skipWrapper(text string, i int) int {
	if a.Sep != Equals && a.Sep != Colon || i >= len(text) {
		return i
	}
	switch text[i] {
	case '*', '_':
		if j := i + len(text[i:]) - len(strings.TrimLeft(text[i:], "*_")); j < len(text) && j-i <= 3 && text[j] == ' ' {
			return SkipBlanks(text, j)
		}
	case '&', '!':
		for n := 0; n < 2 && i+1 < len(text) && (text[i] == '&' && value.WordByte(text[i+1]) ||
			text[i] == '!' && text[i+1] == '!'); n++ {
			j := i + 1
			for j < len(text) && j-i < 40 && text[j] > ' ' {
				j++
			}
			if j >= len(text) || text[j] != ' ' {
				return i
			}
			i = SkipBlanks(text, j)
		}
	case '[':
		if strings.HasPrefix(text[i:], "[]string{") {
			return i + len("[]string{")
		}
		if n := strings.Index(text[i:min(len(text), i+200)], "-]{+"); n > 0 && strings.HasPrefix(text[i:], "[-") {
			return i + n + len("-]{+")
		}
	case 's', 'S':
		for _, wrapper := range []string{"Some(", "String::from(", "SecretString::from(", "SecretString::new("} {
			if strings.HasPrefix(text[i:], wrapper+"\"") {
				return i + len(wrapper)
			}
		}
	}
	return i
}

// skipToValue skips blanks, a line break where one is allowed, and the mark of a YAML block.
func (a Assignment) skipToValue(text string, i int) int {
	i = SkipBlanks(text, i)
	if i >= len(text) || a.Sep == Blank || a.Sep == Column {
		return i
	}
	j := i
	for j < len(text) && j < i+3 && strings.IndexByte("|>+-", text[j]) >= 0 {
		j++
	}
	if a.Sep != Colon && a.Sep != Sibling {
		j = i
	}
	k := j
	for k < len(text) && k < j+scan.MaxBlank*2 && value.IsSpace(text[k]) {
		k++
	}
	if k == j || strings.IndexByte(text[j:k], '\n') < 0 {
		return i
	}
	// A value on the next line has more indentation, in a block or a call.
	if text[k-1] == '\n' || k >= len(text) {
		return len(text)
	}
	return k
}

// openQuote reads what opens a literal: a prefix letter, brackets, escapes, quotes.
func openQuote(text string, i int) (at int, quote byte, escapes int) {
	j := i
	for j < len(text) && j < i+3 && strings.IndexByte("[({", text[j]) >= 0 {
		j++
	}
	if strings.HasPrefix(text[j:], `<<"`) {
		return j + 3, '"', 0 // Erlang
	}
	if strings.HasPrefix(text[j:], `R"(`) {
		return j + 3, '"', 0
	}
	if j+1 < len(text) && strings.IndexByte("bBrRuUfFLN@$", text[j]) >= 0 && (text[j+1] == '"' || text[j+1] == '\'') {
		j++
	}
	k := j
	for k < len(text) && k < j+16 && text[k] == '\\' {
		k++
	}
	if k < len(text) && (text[k] == '"' || text[k] == '\'' || text[k] == '`') {
		if strings.HasPrefix(text[k:], `"""`) || strings.HasPrefix(text[k:], "'''") {
			return k + 3, text[k], k - j
		}
		return k + 1, text[k], k - j
	}
	if n := quoteEntity(text[j:]); n > 0 {
		return j + n, '&', 0
	}
	return i, 0, 0
}

// ClosingQuote finds the end of a literal: the same quote with as many escapes.
func ClosingQuote(text string, at int, quote byte, escapes, reach int) int {
	limit := min(len(text), at+reach)
	run := 0
	for i := at; i < limit; i++ {
		switch c := text[i]; {
		case c == '\\':
			run++
			continue
		case quote == '&' && c == '&' && quoteEntity(text[i:]) > 0:
			return i
		case c == quote && quote != '&' && (run == escapes || run < escapes || escapes == 0 && run%2 == 0):
			return i - min(run, escapes)
		case c == '\n' && quote != '`':
			return i
		}
		run = 0
	}
	return limit
}

// bareEnd returns the end of a value without quotes.
func (a Assignment) bareEnd(text string, at int) int {
	limit := min(len(text), at+a.MaxLength)
	i := at
loop:
	for ; i < limit; i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>', ';', 0:
			break loop
		case '+':
			if strings.HasPrefix(text[i:limit], "+}") {
				break loop
			}
		case '\\':
			if i+1 < limit && strings.IndexByte("nrt\"'\\u", text[i+1]) >= 0 {
				break loop
			}
		case ',':
			if i+1 >= limit || value.IsSpace(text[i+1]) || text[i+1] == '"' || namedNext(text[i+1:]) {
				break loop
			}
		case '&':
			if n := signEntity(text[i:]); n > 0 && !namedNext(text[i+n:]) {
				n = max(n, quoteEntity(text[i:]))
				i += n - 1
			} else if namedNext(text[i+1:]) || quoteEntity(text[i:]) > 0 {
				break loop
			}
		case '|':
			if a.Sep == Column {
				break loop
			}
		case quotationMark[0]:
			if strings.HasPrefix(text[i:], quotationMark) {
				break loop
			}
		}
	}
	for i > at && strings.IndexByte(",.:", text[i-1]) >= 0 {
		i--
	}
	return unbracketed(text, at, i)
}

// quotationMark closes a quotation.
const quotationMark = "”"

// signEntity returns the length of an XML entity for a sign.
func signEntity(s string) int {
	for _, e := range []string{"&amp;", "&lt;", "&gt;"} {
		if strings.HasPrefix(s, e) {
			return len(e)
		}
	}
	return 0
}

// unbracketed drops closing brackets that were not opened inside a value.
func unbracketed(text string, at, i int) int {
	for i > at {
		open := byte(0)
		switch text[i-1] {
		case ')':
			open = '('
		case ']':
			open = '['
		case '}':
			open = '{'
		}
		if open == 0 || strings.IndexByte(text[at:i], open) >= 0 {
			break
		}
		i--
	}
	return i
}

// namedNext reports whether another name=value follows.
func namedNext(s string) bool {
	i := 0
	for i < len(s) && i < 40 && (scan.TokenByte(s[i]) || s[i] == '.') {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '='
}

// bracedValue returns the bounds of a value in brackets that act as quotes: PWD={…}; in a connection string, [[…]] in
// Lua, q{…} in Perl.
func bracedValue(text string, i int) (from, to int) {
	if strings.IndexByte("{[q", text[i]) < 0 {
		return 0, 0
	}
	rest := text[i:min(len(text), i+160)]
	for _, b := range []struct{ open, shut, next string }{{"{", "}", ";"}, {"[[", "]]", "\n,;)"}, {"q{", "}", ";"},
		{"q(", ")", ";"}, {"qq{", "}", ";"}} {
		if !strings.HasPrefix(rest, b.open) {
			continue
		}
		n := strings.Index(rest[len(b.open):], b.shut)
		if n < 1 || strings.ContainsAny(rest[len(b.open):len(b.open)+n], " \n{\"'") {
			continue
		}
		if after := rest[len(b.open)+n+len(b.shut):]; after == "" && b.open != "{" ||
			after != "" && strings.IndexByte(b.next, after[0]) >= 0 {
			return i + len(b.open), i + len(b.open) + n
		}
	}
	return 0, 0
}
