package extract

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// How people take back by name what they said. What they only undo in the work takes back no rule (see takeBack).
var (
	// takesBack matches what rejects something said, in the same sentence.
	takesBack = lazyregexp.New(`\b(?:scrap|scratch that|on second thoughts?|changed? my mind|i was wrong)\b` +
		`|(?:^|[,.;:!] ?|\b(?:please|and|so|ok|okay|no|sorry|just|actually|now|then|let's|lets|can) )` +
		`forget (?:about|the|what)\b` +
		`|\bnever ?mind (?:[^\si]|i\pL\pL)` + // not "never mind, found it"
		`|\b(?:undo|revert|drop(?:ping)? the) (?:\S+ ){0,4}(?:rules?|convention|instructions?)[.! ]*$`)
	// turns matches what says that it is otherwise again, undoes what undoes something, ofRule what names a rule.
	turns  = lazyregexp.New(`\b(?:after all|back to|no longer|doch nicht|finalement|al final no)\b`)
	undoes = lazyregexp.New(`\b(?:undo|revert|drop(?:ping)? the)\b`)
	ofRule = lazyregexp.New(`\b(?:forget|never ?mind)(?: about)? (?:the|that|this|my) (?:\S+ ){0,4}rule[.! ]*$`)
	// second matches an order that follows a statement, asWell a rule that follows an order.
	second = lazyregexp.New(`\b(?:and|but|then) (?:also |please |then |now )*(?:add|fix|create|update|commit|push|` +
		`delete|remove|write|explain|show|check|run|make|change|rename|move|the|this|it)\b`)
	asWell = lazyregexp.New(`(?:[,;]|\b(?:and|but)) (?:also |please )*` +
		`(?:from now on|going forward|remember|always|never)\b`)
)

// takenBack returns the finding that a message takes back without naming it, as "scratch that" does, or nil if it may
// mean something else: the message before must hold nothing besides the finding, and the agent must not have changed,
// asked or offered anything since.
func (h *Heuristic) takenBack(list []finding, last exchange, message string) *finding {
	if len(list) == 0 || len(last.user.list) != 1 || h.saysMore(last.user) || refuses(message, last.work) {
		return nil
	}
	f := &list[len(list)-1]
	if f.key.text != last.user.list[0].text || f.why != "" && f.why != Unsure {
		return nil
	}
	return f
}

// saysMore reports whether a message of one sentence may hold more than a rule: something pasted, a question, or an
// order.
func (h *Heuristic) saysMore(m said) bool {
	s := m.list[0]
	if s.question || strings.TrimSpace(m.text.String()) != s.text.String() || s.statementEnd(0) < len(s.words) {
		return true
	}
	order := h.cues.cues[h.cues.place["order"]].re
	return s.says(second) || order.MatchString(s.plain) && s.says(asWell)
}

// refuses reports whether a withdrawal may refuse what the agent did before it: a change, a question, an offer, or what
// it was doing when the user interrupted it.
func refuses(message string, work []Step) bool {
	if len(work) > 0 && work[len(work)-1].Role != Assistant {
		return true
	}
	return slices.ContainsFunc(work, func(st Step) bool {
		return st.Edit || st.Role == Assistant && !TakesBack(message, st.Text.String())
	})
}

// takeBack marks the findings that a message rejects by name. What is only proposed is rejected as a rule: other words
// are about the work.
func takeBack(list []finding, m said) {
	for _, s := range m.list {
		rejects, work := s.says(takesBack), s.says(turns) || s.says(undoes)
		if s.question || !rejects && !work {
			continue
		}
		for i := range list {
			f := &list[i]
			switch {
			case f.why == Unsure && s.says(ofRule), f.why == "" && rejects:
				if f.key.sameSubject(s) {
					f.why = TakenBack
				}
			case f.why == "" && f.key.shares(s) > 0 && (!f.standing || s.says(turns)): // to undo work rejects no rule
				f.why = TakenBack
			}
		}
	}
}

// sameSubject reports whether two sentences have a content word, or a part of a path, in common. That part may be
// short.
func (s sentence) sameSubject(o sentence) bool {
	return s.shares(o) > 0 || slices.ContainsFunc(s.words, func(w token) bool {
		return s.inPath(w) && slices.ContainsFunc(o.words, func(v token) bool { return v.lower == w.lower && o.inPath(v) })
	})
}

// inPath reports whether a word is written as a file or folder: gen/, /etc, .env.
func (s sentence) inPath(w token) bool {
	text := s.text.String()
	return strings.HasPrefix(text[w.end:], "/") || strings.HasSuffix(text[:w.start], "/") ||
		strings.HasSuffix(text[:w.start], ".")
}
