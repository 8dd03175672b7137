package extract

import (
	"slices"
	"strings"

	"keepmum/memory"
)

// bars are the chances from which on something is kept. Most of what people say
// is not worth it, and a wrong memory costs more than a missing one.
type bars struct {
	keep  float64 // what a user said
	pick  float64 // where a choice is told in as many words
	order float64 // where something is to be done always or never

	found  float64 // what the assistant found out
	solved float64 // where a failure went away and its cause is told in as many words
	choice float64 // of what is kept, to be a choice rather than a fact or a rule
}

func defaultBars() bars {
	return bars{keep: 0.78, pick: 0.25, order: 0.5, found: 0.9, solved: 0.3, choice: 0.4}
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
	if f, ok := h.order(e, unit, p); ok {
		return f, true
	}
	list := plain(unit)
	const least = 3
	bar := h.bars.keep
	if e.picks(list) {
		bar = h.bars.pick
	}
	if _, words := total(list); p < bar || words < least {
		return finding{}, false
	}
	out := finding{by: h.judges.keep, facts: telling(h.judges.keep, list), confidence: confidence(p), outcome: memory.Unknown}
	out.key = best(h.judges.keep, out.facts)
	if h.decides(e, unit, said) {
		out.primitive, out.considered = memory.Decision, e.before.asked()
		return out, true
	}
	out.primitive, out.kind = memory.Learning, e.kindOf(list)
	if out.briefly() {
		out.considered = e.before.asked()
	}
	return out, true
}

// decides reports whether what is kept is a choice rather than a fact or a rule.
func (h *Heuristic) decides(e exchange, unit []sentence, said features) bool {
	all, _ := total(plain(unit))
	return all.has(choice, agreed) || e.offers() >= 1.25 && e.shared(unit) > 0 || h.judges.choice.chance(e.reply(said)) >= h.bars.choice
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

// briefly reports whether a finding says too little to be understood alone.
func (f finding) briefly() bool {
	const brief = 15
	_, words := total(f.facts)
	return words < brief
}

// order finds what the user wants to be kept, in as many words: "remember …",
// "from now on …", "never …"; p is the chance that it is worth it.
func (h *Heuristic) order(e exchange, unit []sentence, p float64) (finding, bool) {
	const longest = 6 // sentences that go with it
	local := e.user.onlyThisTask()
	for i, s := range unit {
		if s.question || s.cues.has(hypo) || !(s.cues.has(told) || !local && s.commands() && p >= h.bars.order) {
			continue
		}
		facts := around(unit, i, longest)
		if _, n := total(facts); n < 4 {
			continue
		}
		f := finding{by: h.judges.keep, primitive: memory.Learning, kind: memory.Preference, key: s, facts: facts, told: true, confidence: 0.9, outcome: memory.Unknown}
		if e.describes(facts) {
			f.kind = memory.Insight
		}
		if all, _ := total(facts); all.has(choice, agreed) {
			f.primitive, f.kind = memory.Decision, ""
		}
		return f, true
	}
	return finding{}, false
}

// around is a sentence with those beside it that give the reason, or all of it
// when it says little by itself ("remember this").
func around(unit []sentence, i, longest int) []sentence {
	from, to := i, i+1
	for to < len(unit) && to-i < longest && !unit[to].question && (unit[to].cues.has(reason, harm, rule) || len(unit[i].words) < 8) {
		to++
	}
	for from > 0 && to-from < longest && !unit[from-1].question && (unit[from-1].cues.has(reason, harm, rule) || len(unit[i].words) < 6) {
		from--
	}
	return unit[from:to]
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

// describes reports whether facts are told rather than wishes.
func (e exchange) describes(facts []sentence) bool {
	all, _ := total(facts)
	return all.has(harm) && !all.has(pref) && !e.user.opener()
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

// telling are the sentences that say most, in the order they were said.
func telling(by classifier, list []sentence) []sentence {
	const most = 5
	if len(list) <= most {
		return list
	}
	gain := make([]float64, len(list))
	order := make([]int, len(list))
	for i, s := range list {
		order[i], gain[i] = i, by.gain(s, 0, len(s.words))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case gain[a] > gain[b]:
			return -1
		case gain[a] < gain[b]:
			return 1
		}
		return 0
	})
	order = order[:most]
	slices.Sort(order)
	out := make([]sentence, most)
	for i, at := range order {
		out[i] = list[at]
	}
	return out
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
