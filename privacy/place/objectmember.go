package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// MarkedMember redacts the literal of a member called "value" if another member of the same object says that it is
// secret: its name, its type, a mark.
func MarkedMember(s *scan.Scanner, end int) {
	if s.Marks++; s.Marks > assign.MaxMarks {
		return
	}
	from, to := assign.NameAt(s.Text, end-1)
	a, ok := pair.Assigned(s.Text, from, to, assign.MaxJudged)
	if !ok || a.Sep != assign.Colon && a.Sep != assign.Equals {
		return
	}
	v := s.Text[a.Start:a.End]
	if cookieMember(s, from, v) && markOf(s, from, a.End) >= value.TokenKey {
		cookies(s, a.Start, v)
		return
	}
	if !oneSecret(v) || lonelyV(s.Text, from, to) {
		return
	}
	drawn := drawnMember(v)
	if !drawn && !value.Mixed(v) && !judge.OneWord(v) {
		return
	}
	least := value.PasswordKey
	if drawn {
		least = value.TokenKey
	}
	k := markOf(s, from, a.End)
	if k < least {
		return
	}
	start := a.Start + len(v) - len(strings.TrimPrefix(v, "Bearer "))
	scan.Add(s, start, a.End, assign.RuleOf(k))
}

// drawnMember reports whether a value looks drawn.
func drawnMember(v string) bool {
	return value.SymbolPassword(v) || value.LettersAndDigits(v) || value.Random(v)
}

// lonelyV reports whether a member is called "v", and no "k" near it names it.
func lonelyV(text string, from, to int) bool {
	return text[from:to] == "v" && !strings.Contains(text[max(0, from-maxShort):min(len(text), to+maxShort)], `"k"`)
}

// cookieMember reports whether the value of a member that starts at from is cookies.
func cookieMember(s *scan.Scanner, from int, v string) bool {
	return strings.IndexByte(v, '=') > 0 && len(v) > 8 &&
		strings.Contains(value.LowerASCII(s.Text[max(0, from-48):from]), "cookie")
}

// oneSecret reports whether a value can be a secret as a whole.
func oneSecret(v string) bool {
	sentence := strings.Contains(v, " ") && !strings.HasPrefix(v, "Bearer ")
	return len(v) >= 6 && !sentence && !value.Placeholder(v) && !value.PathLike(v)
}

// maxObject is how many bytes on each side of a value are searched for its object.
const maxObject = 600

// maxShort is how many bytes on each side of "v" are searched for "k".
const maxShort = 100

// markOf returns how surely the members around a member make it secret.
func markOf(s *scan.Scanner, from, to int) value.Strength {
	open, depth := from, 0
	for least := max(0, from-maxObject); open > least; open-- {
		switch s.Text[open-1] {
		case '}':
			depth++
			continue
		case '{':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth >= 0 {
		return max(yamlStrength(s, from, to), inTag(s, from))
	}
	shut := to
	if n := strings.IndexByte(s.Text[to:min(len(s.Text), to+maxObject)], '}'); n >= 0 {
		shut = to + n
	}
	k := max(memberStrength(s.Text[open:from]), memberStrength(s.Text[to:shut]))
	if k > value.WeakKey {
		return k
	}
	before := strings.TrimRight(s.Text[max(0, open-1-scan.MaxName):open-1], " \t\r\n:\\\"'")
	name, _ := assign.NameAt(before, len(before))
	return value.KeyStrength(before[name:])
}

// yamlStrength returns the strength from the lines around a YAML member: its name in the line below, or the key above
// that it belongs to.
func yamlStrength(s *scan.Scanner, from, to int) value.Strength {
	if rest := strings.TrimLeft(s.Text[to:min(len(s.Text), to+160)], "\"' \t"); strings.HasPrefix(rest, "\n") {
		line, _, _ := strings.Cut(strings.TrimLeft(rest, "\r\n \t"), "\n")
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return value.KeyStrength(strings.Trim(name, " \r\"'"))
		}
		if name, ok := strings.CutPrefix(line, "key:"); ok {
			return value.KeyStrength(strings.Trim(name, " \r\"'"))
		}
	}
	start := value.LineStart(s.Text, from, 80)
	if start < 2 || strings.TrimLeft(s.Text[start:from], " \t") != "" || start == from {
		return value.NotSecret
	}
	above := strings.TrimRight(s.Text[value.LineStart(s.Text, start-1, 120):start-1], " \r")
	key, ok := strings.CutSuffix(above, ":")
	if !ok || len(above)-len(strings.TrimLeft(above, " \t")) >= from-start {
		return value.NotSecret
	}
	return value.KeyStrength(strings.Trim(key, " \t\"'-"))
}

// Marks are statements of an object's members about its value, without spaces.
var Marks = []struct {
	Text string
	k    value.Strength
}{
	{`"type":"securestring"`, value.PasswordKey}, {`"type":"concealed"`, value.PasswordKey},
	{`"type":"secret"`, value.PasswordKey}, {`"type":"password"`, value.PasswordKey},
	{`"sensitive":true`, value.PasswordKey}, {`"secret":true`, value.PasswordKey}, {`"masked":true`, value.PasswordKey},
	{`/secrets/`, value.PasswordKey},
}

// nameMembers are members that name the value of their object.
var nameMembers = []string{`"name":"`, `"key":"`, `"k":"`, `"label":"`, `"field":"`, `"variable":"`, `name:"`, `name:'`,
	`key:"`, `key:'`}

// memberStrength returns how surely a part of an object makes its value secret.
func memberStrength(part string) value.Strength {
	low := withoutSpaces(part)
	lower := value.LowerASCII(low)
	for _, m := range Marks {
		if strings.Contains(lower, m.Text) {
			return m.k
		}
	}
	best := value.NotSecret
	for _, m := range nameMembers {
		if i := strings.Index(lower, m); i >= 0 {
			name, _, _ := strings.Cut(low[min(len(low), i+len(m)):], `"`)
			k := value.KeyStrength(name)
			if lowName := strings.ToLower(name); k == value.WeakKey &&
				value.InList(lowName, " authorization auth cookie session ") {
				k = value.TokenKey
			}
			best = max(best, k)
		}
	}
	return best
}

// JWK redacts the private members of a JSON Web Key.
func JWK(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByJWK] {
		return
	}
	from, to := max(0, end-2_000), min(len(s.Text), end+4_000)
	s.Reached[scan.ByJWK] = to
	for _, member := range []string{`"d":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `"k":`} {
		for at := from; ; {
			i := strings.Index(s.Text[at:to], member)
			if i < 0 {
				break // a set holds several keys
			}
			at += i + len(member)
			if a, ok := (assign.Assignment{Sep: assign.Colon, MaxLength: scan.MaxValue}).Value(s.Text, at); ok && a.Quoted &&
				a.End-a.Start >= 16 {
				scan.Add(s, a.Start, a.End, RulePEM)
			}
		}
	}
}

// inTag returns the strength of the element's name attribute.
func inTag(s *scan.Scanner, from int) value.Strength {
	back := s.Text[max(0, from-200):from]
	tag := back[strings.LastIndexByte(back, '<')+1:]
	i := strings.Index(tag, "name=\"")
	if i < 0 {
		return value.NotSecret
	}
	name, _, _ := strings.Cut(tag[i+len("name=\""):], "\"")
	return value.KeyStrength(name)
}

// withoutSpaces removes spaces and escapes of quotes from a text.
func withoutSpaces(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i]; c > ' ' && c != '\\' {
			out = append(out, c)
		}
	}
	return string(out)
}
