package extract

import (
	"strings"
	"unicode/utf8"

	"keepmum/llm"
	"keepmum/privacy"
)

// line is a step, or a part of one, as a model reads it.
type line struct {
	step int // its number in the session, from 1
	text privacy.Clean
}

// window is a part of a session that fits into one question.
type window []line

func (w window) body() privacy.Clean {
	parts := make([]privacy.Clean, len(w))
	for i, l := range w {
		parts[i] = l.text
	}
	return privacy.Join("\n", parts...)
}

// render writes a session for a model, without subagents and steps that only read something.
func render(s Session) []line {
	var out []line
	for i, st := range s.Steps {
		if text := st.render(); !st.Sidechain && !text.IsZero() {
			out = append(out, line{i + 1, privacy.Join("", privacy.Const("["), number(i+1), privacy.Const("] "), text)})
		}
	}
	return out
}

func (st Step) render() privacy.Clean {
	lead := func(l, text privacy.Clean) privacy.Clean {
		if strings.TrimSpace(text.String()) == "" {
			return privacy.Clean{}
		}
		return privacy.Join("", l, text)
	}
	switch st.Role {
	case User:
		return lead(privacy.Const("user: "), st.Text)
	case Assistant:
		return lead(privacy.Const("assistant: "), st.Text)
	case Compacted:
		return lead(privacy.Const("the assistant's notes of what went before: "), st.Text)
	case Tool:
		return st.deed()
	}
	return privacy.Clean{}
}

// deed returns what a tool ran or changed, and how it failed.
func (st Step) deed() privacy.Clean {
	const longCommand, longError = 300, 300
	var said privacy.Clean
	switch {
	case !st.Command.IsZero():
		said = privacy.Join("", privacy.Const("ran: "), oneLine(st.Command.Cut(longCommand)))
	case st.Edit:
		said = privacy.Join("", privacy.Const("changed: "), privacy.Join(", ", st.Files...))
	default:
		return privacy.Clean{}
	}
	if st.Failed {
		said = privacy.Join("", said, privacy.Const(" -> failed: "), oneLine(st.Error.Cut(longError)))
	}
	return said
}

// number returns n in digits.
func number(n int) privacy.Clean {
	digits := privacy.Const("0123456789")
	c := digits.Slice(n%10, n%10+1)
	if n < 10 {
		return c
	}
	return privacy.Join("", number(n/10), c)
}

// windows divides lines so that each window has at most that many tokens. Each begins with the last steps of the one
// before, up to overlap tokens.
func windows(all []line, tokens, overlap int) []window {
	var out []window
	var cur window
	size, fresh := 0, 0 // fresh = lines of the current window that were in no earlier one
	for _, l := range split(all, tokens) {
		n := cost(l)
		if size+n > tokens && fresh > 0 {
			out = append(out, cur)
			cur = tail(cur, min(overlap, tokens-n))
			size, fresh = cur.cost(), 0
		}
		cur = append(cur, l)
		size += n
		fresh++
	}
	if fresh > 0 {
		out = append(out, cur)
	}
	return out
}

func cost(l line) int { return llm.Tokens(len(l.text.String()) + 1) }

func (w window) cost() int {
	n := 0
	for _, l := range w {
		n += cost(l)
	}
	return n
}

// tail returns the end of a window, in whole steps.
func tail(w window, tokens int) window {
	from, size := len(w), 0
	for i := len(w) - 1; i >= 0; i-- {
		if size += cost(w[i]); size > tokens {
			break
		}
		if i == 0 || w[i-1].step != w[i].step {
			from = i
		}
	}
	return append(window(nil), w[from:]...)
}

// split divides steps that are larger than a window at line ends.
func split(all []line, tokens int) []line {
	var out []line
	for _, l := range all {
		for cost(l) > tokens {
			head := l.text.Cut(tokens * 2)
			if at := strings.LastIndexByte(head.String(), '\n'); at > 0 {
				head = head.Slice(0, at)
			}
			if head.IsZero() && tokens*2 > utf8.UTFMax { // no character is that long, so it is not text
				head = l.text.Slice(0, tokens*2)
			}
			n := len(head.String())
			if n == 0 { // a window smaller than a character
				break
			}
			out = append(out, line{l.step, head})
			l.text = l.text.Slice(n, len(l.text.String()))
		}
		out = append(out, l)
	}
	return out
}
