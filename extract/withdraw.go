package extract

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

var (
	takesBack = lazyregexp.New(`\b(?:scrap|scratch that|on second thoughts?|changed? my mind|i was wrong)\b` +
		`|(?:^|[,.;:!] ?|\b(?:please|and|so|ok|okay|no|sorry|just|actually|now|then|let's|lets|can) )forget (?:about|the|what)\b` +
		`|\bnever ?mind (?:[^\si]|i\pL\pL)` + // not "never mind, found it"
		`|\b(?:undo|revert|drop(?:ping)? the) (?:\S+ ){0,4}(?:rules?|convention|instructions?)\b`)
	turns    = lazyregexp.New(`\b(?:after all|back to|no longer|doch nicht|finalement|al final no)\b`)
	undoes   = lazyregexp.New(`\b(?:undo|revert|drop(?:ping)? the)\b`)
	ofMemory = lazyregexp.New(`\b(?:remember|memori|memory|rule)`) // a withdrawal that cannot mean the work
)

// takeBack marks findings that a message withdraws: what one of its sentences rejects by name, and what the user said
// just before, if the message is nothing but a withdrawal. It reports whether it is.
func (h *Heuristic) takeBack(list []finding, now, before said) (bare bool) {
	if len(list) == 0 || len(now.list) == 0 {
		return false
	}
	text := now.whole()
	bare = h.cues.withdraws.MatchString(text)
	firm := bare && ofMemory.MatchString(text)
	against := h.rejections(now)
	if !bare && len(against) == 0 { // most messages
		return false
	}
	for i := range list {
		f := &list[i]
		switch {
		case f.why != "" && f.why != Unsure:
		case firm && f.saidIn(before), bare && f.lastIn(before, h.cues), f.rejected(against, before, h.cues):
			f.why = TakenBack
		}
	}
	return bare
}

// whole returns a short message in lower case, "" for a longer one, which is more than a withdrawal.
func (m said) whole() string {
	const short = 120 // bytes
	if len(m.text.String()) > short {
		return ""
	}
	return lowered(strings.Join(strings.Fields(m.text.String()), " "))
}

// rejection is a sentence that takes something back.
type rejection struct {
	sentence
	work bool // it may speak of the work
	past bool // it follows a "scratch that.", so it says what was meant just before
}

// rejections returns the sentences of a message that take something back.
func (h *Heuristic) rejections(m said) (out []rejection) {
	first := h.cues.withdraws.MatchString(m.list[0].plain)
	for i, s := range m.list {
		r := rejection{sentence: s, past: first && i > 0}
		if s.question {
			continue
		}
		if s.says(takesBack) {
			r.past = false
		} else if r.work = s.says(turns) || s.says(undoes); !r.work && !r.past {
			continue
		}
		out = append(out, r)
	}
	return out
}

// rejected reports whether one of these sentences takes back a finding.
func (f *finding) rejected(list []rejection, before said, t *table) bool {
	return slices.ContainsFunc(list, func(r rejection) bool {
		switch {
		case r.past && f.lastIn(before, t):
			return f.key.sameSubject(r.sentence)
		case !r.work:
			return !r.past && f.key.sameSubject(r.sentence)
		}
		// to undo work is no word against a rule
		return f.key.shares(r.sentence) > 0 && (!f.standing || r.says(turns))
	})
}

// saidIn reports whether a finding is from a message.
func (f *finding) saidIn(m said) bool {
	return slices.ContainsFunc(m.list, func(s sentence) bool { return s.end == f.key.end && s.text == f.key.text })
}

// lastIn reports whether a finding is from a message, and nothing was asked for after it, so that "scratch that" means
// the finding.
func (f *finding) lastIn(m said, t *table) bool {
	order := t.cues[t.place["order"]].re
	return f.saidIn(m) && !slices.ContainsFunc(m.list, func(s sentence) bool {
		return s.end > f.key.end && (s.question || order.MatchString(s.plain))
	})
}

// sameSubject reports whether two sentences have a content word, or a part of a path, in common. That part may be short.
func (s sentence) sameSubject(o sentence) bool {
	names, there := map[string]bool{}, map[string]bool{}
	for _, w := range o.words {
		there[w.lower] = true
		names[w.lower] = names[w.lower] || content(w) || o.inPath(w)
	}
	return slices.ContainsFunc(s.words, func(w token) bool {
		return w.lower != "" && there[w.lower] && (names[w.lower] || s.inPath(w))
	})
}

// inPath reports whether a word is written as a file or folder: gen/, /etc, .env.
func (s sentence) inPath(w token) bool {
	text := s.text.String()
	return strings.HasPrefix(text[w.end:], "/") || strings.HasSuffix(text[:w.start], "/") ||
		strings.HasSuffix(text[:w.start], ".")
}
