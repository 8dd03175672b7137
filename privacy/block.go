package privacy

import "strings"

// inherited judges the value of "default" by the name of the block that it
// stands in: a variable of Terraform, a parameter of CloudFormation.
func (s *scanner) inherited(end int) {
	from, to := nameAt(s.text, end)
	if i := blanks(s.text, closers(s.text, to)); to-from != len("default") || i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' {
		return
	}
	a, ok := assigned(s.text, from, to, 256)
	if !ok || a.sep != equals && a.sep != colon || strings.IndexByte(s.text[to:a.start], '\n') >= 0 {
		return
	}
	if line := s.text[lineStart(s.text, from, 160):from]; a.sep == equals && strings.Contains(line[strings.LastIndexByte(line, '[')+1:], "=") && strings.Contains(line, "[") {
		return // one of several in brackets, as PAM's: [success=1 default=ignore]
	}
	name := s.blockName(from)
	if line := s.text[lineStart(s.text, from, 160):from]; keyStrength(name) < tokenKey {
		name = optionName(line)
	}
	if k := keyStrength(name); k >= tokenKey && s.secretValue(k, a) {
		s.add(a.start, a.end, keyRule(name))
	}
}

const maxBlockHead = 600 // bytes between the name of a block and a value in it

// blockName returns the name of the block around an offset: what stands before
// the last open brace in the line, or in the last line that is indented less.
func (s *scanner) blockName(at int) string {
	start := lineStart(s.text, at, maxBlockHead)
	line := s.text[start:at]
	if i := strings.LastIndexByte(line, '{'); i >= 0 && !strings.Contains(line[i:], "}") {
		return nameEndingAt(s.text, start+i)
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	for low := max(0, at-maxBlockHead); start > low; {
		end := start - 1
		start = lineStart(s.text, end, maxBlockHead)
		head := s.text[start:end]
		blank := len(head) - len(strings.TrimLeft(head, " \t"))
		if blank < len(head) && blank < indent {
			return nameEndingAt(s.text, end)
		}
	}
	return ""
}

// nameEndingAt returns the name that ends before an offset, but for what opens a block.
func nameEndingAt(text string, at int) string {
	for at > 0 && strings.IndexByte(" \t\r{:=\"'", text[at-1]) >= 0 {
		at--
	}
	from, _ := nameAt(text, at)
	return text[from:at]
}

// optionName returns the name of the option that a line defines before its
// default: add_argument("--password", default=…), `envconfig:"PW" default:…`.
func optionName(line string) string {
	for _, quote := range []byte{'"', '\''} {
		parts := strings.Split(line, string(quote))
		for i := 1; i < len(parts); i += 2 {
			if name := strings.TrimLeft(parts[i], "-"); len(name) < maxName && wordLike(name) && keyStrength(name) >= tokenKey {
				return name
			}
		}
	}
	if name, _, ok := strings.Cut(strings.TrimSpace(line), " "); ok && keyStrength(strings.TrimLeft(name, "-")) >= tokenKey {
		return strings.TrimLeft(name, "-")
	}
	return ""
}
