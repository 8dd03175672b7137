package privacy

import (
	"slices"
	"strings"
)

// automaton finds all of many words in one pass over a text, whatever their
// case. It is dense: each state holds the next state for every class of byte,
// so that a step is one or and two loads: states are offsets of rows.
type automaton struct {
	class   [256]uint8 // bytes no word holds share class 0
	shift   uint       // log2 of the row length
	next    *[maxTable]uint32
	accepts uint32    // rows from here on end a word
	ends    [][]int32 // words that end at such a state, longest first
}

// maxTable is the size of the table of steps. It is a power of two, so that the
// compiler knows every index to lie inside, and only what is used is paged in.
const maxTable = 1 << 18

// trie is the automaton while it is being built.
type trie struct {
	next [][]uint16
	fail []uint16
	ends [][]int32
}

func newAutomaton(words []string) *automaton {
	a := &automaton{}
	classes := a.classify(words)
	for 1<<a.shift < classes {
		a.shift++
	}
	t := trie{}
	t.state(1 << a.shift)
	for id, w := range words {
		t.insert(a, int32(id), w)
	}
	t.link()
	a.number(&t)
	return a
}

// classify gives each byte that occurs in a word its class, both cases the same.
func (a *automaton) classify(words []string) int {
	n := 1
	for _, w := range words {
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
	return n
}

func (t *trie) state(row int) uint16 {
	t.next = append(t.next, make([]uint16, row))
	t.fail = append(t.fail, 0)
	t.ends = append(t.ends, nil)
	return uint16(len(t.next) - 1)
}

func (t *trie) insert(a *automaton, id int32, word string) {
	at := uint16(0)
	for i := range len(word) {
		c := a.class[word[i]]
		if t.next[at][c] == 0 {
			t.next[at][c] = t.state(1 << a.shift)
		}
		at = t.next[at][c]
	}
	t.ends[at] = append(t.ends[at], id)
}

// link fills in where to go on after a mismatch, breadth first, so that the
// shorter context is always complete.
func (t *trie) link() {
	var queue []uint16
	for _, s := range t.next[0] {
		if s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		f := t.fail[s]
		t.ends[s] = append(t.ends[s], t.ends[f]...)
		for c, to := range t.next[s] {
			if to == 0 {
				t.next[s][c] = t.next[f][c]
				continue
			}
			t.fail[to] = t.next[f][c]
			queue = append(queue, to)
		}
	}
}

// number orders the states so that one comparison tells whether a word ends.
func (a *automaton) number(t *trie) {
	order := make([]int, len(t.next))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return min(len(t.ends[x]), 1) - min(len(t.ends[y]), 1) })
	to := make([]uint16, len(order))
	for i, s := range order {
		to[s] = uint16(i)
	}
	if len(order)<<a.shift > maxTable {
		panic("more words than the automaton has room for") // the rules are embedded: a test meets it
	}
	a.next = new([maxTable]uint32)
	a.accepts = uint32(len(order)) << a.shift
	for i, s := range order {
		for c, n := range t.next[s] {
			a.next[i<<a.shift|c] = uint32(to[n]) << a.shift
		}
		if len(t.ends[s]) > 0 {
			a.accepts = min(a.accepts, uint32(i)<<a.shift)
			a.ends = append(a.ends, t.ends[s])
		}
	}
}

// each calls hit with every word and the offset behind it, in the order of the text.
func (a *automaton) each(text string, hit func(words []int32, end int)) {
	row, next, class, accepts := uint32(0), a.next, &a.class, a.accepts
	for i := range len(text) {
		row = next[(row|uint32(class[text[i]]))&(maxTable-1)]
		if row >= accepts {
			hit(a.ends[(row-accepts)>>a.shift], i+1)
		}
	}
}
