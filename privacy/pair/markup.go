package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// markup records a name that is followed by a tag or by a written-out colour code: the text is then read without them.
func markup(s *scan.Scanner, to int) {
	i := to
	if i < len(s.Text) && s.Text[i] == ':' {
		i++
	}
	i = assign.SkipBlanks(s.Text, i)
	if i+3 >= len(s.Text) || strings.IndexByte("<\\^&", s.Text[i]) < 0 || MarkLength(s.Text[i:]) == 0 {
		return
	}
	s.Marked = Around(s.Marked, to, len(s.Text))
}

// MarkLength returns the length of an HTML tag or of a colour code written as an escape, 0 if there is none.
func MarkLength(text string) int {
	if text[0] == '\\' || text[0] == '^' {
		return colourLength(text)
	}
	open, shut := "<", ">"
	if strings.HasPrefix(text, "&lt;") {
		open, shut = "&lt;", "&gt;"
	}
	rest, ok := strings.CutPrefix(text, open)
	if !ok {
		return 0
	}
	n := strings.Index(rest[:min(len(rest), 80)], shut)
	name := strings.TrimPrefix(rest[:max(n, 0)], "/")
	name, _, _ = strings.Cut(name, " ")
	if n < 0 || !value.InList(strings.ToLower(name),
		" b strong i em code span p li br u font tt kbd samp small big label dt dd div pre h1 h2 h3 h4 ") {
		return 0
	}
	return len(open) + n + len(shut)
}

// colourLength returns the length of a colour code written as an escape.
func colourLength(text string) int {
	lead := value.PrefixLength(text, `\u001b[`, `\u001B[`, `\x1b[`, `\x1B[`, `\033[`, `\e[`, "^[[")
	if lead == 0 {
		return 0
	}
	return strings.IndexByte(text[:min(len(text), lead+12)], 'm') + 1
}

// Around adds what is around an offset; stretches that touch become one.
func Around(parts []scan.Stretch, at, size int) []scan.Stretch {
	return Joined(parts, scan.Stretch{From: max(0, at-ViewReach), To: min(size, at+ViewReach)})
}

// Joined adds a stretch that starts after the others.
func Joined(parts []scan.Stretch, next scan.Stretch) []scan.Stretch {
	if last := len(parts) - 1; last >= 0 && next.From <= parts[last].To {
		parts[last].To = next.To
		return parts
	}
	return append(parts, next)
}

// ViewReach is how many bytes around an encoding or a joint are searched for a secret.
const ViewReach = 1024
