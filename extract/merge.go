package extract

import (
	"keepmum/memory"
	"keepmum/privacy"
)

// same is how much of the smaller of two candidates the other must contain for both to count as one.
const same = 0.6

// merge adds candidates to a list. If a candidate is already there, its sources are added, and the text of the more
// confident one is kept.
func merge(list, more []memory.Candidate) []memory.Candidate {
	for _, c := range more {
		found := false
		for i := range list {
			if list[i].Primitive == c.Primitive && overlap(wordsOf(list[i]), wordsOf(c)) >= same {
				list[i] = joined(list[i], c)
				found = true
				break
			}
		}
		if !found && len(list) < maxCandidates {
			list = append(list, c)
		}
	}
	return list
}

func joined(a, b memory.Candidate) memory.Candidate {
	if b.Confidence > a.Confidence {
		a, b = b, a
	}
	a.Told, a.Standing = a.Told || b.Told, a.Standing || b.Standing
	for _, s := range b.Sources {
		if !hasSource(a.Sources, s) {
			a.Sources = append(a.Sources, s)
		}
	}
	return a
}

func hasSource(list []memory.Source, s memory.Source) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func wordsOf(c memory.Candidate) map[string]bool {
	out := map[string]bool{}
	for _, w := range tokenize(c.Title.String() + " " + c.Body.String()) {
		if content(w) {
			out[w.lower] = true
		}
	}
	return out
}

// summed joins the summaries of several windows. Each gets an equal share of the words.
func summed(all []Summary) Summary {
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
