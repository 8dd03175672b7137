package extract

import (
	"slices"
	"strings"

	"keepmum/memory"
)

// What a finding must score. The weights below were set by hand: one cue alone
// never reaches a bar, two independent ones do.
const (
	standingBar = 3.0
	choiceBar   = 3.5
)

// fromUser looks at what the user said.
func fromUser(talk []exchange) []finding {
	var out []finding
	for i, e := range talk {
		found := e.judge()
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
func (e exchange) judge() []finding {
	if f, ok := e.approval(); ok {
		return []finding{f}
	}
	var out []finding
	units := e.user.units()
	for _, unit := range units {
		if f, ok := e.judgeUnit(unit); ok {
			out = append(out, f)
		}
	}
	if len(units) > 1 && len(out) == 0 {
		if f, ok := e.judgeUnit(e.user.list); ok {
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

func (e exchange) judgeUnit(unit []sentence) (finding, bool) {
	if f, ok := e.procedure(unit); ok {
		return f, true
	}
	decided, okDecided := e.decision(unit)
	if f, ok := e.order(unit); ok && !(okDecided && e.offers() >= 1.5 && !f.key.cues.has(told)) {
		return f, true
	}
	stands, okStands := e.standing(unit)
	switch {
	case okDecided && okStands && e.user.opener() && e.offers() < 1.5 && !e.user.cues.has(choice) && stands.confidence > decided.confidence:
		return stands, true
	case okDecided:
		return decided, true
	}
	return stands, okStands
}

// order finds what the user wants to be kept, in as many words: "remember …",
// "from now on …", "never …".
func (e exchange) order(unit []sentence) (finding, bool) {
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
		f := finding{primitive: memory.Learning, kind: memory.Preference, key: s, facts: facts, told: true, confidence: 0.9, outcome: memory.Unknown}
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
	for to < len(unit) && to-i < longest && !unit[to].question && (unit[to].cues.has(reason, harm, house, quant, rule) || len(unit[i].words) < 8) {
		to++
	}
	for from > 0 && to-from < longest && !unit[from-1].question && (unit[from-1].cues.has(reason, harm, house, rule) || len(unit[i].words) < 6) {
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

// standing finds rules, preferences and facts that hold beyond this task.
func (e exchange) standing(unit []sentence) (finding, bool) {
	list := live(unit)
	all, words := total(list)
	if e.first || e.user.onlyThisTask() || words < 5 {
		return finding{}, false
	}
	contrast := e.contrast(list)
	score := e.weighStanding(all, contrast)
	bar := standingBar
	if all.has(task) && !e.user.opener() {
		bar++
	}
	if score < bar || words < 8 && !contrast {
		return finding{}, false
	}
	f := finding{primitive: memory.Learning, kind: e.kindOf(all), facts: list, confidence: confidence(score, bar), outcome: memory.Unknown,
		told: all.has(always)}
	f.key = best(list, func(s sentence) float64 {
		c := s.cues
		return points(c, always, 2) + points(c, quant, 1.5) + points(c, rule, 1.5) + points(c, harm, 1) + points(c, house, 1) + points(c, reason, 0.5) + points(c, pref, 1)
	})
	return f, true
}

func (e exchange) weighStanding(all cues, contrast bool) float64 {
	score := points(all, always, 2) + points(all, quant, 1.5) + points(all, rule, 1.5) + points(all, house, 1) + points(all, here, 1) +
		points(all, reason, 1) + points(all, harm, 1.5) + points(all, pref, 2)
	if all[rule] > 1 {
		score++
	}
	score += points(all, aside, 1)
	if all.has(who) && all.has(rule, harm) {
		score += 0.5
	}
	switch n := all[harm]; { // somebody tells what it cost them
	case n > 2:
		score += 1.5
	case n == 2:
		score++
	}
	if e.user.opener() && acted(e.did) && !all.has(pref) {
		score += 1.5
	}
	if contrast {
		score++
	}
	switch {
	case !all.has(always, quant, rule, harm, pref, house) && !contrast:
		return 0
	case !all.has(always, rule, house, pref, reason, who, aside) && !e.user.opener():
		return 0 // "every item is cut off now" is a bug, and not for long
	}
	return score
}

func points(c cues, k class, weight float64) float64 {
	if c.has(k) {
		return weight
	}
	return 0
}

func (e exchange) kindOf(all cues) memory.Kind {
	switch {
	case all.has(pref) || e.user.opener() && all.has(always, rule, quant, instead) || all.has(always):
		return memory.Preference
	case all.has(rule, house) && !all.has(harm):
		return memory.Preference
	case e.user.opener():
		return memory.Friction
	case all.has(harm):
		return memory.Pitfall
	}
	return memory.Insight
}

// contrast reports whether the user refuses something that was just used or
// proposed: "no npm", "not npm", "instead of npm".
func (e exchange) contrast(list []sentence) bool {
	if !acted(e.did) {
		return false
	}
	used := e.used()
	for _, s := range list {
		for i, w := range s.words[:max(0, len(s.words)-1)] {
			next := s.words[i+1]
			if negates(w.lower) && len(next.lower) > 2 && used[next.lower] {
				return true
			}
		}
	}
	return false
}

func negates(w string) bool {
	switch w {
	case "no", "not", "of", "than", "without", "kein", "keine", "nicht", "statt", "pas", "sin", "ningún":
		return true
	}
	return false
}

// used are the words of the last commands and of what was said about them.
func (e exchange) used() map[string]bool {
	out := map[string]bool{}
	for _, st := range e.did {
		if st.Role == Tool && !st.Command.IsZero() {
			for _, w := range tokenize(st.Command.Cut(400).String()) {
				out[w.lower] = true
			}
		}
	}
	for _, s := range e.before.list {
		for _, w := range s.words {
			if content(w) {
				out[w.lower] = true
			}
		}
	}
	return out
}

// procedure finds how something is done, step by step.
func (e exchange) procedure(unit []sentence) (finding, bool) {
	list := plain(unit)
	all, words := total(list)
	if all[seq] < 3 || words < 20 || e.user.onlyThisTask() && !all.has(told) {
		return finding{}, false
	}
	sure := all.has(told, always, rule, quant)
	if e.first {
		sure = all.has(told, always) && all.has(process)
	}
	if !sure || !all.has(process, told, house, always) {
		return finding{}, false
	}
	f := finding{primitive: memory.Learning, kind: memory.Procedure, facts: list, confidence: 0.8, outcome: memory.Unknown, told: all.has(told)}
	f.key = best(list, func(s sentence) float64 { return float64(s.cues[seq]) + points(s.cues, process, 2) })
	return f, true
}

// best returns the sentence that scores highest; the first of equals.
func best(list []sentence, score func(sentence) float64) sentence {
	top := 0
	for i := range list {
		if score(list[i]) > score(list[top]) {
			top = i
		}
	}
	return list[top]
}
