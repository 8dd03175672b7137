package extract

import (
	"slices"
	"strings"

	"keepmum/memory"
)

// bars are the chances from which on something is kept. Most of what people say
// is not worth it, and a wrong memory costs more than a missing one.
type bars struct {
	keep   float64 // what a user said
	pick   float64 // where a choice is told in as many words
	told   float64 // where a short message says "remember" or "from now on", or is nothing but "never …"
	always float64 // or begins with "always" or "never"

	found  float64 // what the assistant found out
	solved float64 // where a failure went away and its cause is told in as many words
	choice float64 // of what is kept, to be a choice rather than a fact or a rule
}

func defaultBars() bars {
	return bars{keep: 0.57, pick: 0.03, told: 0.02, always: 0.2, found: 0.75, solved: 0.35, choice: 0.5}
}

// fromUser looks at what the user said.
func (h *Heuristic) fromUser(talk []exchange) []finding {
	var out []finding
	for i, e := range talk {
		found := h.judge(e)
		if len(found) == 0 && e.user.cues.has(reverse) {
			out = takeBack(out, e)
		}
		for _, f := range found {
			f.at = i
			f.refs = append(f.refs, e.ref)
			f.titled = f.title()
			out = append(out, f)
		}
	}
	return out
}

// takeBack drops decisions that a user throws out without taking another.
func takeBack(list []finding, e exchange) []finding {
	return slices.DeleteFunc(list, func(f finding) bool {
		return f.primitive == memory.Decision && slices.ContainsFunc(e.user.list, func(s sentence) bool {
			return !s.question && s.cues.has(reverse) && !s.cues.has(hypo) && names(s, f)
		})
	})
}

// judge says what one message teaches. A message is one thing, unless it is a
// list of which each item stands for itself, or has paragraphs that do.
func (h *Heuristic) judge(e exchange) []finding {
	if f, ok := e.approval(); ok {
		f.by = h.judges.keep
		return []finding{f}
	}
	for _, units := range [][][]sentence{e.user.units(), paragraphs(e.user.list)} {
		if len(units) < 2 {
			continue
		}
		if out := h.judgeAll(e, units); len(out) > 1 {
			return out
		}
	}
	return h.judgeAll(e, [][]sentence{e.user.list})
}

func (h *Heuristic) judgeAll(e exchange, units [][]sentence) (out []finding) {
	for _, unit := range units {
		if f, ok := h.judgeUnit(e, unit); ok {
			out = append(out, f)
		}
	}
	return out
}

