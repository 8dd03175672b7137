package compress

import (
	"cmp"
	"context"
	"math"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/sorting"
)

// Frequencies knows a project's words: how many of its documents contain each word, and how many documents there are.
type Frequencies interface {
	DocumentFrequencies(ctx context.Context, project int64, words []string) (df map[string]int, docs int, err error)
}

const (
	maxConcepts   = 6
	maxCandidates = 24 // words that are looked up for one turn
)

// concepts returns the words that set a turn apart within its project: frequent here, rare elsewhere.
func concepts(ctx context.Context, f Frequencies, project int64, t turn) ([]string, error) {
	tf := t.words()
	words := topBy(tf, func(w string) float64 { return float64(tf[w]) }, maxCandidates)
	df, docs, err := f.DocumentFrequencies(ctx, project, words)
	if err != nil {
		return nil, err
	}
	score := func(w string) float64 {
		return (1 + math.Log(float64(tf[w]))) * math.Log(1+float64(docs)/float64(1+df[w]))
	}
	kept := map[string]int{}
	for _, w := range words {
		kept[w] = tf[w]
	}
	return topBy(kept, score, maxConcepts), nil
}

// topBy returns the n best words; ties are in alphabetical order, so that the same turn always has the same concepts.
func topBy(words map[string]int, score func(string) float64, n int) []string {
	list := make([]string, 0, len(words))
	for w := range words {
		list = append(list, w)
	}
	sorting.Stable(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(a, b))
	})
	return list[:min(n, len(list))]
}

var wordsOf = lazyregexp.New(`[\p{L}][\p{L}\p{N}]{2,30}`)

// words counts the words of a turn, weighted: those of a prompt, and the names of files and functions, weigh more than
// those of an answer.
func (t turn) words() map[string]int {
	tf := map[string]int{}
	count := func(s string, weight int) {
		for _, w := range wordsOf.FindAllString(s, 400) {
			if w = strings.ToLower(w); !stopWord(w) {
				tf[w] += weight
			}
		}
	}
	count(placeholder.ReplaceAllString(fence.ReplaceAllString(t.Prompt, " "), " "), 2)
	count(placeholder.ReplaceAllString(fence.ReplaceAllString(t.Answer, " "), " "), 1)
	for _, s := range t.Steps {
		base := s.File[strings.LastIndexByte(s.File, '/')+1:]
		stem, _, _ := strings.Cut(base, ".")
		count(stem, 2)
		count(strings.Join(s.Names, " "), 2)
	}
	return tf
}

// placeholder matches what the gate left in place of something.
var placeholder = lazyregexp.New(`\[(?:REDACTED|EXCLUDED|WITHHELD|CUT):[^\]]*\]`)
