package judge

import (
	"html"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// SecretValue decides whether the value of a name is secret, given how surely the name is that of a secret.
func SecretValue(s *scan.Scanner, k value.Strength, name string, a assign.Assignment) bool {
	v := s.Text[a.Start:min(a.End, a.Start+assign.MaxJudged)]
	if a.Sep == assign.Column || a.Sep == assign.Element {
		v = html.UnescapeString(v)
	}
	switch {
	case len(v) < 6, notAValue(v),
		k != value.PasswordKey && !value.ASCII(v): // no generator writes other letters: it is a label
		return false
	case a.Sep == assign.Blank && value.UUIDLike(v) && !assign.LineEnd(s, a.End): // an id that a sentence is about
		return false
	case isCode(v, a), strings.Count(v, `\`) > 2, namesType(k, v, a), value.HexNumber(v):
		return false
	case a.Quoted && salt(v):
		return !value.Template(v)
	case strings.Count(v, " ") > 1: // a message; passphrases are read apart
		return false
	case value.Placeholder(strings.Trim(v, `'"`)), value.Selector(v):
		return false
	}
	return secretByWeights(s, k, name, v, a)
}

// notAValue reports whether something else follows a name: a call continues, an option follows, or it is a class of
// packages.
func notAValue(v string) bool {
	classOfPackages := v[0] == '*' && value.Dotted(v[1:])
	codeContinues := strings.HasPrefix(v, ").") || strings.HasPrefix(v, `{"`)
	return classOfPackages || codeContinues || optionName(v) || value.ContainsAny(v, " :: ", "\n", `\x1b[`)
}

// namesType reports whether a value is the name of a type; a password in quotes may be written like one.
func namesType(k value.Strength, v string, a assign.Assignment) bool {
	if a.Env || !TypeName(v) || value.Random(v) {
		return false
	}
	return k != value.PasswordKey || !a.Quoted
}

// optionName reports whether a value is the next option of a command: --region=eu.
func optionName(v string) bool {
	return len(v) > 3 && v[:2] == "--" && strings.Trim(v[2:4], value.SmallLetters) == ""
}

var withoutSums = strings.NewReplacer("+", "-", "*", "-")

// isCode reports whether a value without quotes is an expression in a program. In an element and a cell, + and *
// compute nothing.
func isCode(v string, a assign.Assignment) bool {
	if a.Sep == assign.Element || a.Sep == assign.Column {
		v = withoutSums.Replace(v)
	}
	return !a.Quoted && !a.Env && value.CodeLike(v)
}

// certainAfterName reports whether a value can only be a secret after such a name: it is random, or after the name of a
// password a number, or one word in quotes.
func certainAfterName(k value.Strength, v string, a assign.Assignment) bool {
	if a.Words {
		return false
	}
	if a.Env && value.SymbolPassword(v) {
		return true
	}
	switch k {
	case value.WeakKey:
		return (a.Sep == assign.Equals || a.Sep == assign.Blank) && drawnKey(v)
	case value.TokenKey:
		return drawnKey(v) || a.Sep != assign.Blank && longToken(v)
	}
	if len(v) >= 10 && value.RandomLetters(v) || a.Sep <= assign.Colon && value.Integer(v) {
		return true
	}
	return literal(a) && OneWord(v)
}

// literal reports whether a value is all that is in quotes or in an element.
func literal(a assign.Assignment) bool {
	switch a.Sep {
	case assign.Equals, assign.Colon, assign.Call:
		return a.Quoted
	}
	return a.Sep == assign.Element
}

// drawnKey reports whether a value is random, and not text in base64.
func drawnKey(v string) bool { return !encodedText(v) && (value.Random(v) || keyLike(v)) }

// longToken reports whether a value is long, and has letters and digits in no order of words: parts of it are random.
func longToken(v string) bool {
	if len(v) < 32 || value.ReadsLikeWords(v) || value.PathLike(v) || strings.IndexByte(v, ' ') >= 0 {
		return false
	}
	n := value.CountKinds(v)
	return n.Digits >= 4 && n.Lower+n.Upper >= 4
}

// SecretMember reports whether the value of an object's member is a secret, given its key.
func SecretMember(k value.Strength, key, v string) bool {
	s := scan.Scanner{Text: `"` + key + `": "` + v + `"`}
	at := len(s.Text) - len(v) - 1
	a := assign.Assignment{Sep: assign.Colon, Quoted: true, Line: true, Start: at, End: at + len(v)}
	return secretByWeights(&s, k, key, v, a)
}

// salt reports whether a literal is a long random row of all sorts of signs, including blanks and brackets, as salt
// generators write it.
func salt(v string) bool {
	n := value.CountKinds(v)
	if len(v) < 32 || n.Sorts() < 4 || n.Digits < 3 || n.Other*5 < len(v) || n.Other*5 > len(v)*4 {
		return false
	}
	return !strings.Contains(v, "://") && value.CrossEntropy(v) >= value.DrawnShort
}

// OneWord reports whether a literal is one lower-case word that in the place of a password can hardly be anything else:
// not a label, not a name in code.
func OneWord(v string) bool {
	return len(v) >= 8 && len(v) <= 24 && strings.Trim(v, value.SmallLetters) == ""
}
