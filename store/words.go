package store

import "context"

// ContentWords returns the words that say what a text is about, in their index form: without stop words, stemmed,
// without repeats.
func ContentWords(text string) []string { return wordsWithout(text, stopWordsOf(text)) }

// Words returns the same, with the stop words of other languages than English: as many in any language as a text has
// something to say.
func Words(text string) []string {
	return wordsWithout(text, func(word string) bool { return stopWords[word] })
}

func wordsWithout(text string, isStop func(word string) bool) []string {
	var out []string
	for _, t := range parseWords(text) {
		if !isStop(t.word) && !t.ident {
			out = append(out, t.stem)
		}
	}
	return out
}

// fewDocuments is a number too small to tell a rare word from a common one.
const fewDocuments = 200

// WordWeights returns the content words of a text with their weights: the fewer documents contain a word, the more it
// weighs.
func (db *DB) WordWeights(ctx context.Context, text string) (map[string]float64, error) {
	ix, err := db.openIndex(ctx)
	if err != nil {
		return nil, translate(err)
	}
	defer ix.close(ctx)
	out := map[string]float64{}
	isStop := stopWordsOf(text)
	for _, t := range parseWords(text) {
		if isStop(t.word) || t.ident || len(out) == maxTerms {
			continue
		}
		df, err := ix.frequency(ctx, t)
		if err != nil {
			return nil, translate(err)
		}
		out[t.stem] = idf(max(ix.n, fewDocuments), df)
	}
	return out, nil
}