// paragraphs are the paragraphs of a message.
func paragraphs(list []sentence) (out [][]sentence) {
	for i, s := range list {
		if i == 0 || s.para != list[i-1].para {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// units are the items of a list, or the message.
func (s said) units() [][]sentence {
	items := 0
	for _, x := range s.list {
		if x.item {
			items++
		}
	}
	if items < 2 {
		return [][]sentence{s.list}
	}
	var out [][]sentence
	for _, x := range s.list {
		if x.item || len(out) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], x)
	}
	return out
}

func (h *Heuristic) judgeUnit(e exchange, unit []sentence) (finding, bool) {
	said := e.remark(unit)
	p := h.judges.keep.chance(said)
	list := plain(unit)
	order, told := e.order(list)
	const least = 3
	bar := h.bars.keep
	switch {
	case told:
		bar = h.barOf(e, order)
	case e.picks(list):
		bar = h.bars.pick
	}
	if _, words := total(list); p < bar || words < least {
		return finding{}, false
	}
	out := finding{by: h.judges.keep, facts: withoutTask(h.judges.keep, telling(h.judges.keep, list)), told: told, confidence: confidence(p), outcome: memory.Unknown}
	out.chosen, out.considered = e.chosen(), e.before.asked()
	if told {
		out.confidence = 0.9
	}
	if out.key = order; !told || len(order.words) < titleWords/2 {
		out.key = best(h.judges.keep, out.facts)
	}
	if h.decides(e, said) {
		out.primitive = memory.Decision
		return out, true
	}
	out.primitive, out.kind = memory.Learning, e.kindOf(list)
	return out, true
}

// picks reports whether a choice is told in as many words, with a reason: of
// the ways that were offered, or one that was agreed on.
func (e exchange) picks(list []sentence) bool {
	all, _ := total(list)
	if !all.has(reason) || all.has(hypo, local, once) {
		return false
	}
	return all.has(agreed) || e.offers() >= 1.25 && e.shared(list) > 0 && all.has(choice, weak)
}

// order finds what the user wants to be kept, in as many words: "remember …",
// "from now on …", "never …".
func (e exchange) order(list []sentence) (sentence, bool) {
	draft := e.user.onlyThisTask()
	for _, s := range list {
		if !s.cues.has(hypo) && (s.cues.has(told) || !draft && s.commands()) {
			return s, true
		}
	}
	return sentence{}, false
}

// barOf is lower for an order in a short message: it is little else.
func (h *Heuristic) barOf(e exchange, order sentence) float64 {
	const few, least, early = 3, 5, 3 // sentences of the message; words of the order, words before it
	begins := func(c class) bool {
		return slices.ContainsFunc(order.hits, func(h hit) bool { return h.class == c && h.from < early })
	}
	short := len(e.user.list) <= few && len(order.words) >= least
	switch {
	case !short || e.user.onlyThisTask() || order.cues.has(once, local, reverse):
		return h.bars.keep
	case order.cues.has(told), begins(always) && len(e.user.list) == 1:
		return h.bars.told
	case begins(always):
		return h.bars.always
	}
	return h.bars.keep
}

// decides reports whether what is kept is a choice rather than a fact or a rule.
func (h *Heuristic) decides(e exchange, said features) bool {
	return h.judges.choice.chance(e.reply(said)) >= h.bars.choice
}

// commands reports whether a sentence says "always do" or "never do", as
// opposed to "it never works".
func (s sentence) commands() bool {
	for _, x := range s.hits {
		if x.class != always || len(s.words)-x.to < 2 {
			continue
		}
		next := s.words[x.to].lower
		if !slices.ContainsFunc(s.words[s.clauseStart(x.from):x.from], func(w token) bool { return !leads(w.lower) }) && !pastOrThird(next) {
			return true
		}
	}
	return false
}

// clauseStart is where the clause of a word begins.
func (s sentence) clauseStart(i int) int {
	for ; i > 0; i-- {
		if strings.ContainsAny(s.text.String()[s.words[i-1].end:s.words[i].start], ",;:–") {
			break
		}
	}
	return i
}

// leads reports whether a word may stand before an order.
func leads(w string) bool {
	switch w {
	case "please", "and", "also", "but", "we", "you", "so", "ok", "btw", "must", "should", "pls", "plz", "again", "no", "nope",
		"yes", "then", "or", "just", "one", "thing", "more", "note", "bitte", "und", "auch", "aber", "wir", "et", "mais", "on", "y", "pero", "oh":
		return true
	}
	return false
}

func pastOrThird(w string) bool {
	switch w {
	case "had", "got", "did", "was", "were", "saw", "knew", "heard", "been", "is", "has", "mind", "went", "came", "does", "gets", "happens", "seen", "ran", "thought":
		return true
	}
	return strings.HasSuffix(w, "ed") && w != "need"
}

func (e exchange) kindOf(list []sentence) memory.Kind {
	all, words := total(list)
	const several, long = 3, 20
	switch {
	case all[seq] >= several && words >= long:
		return memory.Procedure
	case all.has(pref, always) || e.user.opener() && all.has(rule, instead):
		return memory.Preference
	case all.has(harm):
		return memory.Pitfall
	case e.user.opener():
		return memory.Preference
	}
	return memory.Insight
}

// telling is the passage that says most.
func telling(by classifier, list []sentence) []sentence {
	const most = 8
	if len(list) <= most {
		return list
	}
	sum := make([]float64, len(list)+1) // of the sentences before
	for i, s := range list {
		sum[i+1] = sum[i] + by.gain(s, 0, len(s.words))
	}
	top := 0
	for i := range len(list) - most + 1 {
		if sum[i+most]-sum[i] > sum[top+most]-sum[top] {
			top = i
		}
	}
	list = list[top : top+most]
	for len(list) > 1 && list[0].slight() {
		list = list[1:]
	}
	return list
}

// withoutTask takes sentences off the end that speak against being kept: what
// is to be done today behind what holds for longer.
func withoutTask(by classifier, list []sentence) []sentence {
	const against = -0.5
	for last := len(list) - 1; last > 0 && by.gain(list[last], 0, len(list[last].words)) < against; last-- {
		list = list[:last]
	}
	return list
}

// slight reports whether a sentence says nothing by itself: "It runs again."
func (s sentence) slight() bool {
	const brief = 6 // words
	return len(s.words) < brief
}

// best is the sentence that makes the best title; the first of equals.
func best(by classifier, list []sentence) sentence {
	top := 0
	score := func(s sentence) float64 {
		c := s.cues
		n := points(c, agreed, 3) + points(c, rootcause, 3) + points(c, choice, 2) + points(c, always, 2) + points(c, quant, 1.5) + points(c, rule, 1.5) +
			points(c, cause, 1.5) + points(c, harm, 1) + points(c, house, 1) + points(c, whenever, 1) + points(c, otherwise, 1) + points(c, pref, 1) +
			points(c, reason, 0.5) + points(c, instead, 0.5) - points(c, reverse, 2) - points(c, reject, 1.5) + 0.3*by.gain(s, 0, len(s.words))
		const short = 4
		if len(s.words) < short {
			n -= 3
		}
		if vague(s.words[0].lower) {
			n -= 1.5
		}
		if strings.Contains(s.text.String(), "[REDACTED:") { // it is about a secret
			n -= 5
		}
		return n
	}
	for i := range list {
		if score(list[i]) > score(list[top]) {
			top = i
		}
	}
	return list[top]
}

// vague reports whether a sentence that begins with a word needs another one
// to be understood.
func vague(w string) bool {
	switch w {
	case "it", "its", "it's", "that", "that's", "thats", "this", "these", "those", "they", "he", "she", "you", "so", "because", "other", "others", "es", "das", "ça", "c'est", "eso":
		return true
	}
	return false
}

func points(c cues, k class, weight float64) float64 {
	if c.has(k) {
		return weight
	}
	return 0
}
