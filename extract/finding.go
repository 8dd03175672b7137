package extract

import (
	"cmp"
	"slices"
	"strings"

	"keepmum/memory"
	"keepmum/privacy"
)

// finding is a candidate in the making.
type finding struct {
	by         classifier // what found it, whose weights choose its title
	primitive  memory.Primitive
	kind       memory.Kind
	key        sentence   // what the title is made of
	facts      []sentence // what was said
	chosen     []sentence // the one of the offered ways that it names
	considered []sentence // what it answers
	context    privacy.Clean
	trouble    privacy.Clean // what was seen to fail
	files      []privacy.Clean
	told       bool
	reported   bool // the assistant said it, not the user
	confidence float64
	outcome    memory.Outcome
	refs       []privacy.Clean
	at         int // number of the exchange

	about  map[string]bool // its content words
	titled privacy.Clean
}

// words returns the content words of what was said.
func (f finding) words() map[string]bool {
	out := map[string]bool{}
	for _, s := range f.facts {
		for _, w := range s.words {
			if content(w) {
				out[w.lower] = true
			}
		}
	}
	return out
}

// content reports whether a word names something.
func content(w token) bool { return w.code || len(w.lower) >= 4 && !common(w.lower) }

// lastWord drops what was taken back later in the session, and what says the
// same again; of the rest it keeps the surest.
func lastWord(list []finding) []finding {
	for i := range list {
		list[i].about = list[i].words()
		list[i].titled = list[i].title()
	}
	const reach = 50 // later findings that each is held against, so that the time stays linear
	out := make([]finding, 0, len(list))
	for i, f := range list {
		near := list[max(0, i-reach):min(len(list), i+1+reach)]
		if f.reported && slices.ContainsFunc(near, f.repeats) {
			continue
		}
		if !slices.ContainsFunc(list[i+1:min(len(list), i+1+reach)], func(later finding) bool { return later.replaces(f) }) {
			out = append(out, f)
		}
	}
	if len(out) > maxCandidates {
		slices.SortStableFunc(out, func(a, b finding) int { return cmp.Compare(b.confidence, a.confidence) })
		out = out[:maxCandidates]
		slices.SortStableFunc(out, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}

// replaces reports whether f speaks of the same as an earlier finding. To
// decide anew takes less likeness than to say something twice.
func (f finding) replaces(earlier finding) bool {
	if f.at == earlier.at && f.primitive != earlier.primitive || f.reported && !earlier.reported {
		return false
	}
	likeness := overlap(f.about, earlier.about)
	if f.takesBack(earlier) {
		return true
	}
	if f.primitive == memory.Decision && earlier.primitive == memory.Decision && f.at != earlier.at {
		return likeness >= 0.3
	}
	return likeness >= 0.5
}

// repeats reports whether a report says what the user said, in their own words.
func (f finding) repeats(said finding) bool {
	return !said.reported && overlap(f.about, said.about) >= 0.5
}

// takesBack reports whether a sentence of f throws out what was chosen.
func (f finding) takesBack(earlier finding) bool {
	if earlier.primitive != memory.Decision || f.at == earlier.at {
		return false
	}
	for _, s := range f.facts {
		if s.cues.has(reverse, instead) && names(s, earlier) {
			return true
		}
	}
	return false
}

// names reports whether a sentence mentions what a decision's title is about.
func names(s sentence, f finding) bool {
	title := map[string]bool{}
	for _, w := range tokenize(f.titled.String()) {
		if content(w) {
			title[w.lower] = true
		}
	}
	for _, w := range s.words {
		if title[w.lower] {
			return true
		}
	}
	return false
}

// overlap is the share of the smaller set that the larger has too.
func overlap(a, b map[string]bool) float64 {
	if len(b) < len(a) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// common reports whether a word stands in any conversation.
func common(w string) bool {
	switch w {
	case "about", "after", "again", "also", "always", "another", "anyway", "around", "because", "been", "before", "being",
		"better", "both", "come", "could", "does", "doing", "done", "down", "each", "even", "ever", "every", "everything", "first",
		"from", "gets", "give", "goes", "going", "gone", "good", "have", "here", "instead", "into", "just", "keep", "know",
		"last", "less", "like", "long", "look", "made", "make", "many", "maybe", "more", "most", "much", "must", "need", "never",
		"next", "nobody", "none", "nothing", "once", "only", "other", "over", "please", "rather", "really", "right", "same",
		"should", "since", "some", "something", "still", "such", "sure", "take", "than", "that", "that's", "thats", "their",
		"them", "then", "there", "these", "they", "thing", "things", "think", "this", "those", "though", "through", "time",
		"times", "until", "used", "very", "want", "well", "were", "what", "when", "where", "whether", "which", "while", "will",
		"with", "without", "work", "works", "would", "year", "years", "your", "you're", "it's", "don't", "dont", "doesn't",
		"can't", "we're", "i'll", "let's", "lets", "week", "month", "today", "tomorrow", "yesterday", "okay", "yeah", "nope",
		"everybody", "people", "someone", "somebody", "anything", "whole", "does not", "isn't", "won't", "didn't", "wasn't",
		"nicht", "auch", "dann", "noch", "aber", "oder", "wird", "haben", "immer", "eine", "einen", "alles", "kein", "bitte",
		"pour", "dans", "avec", "mais", "plus", "cette", "tout", "comme", "bien", "sont", "para", "pero", "como", "esto", "todo",
		"code", "file", "files", "test", "tests", "error", "line", "lines", "change", "changed", "changes", "thanks", "thank":
		return true
	}
	return strings.TrimLeft(w, "0123456789.") == ""
}
