package main

import (
	"fmt"
	"strings"
)

// halves prints how fitting to the first half of each voice changes the misses in its second half, and in the other
// sets.
func (t *trainer) halves(sets []string) {
	for _, set := range sets {
		before := t.fit(set)
		after := t.fitTo(func(e *example) bool { return e.group != set || !e.second })
		was, all := t.secondHalf(set, before)
		is, _ := t.secondHalf(set, after)
		fmt.Printf("%s: %d of %d values of the second half missed, %d with the first half in the fit (%+.1f %%)\n",
			set, was, all, is, 100*float64(is-was)/float64(max(was, 1)))
		for _, other := range t.sets {
			if other == set {
				continue
			}
			a, n := t.missed(other, before)
			b, _ := t.missed(other, after)
			fmt.Printf("    %s: %d of %d missed, then %d (%+.1f points)\n", other, a, n, b, 100*float64(b-a)/float64(n))
		}
	}
}

// judgedPerMB is the rate of false redactions at which halves are compared: that of normal sensitivity.
const judgedPerMB = 0.3

func (t *trainer) missed(set string, m *model) (missed, all int) {
	return t.missedFrom(set, m, 0)
}

func (t *trainer) secondHalf(set string, m *model) (missed, all int) {
	return t.missedFrom(set, m, (len(t.labels[set])+1)/2)
}

// missedFrom counts the values that a model misses in the texts from the nth on.
func (t *trainer) missedFrom(set string, m *model, nth int) (missed, all int) {
	left := t.left(set, m, t.barAt(m, judgedPerMB))
	for n, rest := range left {
		if n < nth {
			continue
		}
		all += len(t.labels[set][n].Secrets)
		missed += len(rest)
	}
	return missed, all
}

// left returns the values that readers and a model miss in each text of a set.
func (t *trainer) left(set string, m *model, bar float64) [][]string {
	found := t.found(set, m, bar)
	out := make([][]string, len(t.labels[set]))
	for n, x := range t.labels[set] {
		if x.Kind == "fp" {
			continue
		}
		rest := covered(x.Text, found[n])
		for i, s := range x.Secrets {
			if !t.taken[set][n][i] && strings.Contains(rest, s) {
				out[n] = append(out[n], s)
			}
		}
	}
	return out
}
