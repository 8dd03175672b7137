package assign

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
	closesOuter := a.outer == quote && a.depth == escapes && at == i+1+escapes
	if quote != 0 && closesOuter && (a.Sep == Equals || a.Sep == Call) && !a.Spaced {
		return a, false // the literal that contains the name ends: "PWD=" + dir, "Token(" + n
	}
	switch {
	case quote != 0:
		a.Quoted = true
		a.Start = at
		a.End = ClosingQuote(text, at, closing(text, at, quote), escapes, a.MaxLength)

	case a.Sep == Comma || a.Sep == Call || a.Sep == Compare:
		return a, false
	default:
		a.Start = at
		a.End = a.bareEnd(text, at)
	}
	return a, a.Start < a.End
}

// closing returns the quote that closes a literal: an apostrophe after `word', as GNU programs quote, else the one that
// opens it.
func closing(text string, at int, quote byte) byte {
	if quote != '`' {
		return quote
	}
	for at < len(text) && (scan.TokenByte(text[at]) || text[at] == '.') {
		at++
	}
	if at < len(text) && text[at] == '\'' {
		return '\''
	}
	return quote
}

// skipWrapper skips what programs and markup print around a value: Markdown stars, a YAML anchor or type, the old value
// of a word diff, the length of a string, a conversion.
func (a Assignment) skipWrapper(text string, i int) int {
	if a.Sep != Equals && a.Sep != Colon || i >= len(text) {
		return i
	}
	switch text[i] {
	case '*', '_':
		j := skipAny(text, i, 4, "*_")
		if j-i <= 3 && strings.HasPrefix(text[j:], " ") {
			return SkipBlanks(text, j)
		}
	case '&', '!':
		return skipYAML(text, i)
	case '[':
		if n := strings.Index(text[i:min(len(text), i+200)], "-]{+"); n > 0 && strings.HasPrefix(text[i:], "[-") {
			return i + n + len("-]{+")
		}
	case 's':
		if n := strings.Index(text[i:min(len(text), i+16)], ") \""); n > 0 && strings.HasPrefix(text[i:], "string(") {
			return i + n + len(") ") // of PHP's var_dump
		}
	}
	return skipConversion(text, i)
}

// conversions are what stands before a literal that is only given another type, so that the literal is the value.
var conversions = []string{
	"[]string{", "[]byte(", "[]rune(", "json.RawMessage(", // Go
	"Some(", "Box::from(", "Cow::from(", "String::from(", "SecretString::from(", "SecretString::new(", // Rust
	"Buffer.from(", "new TextEncoder().encode(", // JavaScript
	"bytes(", "bytearray(", "SecretStr(", // Python; str( is around texts, too, as QString( of C++
	"std::string(", "QByteArray(", // C++
	"Encoding.UTF8.GetBytes(", "new String(", "Optional.of(", "utf8.encode(", "*", // others; of an array in Rust
}

// skipConversion skips what gives the literal after it another type.
func skipConversion(text string, i int) int {
	for _, c := range conversions {
		if !strings.HasPrefix(text[i:], c) {
			continue
		}
		if _, quote, _ := openQuote(text, i+len(c)); quote != 0 && !composed(text[i+len(c):]) {
			return i + len(c)
		}
	}
	return i
}

// composed reports whether the literal at the start of a text has room for other values: {}, %1.
func composed(text string) bool {
	literal, _, _ := strings.Cut(text[:min(len(text), maxComposed)], ")")
	at := strings.IndexByte(literal, '%') + 1
	return strings.Contains(literal, "{}") || at > 0 && at < len(literal) && literal[at] >= '1' && literal[at] <= '9'
}

const maxComposed = 128 // bytes of a literal in which room for values is searched

