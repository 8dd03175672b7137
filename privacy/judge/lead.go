package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// CertainPassword reports whether a word to which a sentence leads can only be a secret.
func CertainPassword(v string) bool {
	if len(v) < 7 || value.PathLike(v) || TypeName(v) || value.Placeholder(v) {
		return false
	}
	n := value.CountKinds(v)
	switch {
	case value.SymbolPassword(v) && HasSymbol(v) && !value.Expression(v):
		return true
	case value.LettersAndDigits(v) && !HostLike(v):
		return true
	case n.Digits > 0 && n.Upper > 0 && value.PunctuatedPassword(v) && !nameAndNumber(v):
		return true
	}
	return value.WordWithSymbol(v)
}

// nameAndNumber reports whether a value is a name and its number: Build_42.
func nameAndNumber(v string) bool {
	i := strings.LastIndexAny(v, "_-.")
	return i > 0 && value.CountKinds(v).Other == 1 && value.Integer(v[i+1:]) && len(v)-i <= 4 &&
		value.CountKinds(v[:i]).Digits == 0
}

// namedInBrackets redacts a password that the following brackets name as one: "VALUE (that's the password of the
// shop)".
func namedInBrackets(s *scan.Scanner, from int) {
	start := value.LineStart(s.Text, from, 120)
	open := strings.LastIndexByte(s.Text[max(start, from-40):from], '(')
	if open < 0 {
		return
	}
	open += max(start, from-40)
	if said := s.Text[open+1 : from]; open-start < 7 || s.Text[open-1] != ' ' ||
		strings.Trim(said, value.Letters+"' ") != "" || strings.Count(said, " ") > 5 {
		return
	}
	words := FieldSpans(s.Text, start, open-1)
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	if v := strings.Trim(s.Text[last[0]:last[1]], "\"'`"); v != "" && CertainPassword(v) {
		at := last[0] + strings.Index(s.Text[last[0]:last[1]], v)
		scan.Add(s, at, at+len(v), scan.RulePassword)
	}
}

// A sentence that reveals a password consists of a noun for one, what it is for, what leads to the value (a verb, a
// sign, a quotation mark, nothing), the value, and the end of the clause. The more strongly it leads to the value, the
// more the value may look like a word of the sentence.

// Lead is how strongly a sentence leads to the next word.
type Lead uint8

const (
	LeadPassing Lead = iota // somewhere after the noun
	LeadBehind              // after a word for what the password is for
	LeadBeside              // directly after the noun
	LeadTowards             // after "to" in a change, after "type"
	LeadSign                // after a colon, a dash, an arrow
	LeadVerb                // after a verb such as "is"
	LeadWording             // after a verb that only introduces wording
)

// accountValue reports whether a value can be the name of an account, and is not a label that forms show next to the
// account field.
func accountValue(v string) bool {
	if v == "" || len(v) > 64 || strings.ContainsAny(v, " <>\n") {
		return false
	}
	if value.InList(v, " root admin guest postgres ") {
		return true
	}
	return v[0] >= 'a' && v[0] <= 'z' && !value.LabelWord(v) && !value.InList(v, value.DescriptionWords) &&
		!value.InList(v, value.Examples)
}
