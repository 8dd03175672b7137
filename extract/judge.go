package extract

import (
	"slices"
	"strings"

	"keepmum/memory"
)

// keepBar is the chance from which on something that a user said is kept. Most
// of what people say is not, and a wrong memory costs more than a missing one.
const keepBar = 0.65

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
// list of which each item stands for itself.
func (h *Heuristic) judge(e exchange) []finding {
	if f, ok := e.approval(); ok {
		f.by = h.judges.keep
		return []finding{f}
	}
	var out []finding
	units := e.user.units()
	for _, unit := range units {
		if f, ok := h.judgeUnit(e, unit); ok {
			out = append(out, f)
		}
	}
	if len(units) > 1 && len(out) == 0 {
		if f, ok := h.judgeUnit(e, e.user.list); ok {
			out = append(out, f)
		}
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
	if f, ok := h.order(e, unit); ok {
		return f, true
	}
	list := plain(unit)
	f := e.remark(unit)
	p := h.judges.keep.chance(f)
	const least = 3
	if _, words := total(list); p < keepBar && !e.picks(list) || words < least {
		return finding{}, false
	}
	out := finding{by: h.judges.keep, facts: h.telling(h.judges.keep, list), confidence: confidence(p), outcome: memory.Unknown}
	out.key = h.best(h.judges.keep, out.facts)
	if h.judges.choice.chance(f) >= 0.5 {
		out.primitive, out.considered = memory.Decision, e.before.asked()
		return out, true
	}
	out.primitive, out.kind = memory.Learning, e.kindOf(list)
	if out.briefly() {
		out.considered = e.before.asked()
	}
	return out, true
}

// picks reports whether one of the offered ways is taken, in as many words.
func (e exchange) picks(list []sentence) bool {
	all, _ := total(list)
	return e.offers() >= 1.25 && all.has(choice, agreed) && !all.has(hypo, local, once) && e.shared(list) > 0
}

// briefly reports whether a finding says too little to be understood alone.
func (f finding) briefly() bool {
	const brief = 15
	_, words := total(f.facts)
	return words < brief
}

// order finds what the user wants to be kept, in as many words: "remember …",
// "from now on …", "never …".
func (h *Heuristic) order(e exchange, unit []sentence) (finding, bool) {
	const longest = 6 // sentences that go with it
	local := e.user.onlyThisTask()
	for i, s := range unit {
		if s.question || s.cues.has(hypo) || !(s.cues.has(told) || !local && s.commands()) {
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
	case e.user.opener():
		return memory.Friction
	case all.has(harm):
		return memory.Pitfall
	}
	return memory.Insight
}

// telling are the sentences that say most, in the order they were said.
func (h *Heuristic) telling(by classifier, list []sentence) []sentence {
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

// best is the sentence that says most; the first of equals.
func (h *Heuristic) best(by classifier, list []sentence) sentence {
	return slices.MaxFunc(list, func(a, b sentence) int {
		switch x, y := by.gain(a, 0, len(a.words)), by.gain(b, 0, len(b.words)); {
		case x > y:
			return 1
		case x < y:
			return -1
		}
		return 0
	})
}
