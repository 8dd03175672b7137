package recall

import (
	"keepmum/store"
)

// moment is a turn of a session: what the user said, what it answers, and what
// the agent said to it.
type moment struct {
	user   store.Line
	before *store.Line // the agent's message before it
	after  *store.Line // the agent's last message of the turn
	terms  uint64      // of the prompt, that are in this turn
	asked  uint64      // those in what it answers
	first  bool        // of its session
	last   bool
}

// momentsOf puts the talk of a session into turns. What else was done in a turn
// is told by the numbers of its documents: they come in order.
func momentsOf(lines []store.Line, terms map[int64]uint64) []moment {
	var out []moment
	var last *store.Line
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Role != string(store.RoleAssistant):
			m := moment{user: *l, before: last, terms: terms[l.ID]}
			if last != nil {
				m.asked = terms[last.ID]
			}
			out = append(out, m)
			last = nil
		case l.Who == "":
			last = l
			if len(out) > 0 {
				out[len(out)-1].after = l
			}
		}
	}
	for doc, mask := range terms {
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].user.ID <= doc {
				out[i].terms |= mask
				break
			}
		}
	}
	if len(out) > 0 {
		out[0].first, out[len(out)-1].last = true, true
	}
	return out
}
