package memory

import (
	"cmp"
	"slices"

	"keepmum/sorting"
)

// workbench holds the memories that a plan works on. It finds similar ones without comparing every pair: an index from
// terms to memories adds up what two of them share, and only pairs that share enough are compared.
type workbench struct {
	memories []*entry // nil = removed
	at       map[string]int
}

func newWorkbench(active []Memory) *workbench {
	w := &workbench{at: map[string]int{}}
	sorted := sorting.Sorted(slices.Values(active), func(a, b Memory) int { return cmp.Compare(a.ID, b.ID) })
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

// likePair is two related memories.
type likePair struct {
	a, b  string
	score float64
}

// enough is the share of the shorter text that two must have in common to reach the threshold: with less, [profile.mix]
// stays below it even if the titles are equal.
const enough = 0.28

// duplicates returns the pairs that say the same, most similar first.
func (w *workbench) duplicates() []likePair {
	var out []likePair
	w.neighbours(func(a, b *entry) {
		if a.Primitive != b.Primitive || otherKeys(a.Memory, b.Memory) || a.On() != b.On() || addsToUser(a, b) {
			return
		}
		score := a.profile.similarity(b.profile)
		if score >= Threshold && !a.contradicts(b.claim) && (score == 1 || !a.separate(b.claim)) {
			out = append(out, likePair{a.ID, b.ID, score})
		}
	})
	sorting.Stable(out, func(x, y likePair) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}

// addsToUser reports whether one of two is the user's word and the other, of an agent, says more: in one memory, that
// would pass for the user's word.
func addsToUser(a, b *entry) bool {
	if b.OfUser() {
		a, b = b, a
	}
	return a.OfUser() && !b.OfUser() && b.OfAgent() && !saysAll(a.profile.all, b.statement())
}

// contradictions returns the pairs that answer the same question differently.
func (w *workbench) contradictions() [][2]string {
	var out [][2]string
	w.neighbours(func(a, b *entry) {
		if a.contradicts(b.claim) && !otherKeys(a.Memory, b.Memory) && a.On() == b.On() {
			out = append(out, [2]string{a.ID, b.ID})
		}
	})
	return out
}

// neighbours calls f for each pair that shares enough, ordered by id.
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

// sameNorm finds equal texts that contain no term at all.
func sameNorm(a, b *entry) bool { return b != nil && a.profile.norm == b.profile.norm }
