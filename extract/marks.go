package extract

import (
	"math/bits"
	"regexp"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// marks returns the cues of a sentence, of its position, and of the agent's reaction to it. A sentence without an act
// has none, unless all are asked for.
func (h *Heuristic) marks(e *exchange, i int, all bool) marks {
	s, t := e.user.list[i], h.cues
	m := t.acts(s.plain)
	t.mark(&m, "standing order", s.first && newRule().MatchString(s.plain))
	acts := bits.OnesCount64(uint64(m))
	if acts == 0 && !all {
		return 0
	}
	t.find(&m, s.plain)
	t.mark(&m, "always there", true)
	t.mark(&m, "an act", acts > 0)
	t.mark(&m, "two acts", acts > 1)
	h.markContent(&m, s, acts > 0)
	h.markPlace(&m, e, s)
	sorry := e.sorry(t.sorry)
	t.mark(&m, "for one text", e.user.list[0].says(oneText))
	t.mark(&m, "sorry", sorry)
	t.mark(&m, "blamed", sorry && t.has(m, corrections...))
	t.mark(&m, "choice with a reason", t.has(m, "reason") && t.has(m, "decided", "let us"))
	return m
}

// corrections are the acts that tell an agent what it did wrong.
var corrections = []string{"always", "ask first", "not wanted", "told before", "why you", "you did", "you should"}

// markContent marks how much a sentence names, and of what kind.
func (h *Heuristic) markContent(m *marks, s sentence, act bool) {
	const few, many, wordy = 3, 8, 30
	names := s.contents()
	h.cues.mark(m, "names nothing", names < few-1)
	h.cues.mark(m, "names little", names < few)
	h.cues.mark(m, "names much", names > many)
	h.cues.mark(m, "empty", names < few && h.cues.has(*m, "leans"))
	h.cues.mark(m, "wordy act", act && len(s.words) > wordy)
	work := map[string]bool{}
	for _, w := range h.cues.work.FindAllString(s.plain, -1) {
		work[w] = true
	}
	h.cues.mark(m, "two of the work", len(work) > 1)
	h.cues.mark(m, "three of the work", len(work) > 2)
}

// markPlace marks where a sentence is, and how long it and its message are.
func (h *Heuristic) markPlace(m *marks, e *exchange, s sentence) {
	_, asked := e.asked()
	h.cues.mark(m, "answers", asked)
	h.cues.mark(m, "question", s.question)
	h.cues.mark(m, "item", s.item)
	for _, step := range []struct {
		name    string
		n, over int
	}{
		{"over 3 words", len(s.words), 3}, {"over 12 words", len(s.words), 12},
		{"over 25 words", len(s.words), 25}, {"over 40 words", len(s.words), 40},
		{"over 3 sentences", len(e.user.list), 3}, {"over 20 sentences", len(e.user.list), 20},
	} {
		h.cues.mark(m, step.name, step.n > step.over)
	}
}

// sorry reports whether the agent's first reply acknowledges, in words that match, that the user corrected it.
func (e *exchange) sorry(re *regexp.Regexp) bool {
	const begins = 300 // bytes
	for _, st := range e.work {
		if st.Role == Assistant && !st.Text.IsZero() {
			return re.MatchString(lowered(head(st.Text, begins)))
		}
	}
	return false
}

// head returns the first n bytes of a text.
func head(c privacy.Clean, n int) string {
	return strings.ToValidUTF8(c.String()[:min(n, len(c.String()))], "")
}

// oneText matches a request for a text: what is said about it applies only to that text.
var oneText = lazyregexp.New(`^(?:please |can you |could you |kindly |now )*` +
	`(?:write|draft|translate|compose|rephrase|reword|summari[sz]e|proofread|schreib\w*|übersetz\w*|rédige|traduis|traduce)\b`)
