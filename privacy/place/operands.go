package place

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// OperandWords returns the words that trigger Operated.
func OperandWords() []string {
	var out []string
	for _, t := range operandPrograms() {
		out = append(out, t.word)
	}
	return out
}

// Operated redacts the secrets of such a command line.
func Operated(s *scan.Scanner, end int) {
	const reach, longest = 300, 40
	start := value.LineStart(s.Text, end, reach)
	head := value.LowerASCII(s.Text[max(start, end-longest):end])
	line, _, _ := strings.Cut(s.Text[end:min(len(s.Text), end+reach)], "\n")
	if line == "" || !look(s, 1) {
		return
	}
	var words []scan.Span
	for _, t := range operandPrograms() {
		if !strings.HasSuffix(head, t.word) || !strings.Contains(s.Text[start:end+len(line)], t.Only) ||
			t.Never != "" && strings.Contains(line, t.Never) || !startsWord(head, len(t.word)) {
			continue
		}
		if words == nil {
			from := end
			for t.word[len(t.word)-1] != ' ' && from < end+len(line) && value.Alphanumeric(line[from-end]) {
				from++ // further letters of the same flag
			}
			words = shellWords(s.Text, from, end+len(line))
		}
		operandsOf(s, t, words)
	}
}

// maxLooks limits how many lines of one text are read this way; only a flood has more.
const maxLooks = 200

// look reports whether one more line may be read, and counts its cost.
func look(s *scan.Scanner, cost int) bool {
	s.Looks += cost
	return s.Looks <= maxLooks
}

// startsWord reports whether the last n bytes of a line start a word, rather than end a longer one.
func startsWord(line string, n int) bool {
	at := len(line) - n
	return at == 0 || !value.WordByte(line[at]) || !value.WordByte(line[at-1])
}

// operandsOf redacts the words that a tool's rule selects in its line.
func operandsOf(s *scan.Scanner, t program, words []scan.Span) {
	nth := 0
	for i, w := range words {
		word := s.Text[w.Start:w.End]
		if word[0] == '+' && t.word[0] == '+' {
			return // the next command
		}
		if isFlag(t, word) {
			if t.Flags != "" && value.InList(word, " "+t.Flags+" ") && i+1 < len(words) {
				operand(s, words[i+1], true)
			}
			if takesValue(t.word, word) {
				nth-- // the value is in the next word
			}
			continue
		}
		if nth++; t.From <= nth && nth <= t.To {
			operand(s, w, i+1 == len(words) || strings.IndexByte("-+/<#", s.Text[words[i+1].Start]) >= 0)
		}
	}
}

// isFlag reports whether a word is a flag of a program; a few have flags with a slash.
func isFlag(t program, word string) bool {
	slashed := t.word == "net user " || strings.HasPrefix(t.Flags, "/")
	return len(word) > 1 && (word[0] == '-' || word[0] == '/' && slashed)
}

// takesValue reports whether the word after a flag is its value.
func takesValue(name, flag string) bool {
	switch name {
	case "mkpasswd ":
		return flag == "-m" || flag == "-S"
	case "mosquitto_passwd -b ":
		return flag == "-c"
	}
	return false
}

// operand redacts one word of a command line if it is a secret; last means that no other operand follows.
func operand(s *scan.Scanner, w scan.Span, last bool) {
	if strings.IndexByte("'\"", s.Text[w.Start]) >= 0 && w.End > w.Start+1 && s.Text[w.End-1] == s.Text[w.Start] {
		w.Start, w.End = w.Start+1, w.End-1
	}
	if operandSecret(s.Text[w.Start:w.End], last) {
		scan.Add(s, w.Start, w.End, scan.RulePassword)
	}
}

// operandSecret reports whether a word in a secret's position is a secret and not a placeholder from a manual. In a
// sentence about the command, another word follows.
func operandSecret(v string, last bool) bool {
	low := value.LowerASCII(v)
	switch {
	case len(v) < 4 || len(v) > 128 || value.Placeholder(v) || strings.IndexByte("-$<[{%*`(", v[0]) >= 0:
		return false
	case strings.IndexByte(v, ' ') >= 0:
		return phraseOperand(low)
	case !value.PlainWords(v):
		return !strings.ContainsAny(v, "<>")
	case strings.Contains(low, "pass") || strings.Contains(low, "secret"):
		return false
	case strings.ToUpper(v) == v:
		return len(v) >= 16 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	}
	return last && len(v) >= 6 && !ofSentence(v, low) && (judge.RareWords(v) || value.PunctuatedPassword(v))
}

// ofSentence reports whether a word is one of those in sentences about passwords.
func ofSentence(v, low string) bool {
	return value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.Examples) ||
		value.LabelWord(v)
}

// phraseOperand reports whether quoted words are a passphrase.
func phraseOperand(low string) bool {
	words := 0
	for word := range strings.FieldsSeq(low) {
		if value.StopWords[word] || value.InList(word, value.Examples) {
			return false
		}
		words++
	}
	return words > 1 && words <= 10
}

// shellWords returns the words of a command line up to the end of the command; a quoted string is one word.
func shellWords(text string, from, to int) (out []scan.Span) {
	const most = 40
	for i := from; i < to && len(out) < most; {
		for i < to && value.IsSpace(text[i]) {
			i++
		}
		at := i
		i = shellWordEnd(text, i, to)
		for i > at && strings.IndexByte("`,;", text[i-1]) >= 0 {
			i--
		}
		if i > at {
			out = append(out, scan.Span{Start: at, End: i})
		}
		if i == at || i < to && !value.IsSpace(text[i]) || value.InList(text[at:i], " | || && ; ") {
			return out
		}
	}
	return out
}

// shellWordEnd returns the end of the word at an offset: the first blank that is not in quotes.
func shellWordEnd(text string, at, to int) int {
	quote := byte(0)
	for ; at < to && (quote != 0 || !value.IsSpace(text[at])); at++ {
		switch c := text[at]; {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
	}
	return at
}
