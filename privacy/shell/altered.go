package shell

import (
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"mvdan.cc/sh/v3/syntax"
)

const maxAltered = 128 // bytes of a value that is altered: names of files are shorter, and each part is tried

// altered returns what the operators of ${name%pattern}, ${name/pattern/text} and ${name:1:2} make of each value of a
// variable.
func (s *reader) altered(p *syntax.ParamExp, at place) (out []string) {
	if p.Param == nil || p.Length || p.Excl || len(s.vars[p.Param.Value]) == 0 {
		return nil
	}
	var pattern, with string
	switch {
	case p.Repl != nil:
		pattern, with = s.only(p.Repl.Orig, at), s.only(p.Repl.With, at)
	case p.Exp != nil:
		pattern = s.only(p.Exp.Word, at)
	}
	for _, v := range s.vars[p.Param.Value] {
		if s.bytes += len(v) * len(v); len(v) > maxAltered || s.exhausted() {
			continue
		}
		switch {
		case p.Slice != nil:
			out = append(out, sliced(v, p.Slice))
		case p.Repl != nil:
			out = append(out, bounded(replaced(v, pattern, with, p.Repl.All)))
		case p.Exp != nil:
			out = append(out, without(v, p.Exp.Op, pattern))
		}
	}
	return out
}

// only returns the first value of a word.
func (s *reader) only(w *syntax.Word, at place) string { return first([][]string{s.expand(w, at)})[0] }

// matchesAll reports whether a pattern of the shell, in which a star also stands for a slash, matches a whole text.
func matchesAll(pattern, text string) bool {
	const slash = "\x02"
	return doublestar.MatchUnvalidated(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(text, "/", slash))
}

// without removes the start or the end that a pattern matches.
func without(v string, op syntax.ParExpOperator, pattern string) string {
	for n := range len(v) + 1 {
		switch {
		case op == syntax.RemSmallPrefix && matchesAll(pattern, v[:n]):
			return v[n:]
		case op == syntax.RemLargePrefix && matchesAll(pattern, v[:len(v)-n]):
			return v[len(v)-n:]
		case op == syntax.RemSmallSuffix && matchesAll(pattern, v[len(v)-n:]):
			return v[:len(v)-n]
		case op == syntax.RemLargeSuffix && matchesAll(pattern, v[n:]):
			return v[:n]
		}
	}
	return v
}

// replaced replaces the longest text that a pattern matches, or each: # and % before it mean the start and the end.
func replaced(v, pattern, with string, all bool) string {
	if rest, ok := strings.CutPrefix(pattern, "#"); ok {
		if tail := without(v, syntax.RemLargePrefix, rest); tail != v {
			return with + tail
		}
		return v
	}
	if rest, ok := strings.CutPrefix(pattern, "%"); ok {
		if head := without(v, syntax.RemLargeSuffix, rest); head != v {
			return head + with
		}
		return v
	}
	var b strings.Builder
	for at := 0; at < len(v); {
		tail := without(v[at:], syntax.RemLargePrefix, pattern)
		if len(tail) == len(v)-at {
			b.WriteByte(v[at])
			at++
			continue
		}
		b.WriteString(with)
		if at = len(v) - len(tail); !all {
			b.WriteString(tail)
			break
		}
	}
	return b.String()
}

// sliced returns a part of a value; bounds that only the shell could compute are taken for the ends.
func sliced(v string, part *syntax.Slice) string {
	from := bound(part.Offset, 0, len(v))
	return v[from : from+bound(part.Length, len(v)-from, len(v)-from)]
}

// bound returns a number between 0 and the length; a negative one counts from the end. If it cannot be read without
// running the script, unknown is returned.
func bound(e syntax.ArithmExpr, unknown, length int) int {
	sign := 1
	if u, ok := e.(*syntax.UnaryArithm); ok && u.Op == syntax.Minus {
		sign, e = -1, u.X
	}
	w, ok := e.(*syntax.Word)
	if !ok {
		return unknown
	}
	n, err := strconv.Atoi(w.Lit())
	switch {
	case err != nil:
		return unknown
	case sign < 0:
		return max(0, length-n)
	}
	return min(max(0, n), length)
}
