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

// asked are the sentences that a reply answers: what was asked and offered.
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

// ways are the items of the last list of a message.
func (s said) ways() (out [][]sentence) {
	const far = 2 // paragraphs between items
	for i, x := range s.list {
		switch last := len(out) - 1; {
		case x.item && (i == 0 || last < 0 || x.para-out[last][0].para > far):
			out = [][]sentence{{x}}
		case x.item:
			out = append(out, []sentence{x})
		case last >= 0 && x.para == out[last][0].para && !x.question:
			out[last] = append(out[last], x)
		}
	}
	return out
}

// chosen is the way that the user names by its letter or its number.
func (e exchange) chosen() []sentence {
	const most = 4 // sentences
	ways := e.before.ways()
	if len(ways) < 2 {
		return nil
	}
	var out []sentence
	for _, s := range e.user.list {
		for i, w := range s.words {
			if i+1 < len(s.words) && isOneOf(s.words[i+1].lower, "no", "not", "is", "was", "isn't", "nein", "ist", "would") {
				continue
			}
			if n := s.ordinal(i, w); 0 < n && n <= len(ways) {
				out = ways[n-1]
			}
			if s.last(i) {
				out = ways[len(ways)-1]
			}
		}
	}
	return out[:min(most, len(out))]
}

// last reports whether a word means the last of what was offered.
func (s sentence) last(i int) bool {
	w := s.words[i].lower
	return w == "latter" || w == "last" && i+1 < len(s.words) && (s.words[i+1].lower == "one" || s.words[i+1].lower == "option")
}

// ordinal is the number that a word gives one of the ways; 0 = none.
func (s sentence) ordinal(i int, w token) int {
	const early = 6 // words, in which a bare number is an answer
	text := s.text.String()
	word := text[w.start:w.end]
	alone := w.end == len(text) || strings.IndexByte(",.;:!)-", text[w.end]) >= 0 || i+1 < len(s.words) && isOneOf(s.words[i+1].lower, "please", "then", "bitte", "it", "is", "of", "because", "for", "since", "und", "and")
	named := i > 0 && isOneOf(s.words[i-1].lower, "option", "variante", "variant", "la", "el", "nummer", "number", "l'option", "opción", "opção", "so", "with", "mit", "then", "dann", "take", "nehmen", "prefer", "also", "go", "the", "way")
	switch {
	case len(word) == 1 && 'A' <= word[0] && word[0] <= 'H' && (alone || named):
		return int(word[0]-'A') + 1
	case len(word) == 1 && 'a' <= word[0] && word[0] <= 'h' && (alone && i < 3 || named && word != "a"):
		return int(word[0]-'a') + 1
	case len(word) == 1 && '1' <= word[0] && word[0] <= '9' && (alone && i < early || named):
		return int(word[0] - '0')
	}
	for n, forms := range [][]string{{"first", "erste", "erstes", "primera", "première", "primo", "prima", "primeira"}, {"second", "zweite", "zweites", "segunda", "deuxième", "seconde", "secondo", "seconda"}, {"third", "dritte", "tercera", "troisième", "terza", "terceira"}} {
		if isOneOf(w.lower, forms...) && (i+1 == len(s.words) || isOneOf(s.words[i+1].lower, "one", "option", "way") || alone) {
			return n + 1
		}
	}
	return 0
}

func isOneOf(w string, list ...string) bool { return slices.Contains(list, w) }

// stem makes "polls" and "polling" one word, roughly.
func stem(w string) string {
	const enough = 4
	w = strings.TrimSuffix(strings.TrimSuffix(w, "ing"), "s")
	if r := []rune(w); len(r) > enough+2 {
		return string(r[:enough+2])
	}
	return w
}
