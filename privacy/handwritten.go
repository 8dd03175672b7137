package privacy

import "strings"

// literal reports whether what stands behind a name is taken as it is written,
// so that no sign in it makes it code: in quotes, in a line of settings, behind
// a flag, in an element, in a cell, in a connection string.
func (s *scanner) literal(from int, a assignment) bool {
	switch {
	case a.sep == equals && strings.HasSuffix(s.text[max(0, from-len("%let ")):from], "%let "):
		return true // of SAS
	case a.quoted, a.env, a.sep == element, a.sep == column:
		return true

	case a.sep == equals && !a.loose && s.connects(from, a):
		return true
	}
	return a.line && !a.loose || s.flag(a) || a.sep == equals && !a.loose && s.optional(from)
}

// optional reports whether NAME=value is a flag, or one of a list of options:
// --password=…, -o user=…,password=….
func (s *scanner) optional(from int) bool {
	if from < 2 {
		return false
	}
	if s.text[from-1] == '-' {
		return s.text[from-2] == '-' || s.text[from-2] == ' '
	}
	if s.text[from-2:from] == "-D" {
		return true
	}
	before := s.text[lineStart(s.text, from, 80):from]
	if i := strings.Index(before, "] > /"); i > 0 {
		before = before[i+len("] > "):]
	}
	if s.text[from-1] == ' ' && before[0] == '/' && (strings.Contains(before, " set ") || strings.Contains(before, " add ")) {
		return true // a line for a router: /ppp secret add name=… password=…
	}
	return s.text[from-1] == ',' && !strings.ContainsAny(before, "({[") && strings.Contains(before, "=")
}

// connects reports whether a name is one of a connection string.
func (s *scanner) connects(from int, a assignment) bool {
	if a.end >= len(s.text) || strings.IndexByte("; \"'\n", s.text[a.end]) < 0 || from > 1 && s.text[from-2] == ',' || from == 0 || s.text[from-1] != ';' && s.text[from-1] != ' ' {
		return false
	}
	before := lowerASCII(s.text[lineStart(s.text, from, 160):from])
	for _, w := range []string{"server=", "source=", "host=", "user id=", "uid=", "user=", "catalog=", "database=", "dbname=", "username="} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// handWritten reports whether a value is words and numbers joined by signs, as
// people spell passwords: Liverpool.fc, D0ku.Ablage, Winter*24. Names of code
// have no capital and no digit there, or words that programs are made of.
func handWritten(v string) bool {
	n := countKinds(v)
	if len(v) < 7 || len(v) > 40 || n.upper+n.digits == 0 || n.lower < 3 || n.other == 0 || n.other > 3 {
		return false
	}
	for i := range len(v) {
		switch c := v[i]; {
		case alphanumeric(c):
		case strings.IndexByte(".*+_-!$&%#@^~?", c) < 0:
			return false
		case c == '-' && i > 0 && v[i-1] == c, c == '.' && i+1 == len(v):
			return false
		}
	}
	if n.digits > 0 && n.upper > 0 && strings.Trim(v, letters+"0123456789._-") != "" {
		return true // names of code are not joined so
	}
	return !namesCode(v, n.digits == 0)
}

// namesCode reports whether one of the words of a value is one that names in
// programs are made of; in a strict look, also whether it is written as they are.
func namesCode(v string, strict bool) bool {
	var room [maxWords]string
	words, long := nameWords(v, room[:0]), false
	parts := 1
	for i := range len(v) {
		if !alphanumeric(v[i]) {
			parts++
		}
	}
	if strict && len(words) != parts || len(words) > maxWords {
		return true // letters of both cases in one part, or a sign at the end
	}
	for _, w := range words {
		if strict && len(w) < 2 || smallWords[w] || in(w, kindWords) || in(w, partWords) || in(w, examples) || in(w, codeWords) || in(w, programWords) || keyStrength(w) != notSecret {
			return true
		}
		long = long || len(w) > 2
	}
	return !long
}

// programWords are more of them, which stand in passphrases too.
const programWords = " encoding validators validator settings types system security os env sys process req res ctx self cls props state cfg option opt opts param arg kwargs output var val let const object obj yml txt csv ini conf pem crt cert py ts js rs rb sh java php sql exe dll com org net io local lan internal random crypto hash hashlib util utils helper helpers lib std str int integer float double char byte list dict array vec tuple date time math dir http https sdk application rails faker django body json2 tmp buf ret line col part item src dst num idx ptr len size count resp response result err msg cmd ref id uuid sha md hmac aes rsa utf ipv oauth http2 bcrypt argon scrypt pbkdf base64 v "

// dollarWord reports whether a value in single quotes that begins with a dollar
// is no variable, but a word in whose place letters became signs: $ommer24.
func (s *scanner) dollarWord(v string, a assignment) bool {
	if !a.quoted || v[0] != '$' || s.text[a.start-1] != '\'' || !a.env && !a.line {
		return false
	}
	word := strings.TrimRight(v[1:], "0123456789")
	return len(v)-1-len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && len(word) > 2 && !namesCode(word, false) && !namesCode("s"+word, false)
}

// amongSettings reports whether the lines around one are those of a file of
// settings, NAME = value without a sign of code, or there are none.
func (s *scanner) amongSettings(from, end int) bool {
	start := lineStart(s.text, from, 200)
	for at, n := start, 0; at > 0 && n < 2; n++ {
		next := lineStart(s.text, at-1, 200)
		if !settingLine(strings.TrimSpace(s.text[next : at-1])) {
			return false
		}
		at = next
	}
	rest := s.text[end:min(len(s.text), end+400)]
	n := 0
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); n > 2 {
			break
		}
		if n++; n > 1 && !settingLine(line) {
			return false
		}
	}
	return true
}

