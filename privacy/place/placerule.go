package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/pair"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	maxLine   = 300 // bytes of a line that a place rule reads
	nearReach = 300 // bytes before and after a word in which another word counts as near
)

// RuleTriggers set the place rules off.
func RuleTriggers() (out []scan.Trigger) {
	for _, c := range rules.Commands() {
		if c.Place.Kind == "" {
			continue
		}
		for _, w := range c.Words {
			p := program{w, c}
			run := func(s *scan.Scanner, end int) { applyRule(s, &p, end) }
			out = append(out, scan.Trigger{Words: []string{w}, Run: run})
		}
	}
	return out
}

// applyRule redacts what a place rule takes behind its word.
func applyRule(s *scan.Scanner, p *program, end int) {
	const longest = 48
	if !beginsPlace(p.word, s.Text[max(0, end-longest):end]) || !look(s, 1) || !applies(s, p, end) {
		return
	}
	for _, at := range takers[p.Place.Kind](occurrence{s, *p, end, lineEnd(s.Text, end)}) {
		name := assign.AccountName(at.In(s.Text))
		if p.Account {
			at.Start += name
		}
		if (name > 0 || !p.Account) && ofRule(s, p.Command, at) {
			scan.Add(s, at.Start, at.End, scan.RulePassword)
		}
	}
}

// beginsPlace reports whether the word at the end of a line is not the end of a longer one; names may be longer:
// access_pin.
func beginsPlace(word, line string) bool {
	if word[0] == '>' {
		return !value.EndsWithAny(line[:len(line)-len(word)], "-", "=") // an arrow
	}
	if strings.IndexByte("_-.", word[0]) >= 0 || strings.Contains(word, "pin") || startsWord(line, len(word)) {
		return true
	}
	return value.KeyStrength(strings.Trim(word, "(")) > value.NotSecret
}

// applies reports whether what is around a word lets its rule apply.
func applies(s *scan.Scanner, p *program, end int) bool {
	start := value.LineStart(s.Text, end-len(p.word)+1, maxLine)
	if p.Alone && !prompts(s.Text[start:max(start, end-len(p.word))]) {
		return false
	}
	line := s.Text[start:max(end, lineEnd(s.Text, end))]
	if p.Only != "" && !strings.Contains(line, p.Only) || p.Never != "" && strings.Contains(line, p.Never) {
		return false
	}
	if len(p.Near) == 0 {
		return true
	}
	return value.ContainsAny(value.LowerASCII(s.Text[max(0, end-nearReach):min(len(s.Text), end+nearReach)]), p.Near...)
}

// prompts reports whether only spaces, the mark of a list or a prompt precede a word.
func prompts(before string) bool {
	before = strings.TrimRight(before, " \t")
	if before == "" {
		return true
	}
	if strings.IndexByte("#$>%)", before[len(before)-1]) >= 0 {
		return strings.Count(before, " ") < 4
	}
	return before == "-" || before == "*" || before == "+"
}

// lineEnd returns the end of the line that contains an offset, at most maxLine further on.
func lineEnd(text string, at int) int {
	limit := min(len(text), at+maxLine)
	if n := strings.IndexAny(text[at:limit], "\r\n"); n >= 0 {
		return at + n
	}
	return limit
}

// occurrence is where the word of a rule was found.
type occurrence struct {
	*scan.Scanner
	program
	end, stop int // of the word and of its line
}

// words returns the words behind the one of the rule, except those that it skips.
func (p occurrence) words() [][2]int { return counted(p.Text, p.end, p.stop, p.Skip) }

// start returns where the word of the rule starts.
func (p occurrence) start() int { return p.end - len(p.word) }

// takers return the part of a text that a rule selects, by the name of the place.
var takers = map[string]func(p occurrence) []scan.Span{
	"word":         func(p occurrence) []scan.Span { return nthWord(p.Text, p.words(), p.Place.Nth) },
	"keyword":      func(p occurrence) []scan.Span { return behindKeywords(p.Text, p.words(), p.Place.Flags) },
	"rest":         func(p occurrence) []scan.Span { return bared(p.Text, p.end, p.stop) },
	"answer":       func(p occurrence) []scan.Span { return answered(p.Text, p.end, p.stop, p.Place.Nth) },
	"below":        func(p occurrence) []scan.Span { return below(p.Text, p.end, p.Place.Nth) },
	"lines":        func(p occurrence) []scan.Span { return accountLines(p.Text, p.stop) },
	"literal":      func(p occurrence) []scan.Span { return nthLiteral(p.Scanner, p.end, p.Place.Nth) },
	"first":        func(p occurrence) []scan.Span { return firstLiteral(p.Scanner, p.end) },
	"before":       func(p occurrence) []scan.Span { return literalBefore(p.Text, p.start()) },
	"asked":        func(p occurrence) []scan.Span { return asked(p.Scanner, p.program, p.end) },
	"fed":          func(p occurrence) []scan.Span { return fed(p.Text, p.program, p.end, p.stop) },
	"login":        func(p occurrence) []scan.Span { return loginWord(p.Text, p.word, p.end, p.stop) },
	"typed":        func(p occurrence) []scan.Span { return typed(p.Scanner, p.program, p.end) },
	"cell":         func(p occurrence) []scan.Span { return pair.NthArgument(p.Text, p.end, p.Place.Nth) },
	"named":        func(p occurrence) []scan.Span { return namedLiterals(p.Scanner, p.end) },
	"returned":     func(p occurrence) []scan.Span { return returned(p.Scanner, p.end) },
	"column":       func(p occurrence) []scan.Span { return column(p.Scanner, p.start(), p.end) },
	"digits":       func(p occurrence) []scan.Span { return pinBehind(p.Text, p.end, p.stop) },
	"hex":          func(p occurrence) []scan.Span { return hexBehind(p.Text, p.end, p.stop) },
	"codes":        func(p occurrence) []scan.Span { return codes(p.Text, p.end) },
	"wallet-above": func(p occurrence) []scan.Span { return walletWords(p.Text[:p.stop], max(0, p.end-maxWallet)) },
	"wallet":       func(p occurrence) []scan.Span { return walletWords(p.Text, p.end) },
	"groups":       func(p occurrence) []scan.Span { return groups(p.Text, p.end) },
}

// ofRule reports whether a part of a text that a rule selects is a secret.
func ofRule(s *scan.Scanner, c *rules.Command, at scan.Span) bool {
	v := s.Text[at.Start:at.End]
	low := value.LowerASCII(v)
	if value.InList(low, c.Unless) || len(v) < 4 || len(v) > scan.MaxValue {
		return false
	}
	switch {
	case value.InList(c.Place.Kind, " digits hex groups column codes wallet wallet-above "):
		return true // the rule has already checked the form
	case c.Typed:
		return strings.IndexByte(v, ' ') < 0 && (value.SymbolPassword(v) || value.PunctuatedPassword(v))
	case c.Made:
		return operandSecret(v, c.Place.Kind != "word" || lastOperand(s.Text, at.End))
	}
	return pair.LiteralSecret(v)
}

// lastOperand reports whether no further operand follows in a command line.
func lastOperand(text string, at int) bool {
	rest := strings.TrimLeft(text[at:lineEnd(text, at)], " \t'\"`")
	return rest == "" || strings.IndexByte("-+/<#|;&", rest[0]) >= 0
}
