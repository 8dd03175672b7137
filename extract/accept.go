package extract

import (
	"slices"
	"strings"

	"keepmum/memory"
)

// approval finds a decision that the assistant worded and the user took in a
// few words: "yeah do that", "the second one", "postgres".
func (e exchange) approval() (finding, bool) {
	const few = 8
	if n := len(e.user.list); n == 0 || n > 2 || e.user.size > few || e.user.size == 0 || !edited(e.work) {
		return finding{}, false
	}
	if e.user.cues.has(hypo, local, once, correct) || e.user.onlyThisTask() {
		return finding{}, false
	}
	if f, ok := e.accepted(); ok {
		return f, true
	}
	return e.picked()
}

// accepted takes the paragraph with the proposal, if it weighs one thing
// against another: a mere next step is no decision.
func (e exchange) accepted() (finding, bool) {
	first := e.user.list[0]
	if !slices.ContainsFunc(first.hits, func(h hit) bool { return h.class == approve && h.from <= 1 }) {
		return finding{}, false
	}
	for i, s := range e.before.list {
		if !s.cues.has(propose) || s.question {
			continue
		}
		facts := paragraph(e.before.list, i)
		all, words := total(facts)
		const telling, weighed = 25, 2
		if words >= telling && all[tradeoff] >= weighed {
			return finding{primitive: memory.Decision, key: s, facts: facts, confidence: 0.75, outcome: memory.Unknown}, true
		}
	}
	return finding{}, false
}

// paragraph is the rest of the paragraph that sentence i stands in.
func paragraph(list []sentence, i int) []sentence {
	const most = 6
	to := i
	for to < len(list) && to-i < most && list[to].para == list[i].para {
		to++
	}
	return list[i:to]
}

// picked finds which of the offered ways a short answer means.
func (e exchange) picked() (finding, bool) {
	if e.offers() < 1.5 {
		return finding{}, false
	}
	for i, s := range e.before.list {
		if !strings.Contains(s.text.String(), " or ") && !s.cues.has(offer) {
			continue
		}
		if e.points(s) {
			facts := paragraph(e.before.list, i)
			if _, words := total(facts); words < 20 {
				return finding{}, false
			}
			return finding{primitive: memory.Decision, key: e.user.list[0], facts: append([]sentence{e.user.list[0]}, facts...), confidence: 0.65, outcome: memory.Unknown}, true
		}
	}
	return finding{}, false
}

// points reports whether the answer names something of a sentence and adds
// nothing to it.
func (e exchange) points(s sentence) bool {
	offered := map[string]bool{}
	for _, w := range s.words {
		if content(w) || w.lower == "first" || w.lower == "second" {
			offered[w.lower] = true
		}
	}
	named := 0
	for _, w := range e.user.list[0].words {
		switch {
		case offered[w.lower]:
			named++
		case content(w) && !e.user.list[0].cues.has(approve):
			return false
		}
	}
	return named > 0
}

// asked are the sentences that a reply answers: what was asked and offered, else
// the end of what was said.
func (s said) asked() []sentence {
	var out []sentence
	const few, long = 3, 60
	for _, x := range s.list {
		if x.question || x.cues.has(offer) {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		out = s.list
	}
	return shortly(out[max(0, len(out)-few):], long)
}

// shortly cuts a list to so many words, at its beginning.
func shortly(list []sentence, most int) []sentence {
	for {
		if _, words := total(list); words <= most || len(list) <= 1 {
			return list
		}
		list = list[1:]
	}
}

// stem makes "polls" and "polling" one word, roughly.
func stem(w string) string {
	const enough = 4
	w = strings.TrimSuffix(strings.TrimSuffix(w, "ing"), "s")
	if r := []rune(w); len(r) > enough+2 {
		return string(r[:enough+2])
	}
	return w
}