// skipYAML skips an anchor and a type.
func skipYAML(text string, i int) int {
	for range 2 {
		anchor := text[i] == '&' && i+1 < len(text) && value.WordByte(text[i+1])
		if !anchor && !strings.HasPrefix(text[i:], "!!") {
			return i
		}
		j := i + 1
		for j < len(text) && j-i < 40 && text[j] > ' ' {
			j++
		}
		if !strings.HasPrefix(text[j:], " ") {
			return i
		}
		if i = SkipBlanks(text, j); i == len(text) {
			return i
		}
	}
	return i
}

// skipAny skips up to most bytes of a set.
func skipAny(text string, i, most int, set string) int {
	for end := min(len(text), i+most); i < end && strings.IndexByte(set, text[i]) >= 0; {
		i++
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
	if a.Sep == Colon || a.Sep == Sibling {
		j = skipAny(text, i, 3, "|>+-")
	}
	k := skipAny(text, j, scan.MaxBlank*2, " \t\r\n")
	if strings.IndexByte(text[j:k], '\n') < 0 {
		return i
	}
	// A value on the next line has more indentation, in a block or a call, or is alone there, in what people write.
	if k >= len(text) || text[k-1] == '\n' && !(a.Sep == Colon && aloneBelow(text, i, k)) {
		return len(text)
	}
	return k
}

// aloneBelow reports whether a line is one word that may be a value, below a line that is only a name and a colon.
func aloneBelow(text string, colon, at int) bool {
	const least = 6
	line := strings.TrimRight(text[at:EndOfLine(text, at)], " \t\r")
	if len(line) < least || strings.ContainsAny(line, " \t=") || value.Data(line) {
		return false
	}
	name := strings.TrimSpace(text[value.LineStart(text, colon, MaxLine):colon])
	return !strings.Contains(name, " ") && !value.EndsWithAny(line, ":", ",", "{", "[", "(", ">")
}

// openQuote reads what opens a literal: a prefix letter, brackets, escapes, quotes.
func openQuote(text string, i int) (at int, quote byte, escapes int) {
	j := skipAny(text, i, 3, "[({")
	if strings.HasPrefix(text[j:], `<<"`) || strings.HasPrefix(text[j:], `R"(`) {
		return j + 3, '"', 0 // of Erlang, of C++
	}
	if j+1 < len(text) && strings.IndexByte("bBrRuUfFLN@$", text[j]) >= 0 && strings.IndexByte(`"'`, text[j+1]) >= 0 {
		j++
	}
	k := skipAny(text, j, 16, `\`)
	if k < len(text) && strings.IndexByte("\"'`", text[k]) >= 0 {
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
		case c == quote && quote != '&' && (run <= escapes || escapes == 0 && run%2 == 0):
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
	for i < limit && !a.endsBare(text, i, limit) {
		i++
		if n := signEntity(text[i-1:]); n > 0 {
			i += n - 1
		}
	}
	_, i = value.Trimmed(text, at, i, "", ",.:")
	return unbracketed(text, at, i)
}

// endsBare reports whether a value without quotes that is read up to limit ends before the byte at i.
func (a Assignment) endsBare(text string, i, limit int) bool {
	switch text[i] {
	case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>', ';', 0:
		return true
	case '+', '-': // of a word diff
		return strings.HasPrefix(text[i:limit], "+}") || strings.HasPrefix(text[i:limit], "-]")
	case '\\':
		return i+1 < limit && strings.IndexByte("nrt\"'\\u", text[i+1]) >= 0
	case ',':
		return namedNext(text[i+1:])
	case '&':
		return namedNext(text[i+1:]) || namedNext(text[i+signEntity(text[i:]):]) || quoteEntity(text[i:]) > 0
	case '|':
		return a.Sep == Column
	case quotationMark[0]:
		return strings.HasPrefix(text[i:], quotationMark)
	}
	return false
}

// quotationMark closes a quotation.
const quotationMark = "”"

// signEntity returns the length of an XML entity for a sign.
func signEntity(s string) int {
	if s[0] != '&' {
		return 0
	}
	return value.PrefixLength(s, "&amp;", "&lt;", "&gt;")
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
