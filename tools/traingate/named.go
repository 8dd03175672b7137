package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// namedRates are the false redactions per MB of ordinary text for which the thresholds of values with a name are set at
// normal sensitivity. Test code does not count: it is full of passwords and tokens that only look harmless.
var namedRates = []struct {
	class string
	perMB float64
}{{"weak", 0.045}, {"token", 0.11}, {"password", 0.165}, {"sentence", 0.07}, {"phrase", 0.036}}

// namedShare is the share of these rates at low, normal and high sensitivity.
var namedShare = [...]float64{0.6, 1, 3}

// namedBarAt returns the threshold above which ordinary text has the given number of values of a class per MB, counting
// each value once. Those of which the form decides count, whatever the threshold.
func (t *trainer) namedBarAt(m *model, class string, perMB float64) float64 {
	best, sure, mb := map[string]float64{}, map[string]bool{}, 0.0
	for kind, n := range t.barMB {
		if kind != "test" {
			mb += n
		}
	}
	for _, b := range t.namedBar {
		switch score := m.named.score(b.features); {
		case b.kind == "test" || b.class != class:
		case b.sure:
			sure[b.value] = true
		default:
			if was, ok := best[b.value]; !ok || score > was {
				best[b.value] = score
			}
		}
	}
	var scores []float64
	for v, score := range best {
		if !sure[v] {
			scores = append(scores, score)
		}
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	n := max(0, int(perMB*mb)-len(sure))
	return scores[min(n, len(scores)-1)]
}

// reportNamed prints, for each class, how many values of ordinary text are above a threshold, and what is found of each
// set if it was not in the fit.
func (t *trainer) reportNamed() {
	all := t.fit("")
	for _, s := range namedRates {
		for _, share := range namedShare {
			bar := t.namedBarAt(all, s.class, s.perMB*share)
			fmt.Printf("%-9s %.3f per MB, bar %6.2f:", s.class, s.perMB*share, bar)
			taken := t.takenAt(all, s.class, bar)
			for _, kind := range slices.Sorted(maps.Keys(t.barMB)) {
				fmt.Printf(" %s %d in %.0f MB,", kind, len(taken[kind]), t.barMB[kind])
			}
			fmt.Println()
		}
	}
	for _, set := range t.sets {
		t.reportNamedOf(set, t.fit(set))
	}
}

// takenAt returns the values of a class in ordinary text above a threshold, by kind of text.
func (t *trainer) takenAt(m *model, class string, bar float64) map[string]map[string]bool {
	taken := map[string]map[string]bool{}
	for _, b := range t.namedBar {
		if b.class != class || !b.sure && m.named.score(b.features) <= bar {
			continue
		}
		if taken[b.kind] == nil {
			taken[b.kind] = map[string]bool{}
		}
		taken[b.kind][b.value] = true
	}
	return taken
}

// reportNamedOf prints how many of the named values of a set a model finds.
func (t *trainer) reportNamedOf(set string, m *model) {
	bars := map[string]float64{}
	for _, s := range namedRates {
		bars[s.class] = t.namedBarAt(m, s.class, s.perMB)
	}
	count := map[[2]bool]int{} // secret, taken
	for i := range t.examples {
		if e := &t.examples[i]; e.group == set && e.class != "" && e.text >= 0 {
			count[[2]bool{e.secret, e.sure || m.named.score(e.features) > bars[e.class]}]++
		}
	}
	found, missed := count[[2]bool{true, true}], count[[2]bool{true, false}]
	wrong, kept := count[[2]bool{false, true}], count[[2]bool{false, false}]
	fmt.Printf("without %-20s %4d of %4d values with a name found, %3d of %3d harmless ones taken\n",
		set, found, found+missed, wrong, wrong+kept)
}

// split returns the lines of a list of weights that are of values with a name, by which texts are read until others are
// fitted, and keeps the others if they stay.
func (t *trainer) split(list string) (ofNamed string) {
	for line := range strings.Lines(list) {
		if isNamed(line) {
			ofNamed += line
		} else if t.onlyNamed {
			t.kept = append(t.kept, strings.TrimSuffix(line, "\n"))
		}
	}
	return ofNamed
}
