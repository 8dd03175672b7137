package recall

import "keepmum/store"

// moment is a turn of a session: what the user said, what it answers, and what the agent answered.
type moment struct {
	user   store.Line
	before *store.Line // the agent's message before it
	after  *store.Line // the agent's last message of the turn
	terms  uint64      // the prompt's terms in this turn,
	said   uint64      // in what the user said in it,
	closed uint64      // in the agent's last message,
	asked  uint64      // and in the message that the user answers
	first  bool        // of its session
	last   bool

	withdrawn int64 // the user's next message, if it takes this one back; 0 = it does not
	withdraws bool  // the user takes back what the user's message before says
}

// momentsOf groups the messages of a session into turns. Other documents belong to a turn by their ids, which are in
// order.
func momentsOf(lines []store.Line, terms map[int64]uint64) []moment {
	var out []moment
	var last *store.Line
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Role != string(store.RoleAssistant):
			m := moment{user: *l, before: last, terms: terms[l.ID], said: terms[l.ID]}
			if last != nil {
				m.asked = terms[last.ID]
			}
			out = append(out, m)
			last = nil
		case l.Who == "":
			last = l
			if len(out) > 0 {
				out[len(out)-1].after, out[len(out)-1].closed = l, terms[l.ID]
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
	markWithdrawn(out, lines)
	return out
}
