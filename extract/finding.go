package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/sorting"
)

// finding is a possible candidate.
type finding struct {
	primitive memory.Primitive
	kind      memory.Kind
	key       sentence        // the sentence that the title is made from
	facts     []sentence      // the sentences around it
	pasted    privacy.Clean   // what was pasted right after it, if it ends with a colon
	question  []sentence      // the question it answers
	trouble   privacy.Clean   // for a finding by the agent: the command that failed before
	refs      []privacy.Clean // steps
	at        int             // index of the exchange
	when      time.Time       // of its message
	chance    float64         // probability by the weights
	sure      float64         // share of findings with this chance that were worth keeping
	told      bool            // the user said it, in so many words
	asked     bool            // the user asks to remember it, or says "from now on"
	remember  bool            // the user asks to remember it
	corrects  bool            // it, or its message, begins by denying what was said before: "no, …", "actually …"
	standing  bool            // meant for all times: always, never, from now on
	repeated  bool            // said in several sessions
	why       Why             // why it is not kept; empty = it is kept
}

// about returns the content words of the facts.
func (f finding) about() map[string]bool {
	out := map[string]bool{}
	for _, s := range f.facts {
		addContent(out, s.words)
	}
	return out
}

// contentWords returns the words that name something, in lower case.
func contentWords(words []token) map[string]bool {
	out := map[string]bool{}
	addContent(out, words)
	return out
}

func addContent(set map[string]bool, words []token) {
	for _, w := range words {
		if content(w) {
			set[w.lower] = true
		}
	}
}

// content reports whether a word names something.
func content(w token) bool { return w.code || len(w.lower) >= 4 && !common(w.lower) }

// keepBest marks findings that were said again later in the session, and all of the rest but the surest.
func keepBest(list []finding) {
	const reach = 50 // later findings that each one is compared with, so that the time stays linear
	abouts := make([]map[string]bool, len(list))
	for i, f := range list {
		abouts[i] = f.about()
	}
	for i := range list {
		for j := i + 1; j < min(len(list), i+1+reach); j++ {
			list[i].against(&list[j], overlap(abouts[i], abouts[j]))
		}
	}
	kept := 0
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(list[b].chance, list[a].chance) })
	for _, i := range order {
		if list[i].why != "" {
			continue
		}
		if kept++; kept > maxKept && !list[i].remember || kept > maxAsked {
			list[i].why = TooMany
		}
	}
}

// against marks one of two findings if they are similar enough to be the same. A later one that corrects the earlier
// one is the last word; of two that say the same, the surer one is better put.
func (f *finding) against(later *finding, likeness float64) {
	const same = 0.6
	switch {
	case f.why != "" || later.why != "" || likeness < same:
	case f.asked && later.asked && f.at == later.at && f.apart(later, likeness):
	case later.chance < f.chance && !later.corrects && !later.hasOtherNumber(f):
		later.why = Repeated
	default:
		f.why = Repeated
	}
}

// apart reports whether two things that one message asks to remember are not the same, although they are similar.
func (f *finding) apart(later *finding, likeness float64) bool {
	if later.key.says(correcting) || later.key.says(amending) {
		return false
	}
	return likeness < 1 || later.hasOtherNumber(f)
}

// hasOtherNumber reports whether a finding has a number that an earlier one does not have.
func (f *finding) hasOtherNumber(earlier *finding) bool {
	had := map[string]bool{}
	for _, s := range earlier.facts {
		for _, w := range s.words {
			had[w.lower] = true
		}
	}
	return slices.ContainsFunc(f.key.words, func(w token) bool {
		return !had[w.lower] && strings.ContainsAny(w.lower, "0123456789")
	})
}

// withdrawn reports whether a finding was taken back, or replaced by a later one.
func (f finding) withdrawn() bool { return f.why == TakenBack || f.why == Repeated }

// states reports whether a text is from the sentences of a finding.
func (f finding) states(text privacy.Clean) bool {
	said := strings.ToLower(prose(f.facts).String() + "\n" + f.pasted.String())
	return !text.IsZero() && strings.Contains(said, strings.ToLower(trimmed(text).String()))
}

// overlap returns the share of the smaller set that is also in the larger one.
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

// common reports whether a word occurs in any conversation.
func common(w string) bool {
	switch w {
	case "about", "after", "again", "also", "always", "another", "anyway", "around", "because", "been", "before", "being",
		"better", "both", "come", "could", "does", "doing", "done", "down", "each", "even", "ever", "every", "everything",
		"first",
		"from", "gets", "give", "goes", "going", "gone", "good", "have", "here", "instead", "into", "just", "keep", "know",
		"last", "less", "like", "long", "look", "made", "make", "many", "maybe", "more", "most", "much", "must", "need",
		"never",
		"next", "nobody", "none", "nothing", "once", "only", "other", "over", "please", "rather", "really", "right", "same",
		"should", "since", "some", "something", "still", "such", "sure", "take", "than", "that", "that's", "thats", "their",
		"them", "then", "there", "these", "they", "thing", "things", "think", "this", "those", "though", "through", "time",
		"times", "until", "used", "very", "want", "well", "were", "what", "when", "where", "whether", "which", "while",
		"will",
		"with", "without", "work", "works", "would", "year", "years", "your", "you're", "it's", "don't", "dont", "doesn't",
		"can't", "we're", "i'll", "let's", "lets", "week", "month", "today", "tomorrow", "yesterday", "okay", "yeah", "nope",
		"everybody", "people", "someone", "somebody", "anything", "whole", "does not", "isn't", "won't", "didn't", "wasn't",
		"nicht", "auch", "dann", "noch", "aber", "oder", "wird", "haben", "immer", "eine", "einen", "alles", "kein", "bitte",
		"pour", "dans", "avec", "mais", "plus", "cette", "tout", "comme", "bien", "sont", "para", "pero", "como", "esto",
		"todo",
		"code", "file", "files", "test", "tests", "error", "line", "lines", "change", "changed", "changes", "thanks", "thank":
		return true
	}
	return strings.TrimLeft(w, "0123456789.") == ""
}
