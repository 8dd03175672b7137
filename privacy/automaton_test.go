package privacy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

type wordAt struct {
	word int32
	end  int
}

// simpleWords is what the automaton must find, by the simplest means.
func simpleWords(words []string, text string) (out []wordAt) {
	text = value.LowerASCII(text)
	for end := 1; end <= len(text); end++ {
		for id, w := range words {
			if strings.HasSuffix(text[:end], w) {
				out = append(out, wordAt{int32(id), end})
			}
		}
	}
	return out
}

func automatonWords(a *scan.Automaton, text string) (out []wordAt) {
	a.Each(text, &scan.Endings{}, func(words []int32, end int) {
		words = slices.Clone(words)
		slices.Sort(words)
		for _, w := range words {
			out = append(out, wordAt{w, end})
		}
	})
	return out
}

// FuzzAutomaton compares the automaton with the simplest search, in texts long
// enough for several blocks.
func FuzzAutomaton(f *testing.F) {
	words := []string{"key", "eyj", "monkey", "secret key", "-----begin", "a", strings.Repeat("ab", 20)}
	a := scan.NewAutomaton(words)
	for _, s := range []string{"", "Key", "MONKEY secret key", strings.Repeat("ab", 30), "eyJeyJ", "-----BEGIN"} {
		f.Add(s, uint64(1), uint16(0))
		f.Add(s, uint64(2), uint16(40000))
	}
	f.Fuzz(func(t *testing.T, unit string, seed uint64, size uint16) {
		text := unit
		for rnd := rand.New(rand.NewPCG(seed, 1)); len(text) < int(size)/4; {
			text += words[rnd.IntN(len(words))][rnd.IntN(2)%len(words[0]):] + unit[:rnd.IntN(len(unit)+1)]
		}
		if want, got := simpleWords(words, text), automatonWords(a, text); !slices.Equal(want, got) {
			t.Fatalf("%d bytes from %q: found %d words, want %d", len(text), unit, len(got), len(want))
		}
	})
}
