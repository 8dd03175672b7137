package judge

import (
	"html"
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// SecretValue decides whether a value is secret, given how certain its name is.
func SecretValue(s *scan.Scanner, k value.Strength, a Assignment) bool {
	v := s.Text[a.Start:min(a.End, a.Start+MaxJudged)]
	if a.Sep == Column || a.Sep == Element {
		v = html.UnescapeString(v)
	}
	switch {
	case len(v) < 6, notAValue(v), k != value.PasswordKey && !ASCII(v): // no generator writes other letters: it is a label
		return false
	case isCode(v, a), strings.Count(v, `\`) > 2, namesType(k, v, a), value.HexNumber(v):
		return false
	case a.Quoted && salt(v):
		return !value.Template(v)
	case !hasSecretForm(s, k, v, a), value.Placeholder(v), value.Selector(v):
		return false
	}
	bare := strings.Trim(v, `'"`)
	return len(bare) == len(v) || !value.Placeholder(bare)
}

// notAValue reports whether something else follows a name: a call continues, an option follows, or it is a class of
// packages.
func notAValue(v string) bool {
	classOfPackages := v[0] == '*' && value.Dotted(v[1:])
	codeContinues := strings.HasPrefix(v, ").") || strings.HasPrefix(v, `{"`)
	return classOfPackages || codeContinues || optionName(v) || value.ContainsAny(v, " :: ", "\n", `\x1b[`)
}

// passwordLike reports whether a value is made of the signs, or the letters and digits, of a password.
func passwordLike(v string) bool { return value.SymbolPassword(v) || value.LettersAndDigits(v) }

// namesType reports whether a value is the name of a type; a password in quotes may be written like one.
func namesType(k value.Strength, v string, a Assignment) bool {
	if a.Env || !TypeName(v) || value.Random(v) {
		return false
	}
	return k != value.PasswordKey || !a.Quoted
}

// optionName reports whether a value is the next option of a command: --region=eu.
func optionName(v string) bool {
	return len(v) > 3 && v[:2] == "--" && strings.Trim(v[2:4], lowerLetters) == ""
}

// isCode reports whether a value without quotes is an expression in a program.
func isCode(v string, a Assignment) bool { return !a.Quoted && !a.Env && value.CodeLike(v) }

// hasSecretForm reports whether a value has the form of a secret for a name of this strength.
func hasSecretForm(s *scan.Scanner, k value.Strength, v string, a Assignment) bool {
	switch {
	case a.Sep == Blank:
		return secretAfterWords(s, k, v, a)
	case k == value.WeakKey:
		return drawnKey(v) || a.Env && passwordLike(v)
	case k == value.PasswordKey:
		return passwordAfterName(v, a)
	case a.listed():
		return secretInList(k, v, a)
	}
	return TokenForm(v, a)
}

// drawnKey reports whether a value is random, and not text in base64.
func drawnKey(v string) bool { return !encodedText(v) && (value.Random(v) || keyLike(v)) }

// passwordAfterName decides about a value with more than words between it and the name of a password.
func passwordAfterName(v string, a Assignment) bool {
	switch {
	case a.Sep == Compare:
		return value.Mixed(v) && !strings.Contains(v, " ")
	case setsPassword(a) && (OneWord(v) || RareWords(v)):
		return true
	case a.listed():
		return secretInList(value.PasswordKey, v, a)
	}
	return PasswordForm(v, a)
}

// listed reports whether a value is a cell or an argument.
func (a Assignment) listed() bool {
	return a.Sep == Column || a.Sep == Call || a.Sep == Comma || a.Sep == Compare
}

// setsPassword reports whether a literal is the argument of a call that sets a password.
func setsPassword(a Assignment) bool {
	return a.Quoted && (a.Sep == Comma && a.OuterCapital || a.Sep == Call && a.Setter)
}

// secretInList decides about a cell, or an argument of a call.
func secretInList(k value.Strength, v string, a Assignment) bool {
	apart := a.Quoted || a.Sep == Column
	switch {
	case a.Sep == Call && strings.Trim(v, "0123456789.-+eE") == "":
		return false
	case value.SymbolPassword(v), len(v) >= 16 && !value.ReadsLikeWords(v) && !value.PathLike(v):
		return true
	case k == value.TokenKey:
		return apart && value.LettersAndDigits(v)
	case k != value.PasswordKey:
		return false
	case apart && value.AlnumPassword(v), a.Quoted && value.RandomLetters(v):
		return true
	}
	return a.Quoted && a.OuterCapital && value.RandomWithBrackets(v)
}

// secretAfterWords decides about a value with only words before it.
func secretAfterWords(s *scan.Scanner, k value.Strength, v string, a Assignment) bool {
	switch {
	case TechnicalTerm(v):
		return false
	case k == value.PasswordKey:
		return passwordAfterWords(s, v, a)
	case k == value.TokenKey:
		return tokenAfterWords(s, v, a)
	}
	redis := a.Start > 4 && s.Text[a.Start-5:a.Start] == "AUTH " && directive(s, a) && value.SymbolPassword(v)
	return redis || value.Random(v) || keyLike(v) && !value.UuidLike(v)
}

// passwordAfterWords decides about a value after the name of a password.
func passwordAfterWords(s *scan.Scanner, v string, a Assignment) bool {
	switch {
	case a.Quoted && len(v) >= 8 && value.Integer(v), value.Mixed(v):
		return true
	case a.Quoted, a.AfterVerb, directive(s, a):
		return namedInSentence(s, v, a)
	case value.AlnumPassword(v) && LineEnd(s, a.End):
		return true
	}
	return longAfterWords(v)
}

// namedInSentence decides about a password in quotes, after a verb, or on a line of its own.
func namedInSentence(s *scan.Scanner, v string, a Assignment) bool {
	switch {
	case strings.Contains(v, " "), value.PathLike(v), described(v), a.AfterVerb && strings.HasPrefix(v, "pass"):
		return false
	case value.Mixed(v), value.RandomLetters(v) && !DescribedSo(v):
		return true
	case a.AfterVerb && (!a.Quoted || s.Text[a.Start-1] == '`'): // the learned judge decides
		return false
	case a.Quoted && (OneWord(v) || value.WordWithSymbol(v)):
		return true
	}
	return len(v) >= 8 && value.Integer(v) && directive(s, a)
}

// tokenAfterWords decides about a value after the name of a token or key.
func tokenAfterWords(s *scan.Scanner, v string, a Assignment) bool {
	switch {
	case a.AfterVerb && value.AlnumPassword(v):
		return true
	case directive(s, a):
		return !strings.Contains(v, " ") && !value.PathLike(v) && len(v) >= 10 && (value.Mixed(v) || value.RandomLetters(v))
	case a.Quoted && value.LettersAndDigits(v), value.UuidLike(v) && LineEnd(s, a.End):
		return true
	}
	return longAfterWords(v)
}

// longAfterWords decides about a value that only its form makes a secret.
func longAfterWords(v string) bool {
	if value.PathLike(v) || value.UuidLike(v) {
		return false
	}
	return value.SymbolPassword(v) || len(v) >= 16 && value.Mixed(v) && (value.Random(v) || !value.ReadsLikeWords(v))
}

// TokenForm judges what programs generate as a token.
func TokenForm(v string, a Assignment) bool {
	switch {
	case notToken(v, a):
		return false
	case a.inProgram() && value.Identifier(v) && !value.Random(v) && !(a.Line && value.LettersAndDigits(v)):
		return len(v) >= 20 && value.Mixed(v) && !value.ReadsLikeWords(v)
	case value.LettersAndDigits(v) && (!a.inProgram() || a.Line):
		return true
	}
	return len(v) >= 8 && (!value.ReadsLikeWords(v) || value.SymbolPassword(v)) && !value.PathLike(v)
}

// inProgram reports whether a value without quotes follows a sign with blanks around it, as in a program.
func (a Assignment) inProgram() bool { return a.Spaced && !a.Quoted }

// notToken reports whether a value is a short number, a word of another alphabet in a sentence, a name in code for a
// key, or text in base64.
func notToken(v string, a Assignment) bool {
	number, name := value.Integer(v) && len(v) < 16, !a.Quoted && !a.Env && camelName(v)
	return number || name || a.Sep == Blank && !ASCII(v) || encodedText(v)
}

// PasswordForm judges what people choose as a password.
func PasswordForm(v string, a Assignment) bool {
	if strings.ContainsAny(v, "\n\t") || strings.Count(v, " ") > 1 || value.PathLike(v) {
		return false
	}
	if value.PlainWords(v) {
		return wordsAsPassword(v, a)
	}
	if a.inProgram() && value.Identifier(v) {
		return value.SymbolPassword(v) || value.Mixed(v) && value.CountKinds(v).Runs > 1
	}
	return !strings.Contains(v, " ")
}

// wordsAsPassword decides about plain words in the place of a password.
func wordsAsPassword(v string, a Assignment) bool {
	switch {
	case a.Env && !strings.ContainsAny(v, " /:,"):
		return !value.InList(value.LowerASCII(v), value.DescriptionWords)
	case passwordOfWords(v, a):
		return true
	case strings.ContainsAny(v, " ./:,_-"), strings.Contains(strings.ToLower(v), "pass"):
		return false
	case value.RandomLetters(v) && !a.inProgram():
		return true
	case a.Line, !a.Quoted && !a.Spaced && a.Sep == Equals:
		return true
	}
	return (a.Quoted || a.Sep == Element) && OneWord(v)
}

// passwordOfWords reports whether a value in the place of a password is words that somebody joined.
func passwordOfWords(v string, a Assignment) bool {
	dashed := strings.IndexByte(v, '-') > 0
	marked := a.Quoted || dashed && a.Line
	if (dashed || a.Quoted) && JoinedPassphrase(v) {
		return true
	}
	return (a.Sep == Element || marked && a.Sep != Column && a.Sep != Blank) && RareWords(v)
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
	return len(v) >= 8 && len(v) <= 24 && strings.Trim(v, lowerLetters) == ""
}