// settingLine reports whether a line can stand in a file of settings.
func settingLine(line string) bool {
	if line == "" || line == "}" || strings.IndexByte("[#;$", line[0]) >= 0 || strings.HasPrefix(line, "```") || line[len(line)-1] == ':' {
		return !strings.HasPrefix(line, "#include") && !strings.Contains(line, "](") && !strings.Contains(line, "():")
	}
	if name, ok := strings.CutSuffix(line, " {"); ok {
		kind, of, _ := strings.Cut(name, " ")
		return wordLike(kind) && (of == "" || wordLike(of)) && !in(kind, " else do try init finally for loop select default run then begin unsafe func function class struct interface type enum namespace module package impl trait def fn test export async const static public private protected ")
	}
	name, value, ok := strings.Cut(line, "=")
	if !ok || len(line) > 160 {
		return false
	}
	name = strings.TrimSpace(name)
	root, _, dotted := strings.Cut(name, ".")
	if strings.Trim(name, letters+"0123456789_.- ") != "" || strings.Count(name, " ") > 1 || dotted && in(root, " self this obj user args cfg config opts req ctx app p u c s r ") || in(strings.SplitN(name, " ", 2)[0], " let var const val final public private static export local my auto string int return set ") {
		return false
	}
	value = strings.TrimSpace(value)
	return value == "" || !strings.ContainsAny(value, "(){}[]\"'`<>&|;") && !strings.Contains(value, "==") && value[len(value)-1] != ',' && !in(value, " True False None nil null self undefined ")
}

// settled reports whether blanks around a separator say nothing, because the
// line is one of settings.
func (s *scanner) settled(chosen bool, from int, a assignment) bool {
	switch {
	case !s.configLine(from, a):
		return false
	case a.sep == colon:
		return true
	}
	return chosen && a.loose && !a.arrow && s.amongSettings(from, a.end)
}

// madeByHand reports whether a value has a capital and a digit, and can be
// nothing but a password, or a name of one that somebody made up.
func madeByHand(v string) bool {
	n := countKinds(v)
	return n.upper > 0 && n.digits > 0 && (capitalised(v) || handWritten(v)) && !namesCode(v, false)
}

// markedWord reports whether a value is letters with a sign between them that no
// sentence has there: Kuh!stall, MyDogRex!.
func markedWord(v string) bool {
	n := countKinds(v)
	if len(v) < 7 || len(v) > 40 || n.digits > 0 || n.lower < 3 || n.other == 0 || n.other > 2 {
		return false
	}
	for i := range len(v) {
		if c := v[i]; !alphanumeric(c) && (strings.IndexByte("!#$%&*+?^~@", c) < 0 || i == 0) {
			return false
		}
	}
	inner := v[1 : len(v)-1]
	if countKinds(inner).other == 0 && countKinds(inner).upper == 0 {
		return false // an exclamation
	}
	return !namesCode(v, false) && !operands(v)
}
