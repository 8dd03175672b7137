package pair

import (
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/languages"
	"keepmum/privacy/scan"
	"keepmum/privacy/speech"
	"keepmum/privacy/value"
)

// OtherLanguageWords are words for a password or a key in other languages, in letters that the automaton can contain.
func OtherLanguageWords() (out []string) {
	for _, kind := range []string{"password", "key", "name"} {
		for _, w := range languages.ByKind()[kind] {
			if value.ASCII(w) {
				out = append(out, value.LowerASCII(w))
			}
		}
	}
	return out
}

// FindNonASCIICues searches a text that can contain other alphabets for cues in them.
func FindNonASCIICues(s *scan.Scanner) {
	if s.Latin {
		return
	}
	named := 0
	for c := range speech.BeyondASCII(s.Text) {
		if !c.NameOnly {
			scan.Cued(s, c.Of, c.Start, c.End)
		}
		if c.Letter >= named {
			named = nameBeyondASCII(s, c.Start, c.End, c.Of)
		}
	}
}

// nameBeyondASCII judges the name of a setting with a word for a password or a key at [from, to) and letters beyond
// ASCII: {"пароль": …}, contraseña_db = …. It returns where the name ends.
func nameBeyondASCII(s *scan.Scanner, from, to int, of scan.CueOf) int {
	strength, word := value.PasswordKey, s.Text[from:to]
	switch of {
	case scan.CuePassword:
	case scan.CueKey:
		strength = value.TokenKey
	default:
		return to
	}
	if strength == value.PasswordKey {
		saidBehind(s, to)
	}
	for from > 0 && to-from < scan.MaxName && nameByte(s.Text[from-1]) {
		from--
	}
	for to < len(s.Text) && to-from < scan.MaxName && nameByte(s.Text[to]) {
		to++
	}
	if !setting(s.Text, from, to) {
		columnOf(s, from, to, strength)
		return to
	}
	if beginsSentence(s.Text, from, to, strength) {
		return to
	}
	a, _ := Assigned(s.Text, from, to, reach(s))
	placeholder := strings.Contains(s.Text[a.Start:a.End], word) // пароль = ваш_пароль
	if !placeholder && !judge.HashPrefixed(s.Text, a.Start) {    // 密钥指纹: SHA256:…
		n := &scan.Called{From: from, To: to, Words: []string{s.Text[from:to]}, Alone: strength, Strength: strength}
		judgeNamedValue(s, n)
	}
	return to
}

// unspacedVerbs are the words for "is" and "set to" in alphabets without blanks.
var unspacedVerbs = sync.OnceValue(func() []string {
	all := slices.Concat(languages.ByKind()["is"], languages.ByKind()["enter"])
	return slices.DeleteFunc(all, func(w string) bool { return !scan.Unspaced(w[0]) })
})

// saidBehind judges the value behind "is", "is set to" or a colon in an alphabet without blanks: 密码是VALUE，
func saidBehind(s *scan.Scanner, to int) {
	rest, is := s.Text[to:min(len(s.Text), to+scan.MaxValue)], 0
	for _, w := range unspacedVerbs() {
		if strings.HasPrefix(rest, w) {
			is = max(is, len(w))
		}
	}
	if strings.HasPrefix(rest, "：") {
		is = len("：")
	}
	v := strings.TrimLeft(rest[is:], " 了：:「『“‘\"'")
	from := to + len(rest) - len(v)
	ends := func(r rune) bool { return r <= ' ' || strings.ContainsRune(`,"'`, r) || r >= 0x80 }
	if end := strings.IndexFunc(v, ends); end >= 0 {
		v = v[:end]
	}
	v = strings.TrimRight(v, ".;:!?")
	a := assign.Assignment{Sep: assign.Blank, AfterVerb: true, Start: from, End: from + len(v)}
	if is > 0 && judge.SecretValue(s, value.PasswordKey, "password", a) {
		scan.Add(s, a.Start, a.End, scan.RulePassword)
	}
}

// beginsSentence reports whether a name may be part of a sentence. "пароль: …" is left to the judge of words near cues,
// unless a value in quotes ends the line; the value of a key must look drawn anyway.
func beginsSentence(text string, from, to int, strength value.Strength) bool {
	if strings.ContainsAny(text[from:to], "、。，；：！？（）「」") {
		return true
	}
	colon := assign.SkipBlanks(text, to)
	return strength == value.PasswordKey && strings.HasPrefix(text[colon:], ":") && !quotedLine(text[colon+1:])
}

// quotedLine reports whether the first line of a text is one value in quotes.
func quotedLine(text string) bool {
	line := text[:assign.EndOfLine(text, 0)]
	v := strings.Trim(line, " \t\r,;")
	if len(v) < 2 || v[0] != '"' && v[0] != '\'' {
		return false
	}
	return strings.IndexByte(v[1:], v[0]) == len(v)-2
}

// nameByte reports whether a byte can be in the name of a setting, in any alphabet.
func nameByte(c byte) bool { return c >= 0x80 || scan.TokenByte(c) }

// NameInOtherLanguage judges the name of a setting that is, or ends with, such a word: heslo=, "clave":, CHIAVE_API =.
func NameInOtherLanguage(s *scan.Scanner, end int) {
	if strings.HasPrefix(s.Text[end:], "ña") {
		nameBeyondASCII(s, end-len("contrase"), end+len("ña"), scan.CuePassword)
		return
	}
	if from, to := assign.NameAt(s.Text, end); setting(s.Text, from, to) {
		Name(s, end)
	} else {
		columnOf(s, from, to, value.KeyStrength(s.Text[from:to]))
	}
}

// columnOf judges the cells below a name, if it heads a column.
func columnOf(s *scan.Scanner, from, to int, k value.Strength) {
	if k < value.TokenKey {
		return
	}
	if delimiter := heads(s, from, to); delimiter != "" {
		column(s, from, delimiter, k)
	}
}

// namedElement reports whether a name stands between two texts as the name of an element: <entry key="…">.
func namedElement(before, after string) bool {
	return strings.HasPrefix(after, `">`) && strings.HasSuffix(before, ` key="`)
}

// setting reports whether what is at [from, to) is the name of a setting.
func setting(text string, from, to int) bool {
	if from > 0 && text[from-1] == '<' && strings.HasPrefix(text[to:], ">") || namedElement(text[:from], text[to:]) {
		return true
	}
	to = assign.SkipBlanks(text, assign.SkipClosers(text, to))
	if to >= len(text) || text[to] != ':' {
		return to < len(text) && text[to] == '='
	}
	before := strings.TrimRight(text[value.LineStart(text, from, 160):from], " \t-")
	return before == "" || strings.IndexByte("\"'{,(", before[len(before)-1]) >= 0
}
