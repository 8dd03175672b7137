package main

import (
	"math/rand"
	"strconv"
	"strings"
)

// chatter creates text whose word frequencies are as uneven as those of people and of code. It is the same text each
// time.
type chatter struct{ words []string }

func newChatter() *chatter {
	r := rand.New(rand.NewSource(1))
	c := &chatter{}
	for i := range 60_000 {
		word := syllables(r, 1+r.Intn(2)+i/25_000)
		if i%7 == 3 { // an identifier
			word += strings.ToUpper(word[:1]) + syllables(r, 1) + strconv.Itoa(i%97)
		}
		c.words = append(c.words, word)
	}
	return c
}

func syllables(r *rand.Rand, n int) string {
	onsets := strings.Fields("b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr sc sh sl sp st str th tr")
	nuclei := strings.Fields("a e i o u a e i o ai ea ee ou oo")
	codas := strings.Fields("n r s t l m d ck ng nt st rd")
	var b strings.Builder
	for range n {
		b.WriteString(onsets[r.Intn(len(onsets))] + nuclei[r.Intn(len(nuclei))])
		if r.Intn(2) == 0 {
			b.WriteString(codas[r.Intn(len(codas))])
		}
	}
	return b.String()
}

// speaker draws words by Zipf's law: the k-th word is 1/k as frequent as the first.
type speaker struct {
	*rand.Rand
	zipf  *rand.Zipf
	words []string
}

func (c *chatter) speaker(seed int64) *speaker {
	r := rand.New(rand.NewSource(seed))
	return &speaker{r, rand.NewZipf(r, 1.07, 4, uint64(len(c.words)-1)), c.words}
}

func (s *speaker) word() string { return s.words[s.zipf.Uint64()] }

func (s *speaker) text(n int) string {
	gaps := []string{" ", " ", " ", " ", ". ", "(", "\n\t", ", ", " = ", "/"}
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(s.word() + gaps[s.Intn(len(gaps))])
	}
	return b.String()
}

// sentence returns a question with some content words among many others.
func (s *speaker) sentence() string {
	return "how did we change the " + s.word() + " " + s.word() + " so that " + s.word() + " and the " + s.word() +
		" of " + s.word() + " " + s.word() + " work in the last session?"
}
