package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// BlockDefault judges the value of "default" by the name of the block that it is in: a Terraform variable, a
// CloudFormation parameter.
func BlockDefault(s *scan.Scanner, end int) {
	from, to := assign.NameAt(s.Text, end)
	if i := assign.SkipBlanks(s.Text, assign.SkipClosers(s.Text, to)); to-from != len("default") || i >= len(s.Text) ||
		s.Text[i] != ':' && s.Text[i] != '=' {
		return
	}
	a, ok := Assigned(s.Text, from, to, 256)
	if !ok || a.Sep != assign.Equals && a.Sep != assign.Colon || strings.IndexByte(s.Text[to:a.Start], '\n') >= 0 {
		return
	}
	line := s.Text[value.LineStart(s.Text, from, 160):from]
	open := strings.LastIndexByte(line, '[')
	if a.Sep == assign.Equals && open >= 0 && strings.Contains(line[open:], "=") {
		return // one of several in brackets, as PAM's: [success=1 default=ignore]
	}
	name := blockName(s, from)
	if value.KeyStrength(name) < value.TokenKey {
		name = optionName(line)
	}
	if k := value.KeyStrength(name); k >= value.TokenKey && judge.SecretValue(s, k, name, a) {
		scan.Add(s, a.Start, a.End, KeyRule(name))
	}
}

const maxBlockHead = 600 // bytes between the name of a block and a value in it

// blockName returns the name of the block around an offset: what is before the last open brace on the line, or on the
// last line with less indentation.
func blockName(s *scan.Scanner, at int) string {
	start := value.LineStart(s.Text, at, maxBlockHead)
	line := s.Text[start:at]
	if i := strings.LastIndexByte(line, '{'); i >= 0 && !strings.Contains(line[i:], "}") {
		return nameEndingAt(s.Text, start+i)
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	for low := max(0, at-maxBlockHead); start > low; {
		end := start - 1
		start = value.LineStart(s.Text, end, maxBlockHead)
		head := s.Text[start:end]
		blank := len(head) - len(strings.TrimLeft(head, " \t"))
		if blank < len(head) && blank < indent {
			return nameEndingAt(s.Text, end)
		}
	}
	return ""
}

// nameEndingAt returns the name that ends before an offset, skipping what opens a block.
func nameEndingAt(text string, at int) string {
	_, at = value.Trimmed(text, 0, at, "", " \t\r{:=\"'")
	from, _ := assign.NameAt(text, at)
	return text[from:at]
}

// optionName returns the name of the option that a line defines before its default: add_argument("--password",
// default=…), `envconfig:"PW" default:…`.
func optionName(line string) string {
	for _, quote := range []byte{'"', '\''} {
		parts := strings.Split(line, string(quote))
		for i := 1; i < len(parts); i += 2 {
			if name := strings.TrimLeft(parts[i], "-"); len(name) < scan.MaxName && assign.WordLike(name) &&
				value.KeyStrength(name) >= value.TokenKey {
				return name
			}
		}
	}
	if name, _, ok := strings.Cut(strings.TrimSpace(line), " "); ok &&
		value.KeyStrength(strings.TrimLeft(name, "-")) >= value.TokenKey {
		return strings.TrimLeft(name, "-")
	}
	return ""
}
