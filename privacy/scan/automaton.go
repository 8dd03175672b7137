package scan

import "strings"

// Automaton finds all of many words in one pass over a text, whatever their
// case. It is dense: each state has a row that holds the next state for every
// class of byte.
type Automaton struct {
	class [256]uint8 // bytes no word holds share class 0
	next  *[maxStates << classBits]uint16
	ends  [][]int32 // words that end at a state, longest first
	lead  int       // bytes that a word may have before its last one
}

// The table of steps has a constant size, so that the compiler knows every
// index to lie inside; only what is used of it is paged in.
const (
	classBits = 7
	maxStates = 1 << 14
	lastStep  = maxStates<<classBits - 1
	endsWord  = 1 << 15 // marks the states that end words
)

// trie is the automaton while it is being built.
type trie struct {
	next [][1 << classBits]uint16
	fail []uint16
	ends [][]int32
}

func NewAutomaton(words []string) *Automaton {
	a := &Automaton{}
	a.classify(words)
	t := trie{}
	t.state()
	for id, w := range words {
		t.insert(a, int32(id), w)
		a.lead = max(a.lead, len(w)-1)
	}
	a.number(&t, t.link())
	return a
}

// classify gives each byte that occurs in a word its class, both cases the same.
func (a *Automaton) classify(words []string) {
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
	if n > 1<<classBits {
		panic("more kinds of bytes than the automaton has room for") // the rules are embedded: a test meets it
	}
}

func (t *trie) state() uint16 {
	t.next = append(t.next, [1 << classBits]uint16{})
	t.fail = append(t.fail, 0)
	t.ends = append(t.ends, nil)
	return uint16(len(t.next) - 1)
}

func (t *trie) insert(a *Automaton, id int32, word string) {
	at := uint16(0)
	for i := range len(word) {
		c := a.class[word[i]]
		if t.next[at][c] == 0 {
			t.next[at][c] = t.state()
		}
		at = t.next[at][c]
	}
	t.ends[at] = append(t.ends[at], id)
}

// link fills in where to go on after a mismatch, breadth first, so that the
// shorter context is always complete. It returns the states in this order.
func (t *trie) link() []uint16 {
	queue := []uint16{0}
	for _, s := range t.next[0] {
		if s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 1; i < len(queue); i++ {
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
	return queue
}

// number writes the table of steps. The states that a text is in most of the
// time, which are those of few bytes, lie side by side in it.
func (a *Automaton) number(t *trie, order []uint16) {
	if len(t.next) > maxStates {
		panic("more words than the automaton has room for") // the rules are embedded: a test meets it
	}
	place := make([]uint16, len(order))
	for i, s := range order {
		place[s] = uint16(i)
	}
	a.next, a.ends = new([maxStates << classBits]uint16), make([][]int32, len(order))
	for i, s := range order {
		a.ends[i] = t.ends[s]
		for c, to := range t.next[s] {
			step := place[to]
			if len(t.ends[to]) > 0 {
				step |= endsWord
			}
			a.next[i<<classBits|c] = step
		}
	}
}
