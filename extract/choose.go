package extract

import "keepmum/memory"

// decision finds a choice: between what was offered, or with a reason.
func (e exchange) decision(unit []sentence) (finding, bool) {
	list := live(unit)
	all, words := total(list)
	const least = 4
	if words < least || e.first && !all.has(agreed) {
		return finding{}, false
	}
	offered := e.offers()
	score, ok := weighChoice(all, offered, words)
	if n := e.answers(list, all, words, offered); n > score {
		score, ok = n, true
	}
	if !ok || score < choiceBar || e.user.onlyThisTask() && !all.has(agreed) {
		return finding{}, false
	}
	f := finding{primitive: memory.Decision, facts: list, confidence: confidence(score, choiceBar), outcome: memory.Unknown}
	f.key = best(list, func(s sentence) float64 {
		c := s.cues
		return points(c, choice, 2) + points(c, agreed, 3) + points(c, weak, 1.5) + points(c, reason, 0.5) - points(c, reverse, 2) + points(c, instead, 0.5)
	})
	if offered >= 1 {
		f.considered = e.before.alternatives()
	}
	return f, true
}

func weighChoice(all cues, offered float64, words int) (score float64, ok bool) {
	because := all.has(reason, harm, rule)
	switch {
	case all.has(agreed):
		score = 3
	case all.has(choice), all.has(reverse) && all.has(weak):
		score = 2
		ok = offered >= 1.5 || because || all.has(instead, reverse)
	case all.has(weak):
		score = 1
		ok = offered >= 1 && because
	}
	ok = ok || all.has(agreed)
	score += offered + points(all, reason, 1)
	if all.has(instead, reverse) {
		score++
	}
	const detailed = 15
	if words >= detailed {
		score += 0.5
	}
	return score, ok
}

// answers weighs a reply that names one of the offered ways and says more than
// its name, or that turns a proposal down with a reason. It needs no cue.
func (e exchange) answers(list []sentence, all cues, words int, offered float64) float64 {
	const short, telling, long = 4, 7, 14
	if all.has(choice) && e.namesOffered(list) && words >= short && offered >= 1.5 {
		return offered + 2
	}
	named := e.namesOffered([]sentence{list[0].opening(short)}) // "redis, it is there already"
	because := points(all, reason, 1) + points(all, harm, 0.5) + points(all, rule, 0.5)
	switch {
	case words < telling || !e.namesOffered(list):
		return 0
	case offered >= 1.5 && (because > 0 || named || words >= long || all.has(weak)):
		return offered + 2 + min(because, 1)
	case offered > 0 && e.user.opener() && (because > 0 || words >= long) && !all.has(task):
		return offered + 1.75 + max(min(because, 1), 0.5)
	}
	return 0
}

// opening is the first clause, if it has at most n words.
func (s sentence) opening(n int) sentence {
	for i := 1; i <= len(s.words); i++ {
		if i == len(s.words) || s.clauseStart(i) == i {
			s.words = s.words[:i]
			break
		}
	}
	if len(s.words) > n {
		s.words = nil
	}
	return s
}

// alternatives are the sentences that name the ways there are.
func (s said) alternatives() []sentence {
	var out []sentence
	const few = 3
	for _, x := range s.list {
		if x.cues.has(offer) && !x.question && len(out) < few {
			out = append(out, x)
		}
	}
	return out
}
