package memory

import (
	"cmp"
	"slices"
)

// workbench holds the memories that a plan is made on, and finds those that are
// alike without comparing each with each: an index from terms to memories adds up
// what two of them share, and only pairs that share enough are compared.
type workbench struct {
	memories []*entry // nil = gone
	at       map[string]int
}

func newWorkbench(active []Memory) *workbench {
	w := &workbench{at: map[string]int{}}
	sorted := slices.SortedFunc(slices.Values(active), func(a, b Memory) int { return cmp.Compare(a.ID, b.ID) })
	for i, m := range sorted {
		w.at[m.ID] = i
		w.memories = append(w.memories, &entry{m, claimOf(m)})
	}
	return w
}

func (w *workbench) alive() []Memory {
	var out []Memory
	for _, e := range w.memories {
		if e != nil {
			out = append(out, e.Memory)
		}
	}
	return out
}

func (w *workbench) get(id string) Memory { return w.memories[w.at[id]].Memory }
func (w *workbench) take(id string)       { w.memories[w.at[id]] = nil }
func (w *workbench) put(m Memory)         { w.memories[w.at[m.ID]] = &entry{m, claimOf(m)} }

// likePair is two memories that have to do with each other.
type likePair struct {
	a, b  string
	score float64
}

// enough is the share of the shorter text that two must have in common to come to
// the threshold: what [profile.mix] makes of less, with equal titles, is below it.
const enough = 0.28

// duplicates returns the pairs that say the same, the most similar first.
func (w *workbench) duplicates() []likePair {
	var out []likePair
	w.neighbours(func(a, b *entry) {
		if a.Primitive != b.Primitive || otherKeys(a.Memory, b.Memory) || a.On() != b.On() {
			return
		}
		score := a.profile.similarity(b.profile)
		if score >= Threshold && !a.contradicts(b.claim) {
			out = append(out, likePair{a.ID, b.ID, score})
		}
	})
	slices.SortFunc(out, func(x, y likePair) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}

// contradictions returns the pairs that answer one question differently.
func (w *workbench) contradictions() [][2]string {
	var out [][2]string
	w.neighbours(func(a, b *entry) {
		if a.contradicts(b.claim) && !otherKeys(a.Memory, b.Memory) && a.On() == b.On() {
			out = append(out, [2]string{a.ID, b.ID})
		}
	})
	return out
}

// neighbours calls f for each pair that shares enough, in the order of the ids.
func (w *workbench) neighbours(f func(a, b *entry)) {
	type posting struct {
		at     int
		weight float64
	}
	index := map[string][]posting{}
	shared := make([]float64, len(w.memories))
	for i, e := range w.memories {
		if e == nil {
			continue
		}
		clear(shared[:i])
		for t, weight := range e.profile.all {
			for _, p := range index[t] {
				shared[p.at] += (p.weight + weight) / 2
			}
			index[t] = append(index[t], posting{i, weight})
		}
		for k, s := range shared[:i] {
			if other := w.memories[k]; s > 0 && s >= enough*min(e.profile.allTotal, other.profile.allTotal) ||
				sameNorm(e, other) {
				f(other, e)
			}
		}
	}
}

// sameNorm finds equal texts that hold no term at all.
func sameNorm(a, b *entry) bool { return b != nil && a.profile.norm == b.profile.norm }
