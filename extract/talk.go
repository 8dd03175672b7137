package extract

import (
	"slices"
	"strings"

	"keepmum/privacy"
)

// exchange is what the user said once, what was said to them before, and what
// was done until they spoke again.
type exchange struct {
	user   said
	ref    privacy.Clean
	first  bool   // it opens the session: mostly an order
	before said   // the assistant's message that the user answers
	work   []Step // what was done then, subagents left out
}

// converse divides a session into exchanges. Subagents, summaries of an
// earlier part and the output of tools are nobody's word.
func converse(s Session) []exchange {
	var out []exchange
	cur := exchange{first: true}
	open := false
	for _, st := range s.Steps {
		switch {
		case st.Sidechain || st.Role == Compacted:
		case st.Role == User:
			if open {
				out = append(out, cur)
			}
			cur = next(cur, st, !open)
			open = true
		default:
			cur.work = append(cur.work, st)
		}
	}
	if open || len(cur.work) > 0 {
		out = append(out, cur)
	}
	return out
}

// next begins an exchange with what the user says. A user who speaks twice in
// a row still answers the same message.
func next(prev exchange, st Step, first bool) exchange {
	e := exchange{user: read(st.Text), ref: st.Ref, first: first, before: prev.before}
	for _, said := range slices.Backward(prev.work) { // of what the assistant said only the last is answered
		if said.Role != Assistant {
			continue
		}
		if x := read(said.Text); len(x.list) > 0 {
			e.before = x
			break
		}
	}
	return e
}

// asked is the last question that the user was asked, if it is at the end.
func (e exchange) asked() (sentence, bool) {
	const end = 3 // sentences
	list := e.before.list
	for _, s := range slices.Backward(list[max(0, len(list)-end):]) {
		if s.question {
			return s, true
		}
	}
	return sentence{}, false
}

// edited reports whether files were changed.
func edited(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Role == Tool && s.Edit && !s.Failed })
}

// shares counts the words of content that two sentences have in common.
func (s sentence) shares(o sentence) (n int) {
	have := map[string]bool{}
	for _, w := range o.words {
		have[w.lower] = content(w)
	}
	for _, w := range s.words {
		if have[w.lower] {
			n++
			have[w.lower] = false
		}
	}
	return n
}

// words returns how many words of content a sentence has.
func (s sentence) contents() (n int) {
	for _, w := range s.words {
		if content(w) {
			n++
		}
	}
	return n
}

// stands reports whether a sentence names what it is about.
func (s sentence) stands() bool {
	return s.contents() > 0 && !strings.HasSuffix(strings.TrimSpace(s.text.String()), ":")
}
