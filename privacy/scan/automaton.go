package scan

import (
	"cmp"
	"slices"
	"strings"
)

// Automaton finds many words, in any case, in one pass over a text. It is dense: each state has a row with the next
// state for every class of byte.
type Automaton struct {
	class [256]uint8 // bytes that are in no word share class 0
	next  *[maxStates << classBits]uint16
	ends  [][]int32 // words that end at a state, longest first
	lead  int       // bytes that a word may have before its last one
}

// The table of steps has a constant size, so that the compiler knows that every index is in range; only used parts of
// it are paged in.
const (
	classBits = 6
	maxStates = 1 << 14
	lastStep  = maxStates<<classBits - 1
	endsWord  = 1 << 15 // marks states that end words
)

// NewAutomaton numbers the states breadth first: the state that a mismatch continues in is shorter, so its row is
// complete. The states that a text is in most of the time, those of few bytes, are next to each other.
func NewAutomaton(words []string) *Automaton {
	a := &Automaton{next: new([maxStates << classBits]uint16), ends: make([][]int32, 1, maxStates)}
	a.classify(words)
	sorted := make([]prefixed, len(words))
	for id, w := range words {
		sorted[id] = prefixed{a.classes(w), int32(id)}
		a.lead = max(a.lead, len(w)-1)
	}
	slices.SortFunc(sorted, func(x, y prefixed) int { return cmp.Compare(x.classes, y.classes) })
	level := []branch{{words: sorted}}
	for depth := 0; len(level) > 0; depth++ {
		var below []branch
		for _, b := range level {
			below = a.grow(b, depth, below)
		}
		level = below
	}
	return a
}

// prefixed is a word as the classes of its bytes.
type prefixed struct {
	classes string
	id      int32
}

// branch is a state without a row yet, the state in which a mismatch continues, and the words that begin with it,
// sorted.
type branch struct {
	state, fail uint16
	words       []prefixed
}

func (a *Automaton) classes(word string) string {
	out := make([]byte, len(word))
	for i := range len(word) {
		out[i] = a.class[word[i]]
	}
	return string(out)
}

// grow writes the row of a state that depth bytes lead to, and appends its children.
func (a *Automaton) grow(b branch, depth int, below []branch) []branch {
	row, other := a.row(b.state), a.row(b.fail)
	rest := b.words
	for len(rest) > 0 && len(rest[0].classes) == depth {
		rest = rest[1:]
	}
	if depth > 0 {
		copy(row, other)
	}
	for len(rest) > 0 {
		c := rest[0].classes[depth]
		n := 1
		for n < len(rest) && rest[n].classes[depth] == c {
			n++
		}
		fail := uint16(0)
		if depth > 0 {
			fail = other[c] &^ endsWord
		}
		state := a.state(rest[:n], depth+1, fail)
		row[c] = state
		below = append(below, branch{state &^ endsWord, fail, rest[:n]})
		rest = rest[n:]
	}
	return below
}

func (a *Automaton) row(state uint16) []uint16 {
	return a.next[int(state)<<classBits:][:1<<classBits]
}

// state makes the state that depth bytes of these words lead to, and returns the step to it.
func (a *Automaton) state(words []prefixed, depth int, fail uint16) uint16 {
	step := uint16(len(a.ends))
	if step >= maxStates {
		panic("more words than the automaton has room for") // the rules are embedded: a test would fail
	}
	var ends []int32
	for _, w := range words {
		if len(w.classes) > depth {
			break
		}
		ends = append(ends, w.id)
	}
	ends = append(ends, a.ends[fail]...)
	a.ends = append(a.ends, ends)
	if len(ends) > 0 {
		step |= endsWord
	}
	return step
}

// frequent are the bytes that texts consist of most: their classes come first, so that half of each row is enough
// nearly always.
const frequent = "etaoinsrhldcumfpgwybvkxjqz _-.:"

// classify gives each byte that occurs in a word its class, the same for both cases.
func (a *Automaton) classify(words []string) {
	n := 1
	for _, w := range append([]string{frequent}, words...) {
		for _, c := range []byte(strings.ToLower(w)) {
			if a.class[c] != 0 {
				continue
			}
			a.class[c] = uint8(n)
			if c >= 'a' && c <= 'z' {
				a.class[c-32] = uint8(n)
			}
			n++
		}
	}
	if n > 1<<classBits {
		panic("more kinds of bytes than the automaton has room for") // the rules are embedded: a test would fail
	}
}
