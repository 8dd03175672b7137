package extract

import (
	"slices"
	"strings"
	"time"

	"keepmum/privacy"
)

// exchange is a message of the user, the message before it, and what was done until the user's next message.
type exchange struct {
	user   said
	ref    privacy.Clean
	at     time.Time
	first  bool   // it opens the session, so it is mostly a request
	before *reply // the assistant's message that the user answers
	work   []Step // what was done then, without subagents
}

// converse divides a session into exchanges. Subagents, summaries of an earlier part and tool output do not count as
// messages.
func converse(s Session) []exchange {
	if s.dialogue.of(s.Steps) {
		return s.dialogue.talk
	}
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

// next begins an exchange with a message of the user. If the user writes twice in a row, both answer the same message.
func next(prev exchange, st Step, first bool) exchange {
	return exchange{user: read(st.Text), ref: st.Ref, at: st.At, first: first,
		before: &reply{work: prev.work, earlier: prev.before}}
}

// reply is what the assistant said last before a message of the user. It is read when it is asked for, because most
// messages say nothing that is kept.
type reply struct {
	work    []Step
	earlier *reply
	known   bool
	said    said
}

func (r *reply) read() said {
	switch {
	case r == nil:
		return said{}
	case r.known:
		return r.said
	}
	r.known = true
	for _, st := range slices.Backward(r.work) {
		if st.Role != Assistant {
			continue
		}
		if r.said = read(st.Text); len(r.said.list) > 0 {
			return r.said
		}
	}
	r.said = r.earlier.read()
	return r.said
}

// asked returns the last question to the user, if it is near the end of the message.
func (e exchange) asked() (sentence, bool) {
	const end = 3 // sentences
	list := e.before.read().list
	for _, s := range slices.Backward(list[max(0, len(list)-end):]) {
		if s.question {
			return s, !s.holed
		}
	}
	return sentence{}, false
}

// edited reports whether files were changed.
func edited(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Role == Tool && s.Edit && !s.Failed })
}

// shares counts the content words that two sentences have in common.
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

// contents returns how many content words a sentence has.
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
