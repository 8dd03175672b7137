package main

import (
	"fmt"
	"slices"

	"keepmum/privacy/scan"
)

// reasons are why a value is missed, in the order of the checks it must pass.
var reasons = []string{"no cue", "no candidate", "part of it", "first stage", "below the bar", "lost"}

// misses prints why the gate misses values in the second half of each voice, if the voice is in no fit, and if its
// first half is.
func (t *trainer) misses(sets []string) {
	fmt.Printf("%-24s %6s %6s", "set", "values", "missed")
	for _, r := range reasons {
		fmt.Printf(" %14s", r)
	}
	fmt.Println()
	for _, set := range sets {
		t.missRow(set, set+" left out", t.fit(set))
		t.missRow(set, "  its half in the fit", t.fitTo(func(e *example) bool { return e.group != set || !e.second }))
		t.missRow(set, "  all of it in the fit", t.fit(""))
	}
}

func (t *trainer) missRow(set, title string, m *model) {
	bar := t.barAt(m, judgedPerMB)
	count, all, missed := map[string]int{}, 0, 0
	for n, left := range t.left(set, m, bar) {
		if n < (len(t.labels[set])+1)/2 {
			continue
		}
		all += len(t.labels[set][n].Secrets)
		for _, s := range left {
			missed++
			r := t.reason(set, n, s, m, bar)
			count[r]++
			if t.verbose {
				fmt.Printf("    %s: %q in %q\n", r, s, t.labels[set][n].Text)
			}
		}
	}
	fmt.Printf("%-24s %6d %6d", title, all, missed)
	for _, r := range reasons {
		fmt.Printf(" %14d", count[r])
	}
	fmt.Println()
}

// reason returns why one value of a text is missed.
func (t *trainer) reason(set string, n int, secret string, m *model, bar float64) string {
	seen := t.seen[set][n]
	if len(seen) == 0 {
		return reasons[0]
	}
	reason := 1
	for _, l := range spansOf(text{Text: t.labels[set][n].Text, Secrets: []string{secret}}) {
		for _, c := range seen {
			switch {
			case c.where[0] > l[0] || c.where[1] < l[1]:
				if c.where[0] < l[1] && c.where[1] > l[0] {
					reason = max(reason, 2)
				}
			case m.first.score(c.features) < 0:
				reason = max(reason, 3)
			case m.full.score(c.features) <= bar:
				reason = max(reason, 4)
			default:
				reason = max(reason, 5)
			}
		}
	}
	return reasons[reason]
}

// seen is a candidate of a labelled text.
type seen struct {
	where    [2]int
	features []uint32
}

// inProgram reports whether a candidate is on a line of a program.
func inProgram(c scan.Judged) bool {
	return slices.Contains(c.Features, "line.kind=code") || slices.Contains(c.Features, "line.kind=statement")
}

func lowerASCII(s string) string {
	out := []byte(s)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return string(out)
}
