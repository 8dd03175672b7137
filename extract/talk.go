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
	first  bool
	before said    // the assistant's message that the user answers
	did    []Step  // what had been done before that
	work   []Step  // what was done then, subagents left out
	said   []said  // what the assistant said in it, by the step
	next   said    // what the user said after that
	at     float64 // where in the session it stands, from 0 to 1
	of     int     // how many exchanges the session has
}

// converse divides a session into exchanges. Subagents, summaries of an
// earlier part and the output of tools are nobody's word.
func (h *Heuristic) converse(s Session) []exchange {
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
			cur = h.next(cur, st, !open)
			open = true
		default:
			cur.work = append(cur.work, st)
			var read said
			if st.Role == Assistant {
				read = h.read(st.Text)
			}
			cur.said = append(cur.said, read)
		}
	}
	if open || len(cur.work) > 0 {
		out = append(out, cur)
	}
	for i := range out {
		if i+1 < len(out) {
			out[i].next = out[i+1].user
		}
		out[i].at, out[i].of = float64(i)/float64(max(1, len(out)-1)), len(out)
	}
	return out
}

// next begins an exchange with what the user says. A user who speaks twice in
// a row still answers the same message.
func (h *Heuristic) next(prev exchange, st Step, first bool) exchange {
	e := exchange{user: h.read(st.Text), ref: st.Ref, first: first, did: prev.work, before: prev.before}
	for _, x := range slices.Backward(prev.said) {
		if len(x.list) > 0 {
			e.before = x
			break
		}
	}
	if len(prev.work) == 0 {
		e.did = prev.did
	}
	return e
}

// edited reports whether files were changed.
func edited(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Role == Tool && s.Edit && !s.Failed })
}

// offers reports how far the user was asked to choose: 1.5 between named
// ways, 1 by a mere question or proposal.
func (e exchange) offers() float64 {
	all := e.before.every()
	asked := slices.ContainsFunc(e.before.list, func(s sentence) bool { return s.question })
	switch {
	case all.has(ways) || all[offer] >= 2 || e.before.either():
		return 1.5
	case asked && all.has(offer, propose):
		return 1.25
	case asked || all.has(offer, propose):
		return 1
	}
	return 0
}

// either reports whether one thing or another was asked about.
func (s said) either() bool {
	return slices.ContainsFunc(s.list, func(x sentence) bool { return x.question && strings.Contains(x.text.String(), " or ") })
}

// every counts the cues of all sentences, questions too.
func (s said) every() cues {
	var all cues
	for _, x := range s.list {
		all.add(x.cues)
	}
	return all
}

func total(list []sentence) (all cues, words int) {
	for _, s := range list {
		all.add(s.cues)
		words += len(s.words)
	}
	return all, words
}

// opener reports whether a message begins by objecting.
func (s said) opener() bool {
	const sentences, words = 2, 5
	for i, x := range s.list {
		if i == sentences {
			break
		}
		for _, hit := range x.hits {
			if (hit.class == correct || hit.class == pref) && hit.from < words {
				return true
			}
		}
	}
	return false
}

// onlyThisTask reports whether a message gives orders for one piece of work:
// it asks for a text, or speaks of this table.
func (s said) onlyThisTask() bool {
	for i, x := range s.list {
		if x.cues.has(told, agreed) {
			return false
		}
		if x.cues.has(local) && !x.cues.has(house) {
			return true
		}
		if i == 0 && slices.ContainsFunc(x.hits, func(h hit) bool { return h.class == artefact && h.from <= 3 }) && !x.question {
			return true
		}
	}
	return false
}
