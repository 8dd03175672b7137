package store

// ContentWords returns the words of a text that say what it is about, as the
// index has them: stop words out, stemmed, without repeats.
func ContentWords(text string) []string {
	var out []string
	for _, t := range parseWords(text) {
		if !stopWords[t.word] && !t.ident {
			out = append(out, t.stem)
		}
	}
	return out
}
