package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"keepmum/privacy/judge"
)

// barAt returns the threshold above which ordinary text has the given number of candidates per MB, counting each value
// once.
func (t *trainer) barAt(m *model, perMB float64) float64 {
	best := map[string]float64{}
	for _, b := range t.bar {
		score := m.score(b.features)
		if b.program {
			score -= judge.InProgram
		}
		if was, ok := best[b.value]; !ok || score > was {
			best[b.value] = score
		}
	}
	scores := slices.Collect(maps.Values(best))
	mb := 0.0
	for _, n := range t.barMB {
		mb += n
	}
	slices.Sort(scores)
	return scores[max(0, len(scores)-1-int(perMB*mb))]
}

func (t *trainer) leaveOneOut() {
	for _, set := range t.sets {
		m := t.fit(set)
		t.report("without "+set, m, set)
	}
}

// report prints what a model finds in sets at several rates.
func (t *trainer) report(title string, m *model, sets ...string) {
	if len(sets) == 0 {
		sets = t.sets
	}
	for _, set := range sets {
		fmt.Printf("%s: %s\n", title, set)
		for _, perMB := range []float64{0, 0.1, 0.2, 0.5, 1, 2, 5} {
			bar := math.Inf(1)
			if perMB > 0 {
				bar = t.barAt(m, perMB)
			}
			gone, all, touched, harmless := t.reach(set, m, bar, t.verbose && perMB == 0.5)
			fmt.Printf("  %4.1f per MB, bar %6.2f: %4d of %d values gone (%.1f %%), %d of %d harmless texts more\n",
				perMB, bar, gone, all, 100*float64(gone)/float64(all), touched, harmless)
		}
	}
	passed := 0
	for _, b := range t.bar {
		if m.first.score(b.features) >= 0 {
			passed++
		}
	}
	fmt.Printf("  the first stage lets %d of %d candidates of ordinary text pass\n", passed, len(t.bar))
	t.rates(m)
}

func (t *trainer) rates(m *model) {
	bar := t.barAt(m, 0.5)
	count := map[string]int{}
	for _, b := range t.bar {
		if m.score(b.features) > bar {
			count[b.kind]++
			if t.verbose {
				fmt.Printf("    %s %.2f %q\n", b.kind, m.score(b.features)-bar, b.says)
			}
		}
	}
	for kind, mb := range t.barMB {
		fmt.Printf("  %s: %.2f per MB of %.1f\n", kind, float64(count[kind])/mb, mb)
	}
}

// reach counts what is found in a set above a threshold.
func (t *trainer) reach(set string, m *model, bar float64, list bool) (gone, all, touched, harmless int) {
	found := t.found(set, m, bar)
	for n, x := range t.labels[set] {
		if x.Kind == "fp" {
			harmless++
			if len(found[n]) > 0 {
				touched++
				if list {
					fmt.Printf("    touched %q\n", found[n][0].says)
				}
			}
			continue
		}
		left := covered(x.Text, found[n])
		for i, s := range x.Secrets {
			all++
			switch {
			case t.taken[set][n][i] || !strings.Contains(left, s):
				gone++
			case list:
				fmt.Printf("    left %q in %q\n", s, x.Text[:min(len(x.Text), 160)])
			}
		}
	}
	return gone, all, touched, harmless
}

// found returns the candidates of each text of a set above a threshold.
func (t *trainer) found(set string, m *model, bar float64) map[int][]*example {
	found := map[int][]*example{}
	for i := range t.examples {
		if e := &t.examples[i]; e.group == set && e.text >= 0 && e.class == "" && m.score(e.features) > bar {
			found[e.text] = append(found[e.text], e)
		}
	}
	return found
}

func covered(text string, found []*example) string {
	out := []byte(text)
	for _, e := range found {
		for i := e.where[0]; i < e.where[1]; i++ {
			out[i] = 0
		}
	}
	return string(out)
}

// sensitivities are the false redactions per MB of ordinary text for which each threshold is set.
var sensitivities = []struct {
	name  string
	perMB float64
}{{judge.Low, 0.06}, {judge.Normal, 0.1}, {judge.High, 0.6}}

// write returns the weights and thresholds as a list.
func (t *trainer) write(m *model) string {
	var out strings.Builder
	if !t.onlyNamed {
		fmt.Fprintf(&out, "bias\t%.3f\nfirst\t%.3f\n", m.full.bias, m.first.bias)
		for _, s := range sensitivities {
			fmt.Fprintf(&out, "bar.%s\t%.3f\n", s.name, t.barAt(m, s.perMB))
		}
	}
	fmt.Fprintf(&out, "named.bias\t%.3f\n", m.named.bias)
	for _, s := range namedRates {
		for n, sensitivity := range judge.Sensitivities() {
			fmt.Fprintf(&out, "named.bar.%s.%s\t%.3f\n", s.class, sensitivity, t.namedBarAt(m, s.class, s.perMB*namedShare[n]))
		}
	}
	lines := t.kept
	for i, w := range m.named.weights {
		if !t.onlyNamed {
			w += m.first.weights[i] + m.full.weights[i] // a feature belongs to one of them
		}
		if w != 0 {
			lines = append(lines, fmt.Sprintf("%s\t%.2f", t.names[i], w))
		}
	}
	slices.Sort(lines)
	out.WriteString(strings.Join(lines, "\n") + "\n")
	return out.String()
}
