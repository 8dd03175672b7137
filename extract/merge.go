package extract

import (
	"slices"

	"keepmum/memory"
	"keepmum/privacy"
)

// same is how much of the smaller of two candidates the other must contain for both to count as one.
const same = 0.6

// merge adds candidates to a list. If one that says the same is already there, the two are joined.
func merge(list, more []memory.Candidate) []memory.Candidate {
	for _, c := range more {
		words := wordsOf(c)
		i := slices.IndexFunc(list, func(o memory.Candidate) bool {
			return o.Primitive == c.Primitive && overlap(wordsOf(o), words) >= same
		})
		switch {
		case i >= 0:
			list[i] = joined(list[i], c)
		case len(list) < maxCandidates:
			list = append(list, c)
		}
	}
	return list
}

// joined returns the more confident of two candidates, with the sources of both.
func joined(a, b memory.Candidate) memory.Candidate {
	if b.Confidence > a.Confidence {
		a, b = b, a
	}
	a.Told, a.Standing = a.Told || b.Told, a.Standing || b.Standing
	for _, s := range b.Sources {
		if !slices.Contains(a.Sources, s) {
			a.Sources = append(a.Sources, s)
		}
	}
	return a
}

func wordsOf(c memory.Candidate) map[string]bool {
	return contentWords(tokenize(c.Title.String() + " " + c.Body.String()))
}

// joinSummaries joins the summaries of several windows. Each gets an equal share of the words.
func joinSummaries(all []Summary) Summary {
	if len(all) == 1 {
		return all[0]
	}
	out := Summary{Title: all[0].Title, Description: all[0].Description, Tags: all[0].Tags}
	var intents, happened []privacy.Clean
	for _, s := range all {
		intents = append(intents, words(s.Intent, max(1, intentWords/len(all))))
		happened = append(happened, words(s.Happened, max(1, happenedWords/len(all))))
	}
	out.Intent = words(privacy.Join(" ", intents...), intentWords)
	out.Happened = words(privacy.Join(" ", happened...), happenedWords)
	return out
}
