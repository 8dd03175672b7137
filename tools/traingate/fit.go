package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"keepmum/privacy/judge"
)

// linear is a logistic regression over binary features.
type linear struct {
	bias    float64
	weights []float32
}

func (l *linear) score(features []uint32) float64 {
	sum := l.bias
	for _, f := range features {
		if int(f) < len(l.weights) {
			sum += float64(l.weights[f])
		}
	}
	return sum
}

// model is both stages: the second never sees what the first rules out.
type model struct{ first, full linear }

func (m *model) score(features []uint32) float64 {
	if m.first.score(features) < 0 {
		return math.Inf(-1)
	}
	return m.full.score(features)
}

// firstStage is the prefix of the names of its features.
const firstStage = "first."

const (
	epochs      = 12
	firstSeldom = 30   // the first stage must keep nearly all
	nearlyTaken = -1.5 // a score above this is close to the threshold
	averaged    = 6    // the last rounds, whose mean is used: the last one alone is noise in the tail
	rate        = 0.08
	decay       = 1e-5 // L2, per example
	rare        = 3    // a feature in fewer texts, or sources of ordinary text, gets no weight
	smaller     = 0.1  // a smaller weight is not written
	benign      = 6    // the weight of a candidate of ordinary text
	hard        = 4    // the weight of one that a first fit nearly takes out
	lost        = 0.02 // share of the secrets the second stage would find that the first may rule out
	seldom      = 2    // the weight of a secret
)

// fit fits to all sets except one.
func (t *trainer) fit(without string) *model {
	return t.fitTo(func(e *example) bool { return without == "" || e.group != without })
}

// fitTo fits to the selected examples.
func (t *trainer) fitTo(wanted func(*example) bool) *model {
	var use []*example
	for i := range t.examples {
		if e := &t.examples[i]; wanted(e) {
			use = append(use, e)
		}
	}
	ofFull := func(name string) bool { return !strings.HasPrefix(name, firstStage) }
	m := &model{
		first: t.linear(use, firstSeldom, func(name string) bool { return strings.HasPrefix(name, firstStage) }, nil),
		full:  t.linear(use, seldom, ofFull, nil),
	}
	nearly := map[*example]bool{}
	for _, e := range use {
		if !e.secret && m.full.score(e.features) > nearlyTaken {
			nearly[e] = true
		}
	}
	m.full = t.linear(use, seldom, ofFull, nearly)
	var scores []float64
	for _, e := range use {
		if e.secret && m.full.score(e.features) > 0 {
			scores = append(scores, m.first.score(e.features))
		}
	}
	slices.Sort(scores)
	m.first.bias -= scores[int(float64(len(scores))*lost)]
	return m
}

// linear fits one stage with AdaGrad steps; ordinary text that is nearly taken out has a higher weight.
func (t *trainer) linear(use []*example, secrets float64, of func(name string) bool, nearly map[*example]bool) linear {
	m := linear{weights: make([]float32, len(t.names)), bias: -3}
	seen, in, last := make([]int, len(t.names)), make([]int, len(t.names)), make([]int32, len(t.names))
	for _, e := range use {
		for _, f := range e.features {
			seen[f]++
			if last[f] != e.origin {
				last[f] = e.origin
				in[f]++
			}
		}
	}
	for i, n := range t.names {
		if in[i] < rare || !of(n) {
			seen[i] = 0
		}
	}
	squares := make([]float32, len(t.names))
	rnd := rand.New(rand.NewPCG(20, 26))
	use = slices.Clone(use)
	biasSquares := 1.0
	mean, bias := make([]float64, len(t.names)), 0.0
	for epoch := range epochs {
		rnd.Shuffle(len(use), func(i, j int) { use[i], use[j] = use[j], use[i] })
		for _, e := range use {
			want, weight := 0.0, float64(e.weight)
			if e.secret {
				want, weight = 1, weight*secrets
			} else {
				weight *= harmlessWeight(e, nearly[e])
			}
			p := 1 / (1 + math.Exp(-m.score(e.features)))
			g := (p - want) * weight
			biasSquares += g * g
			m.bias -= rate * g / math.Sqrt(biasSquares)
			for _, f := range e.features {
				if seen[f] == 0 {
					continue
				}
				gf := g + decay*float64(m.weights[f])*float64(len(use))/float64(seen[f])*weight
				squares[f] += float32(gf * gf)
				m.weights[f] -= float32(rate * gf / math.Sqrt(float64(squares[f])+1e-8))
			}
		}
		if epoch >= epochs-averaged {
			bias += m.bias / averaged
			for i, w := range m.weights {
				mean[i] += float64(w) / averaged
			}
		}
	}
	m.bias = bias
	m.round(mean)
	return m
}

// round rounds the weights to the precision in which they are written.
func (l *linear) round(mean []float64) {
	for i, w := range mean {
		l.weights[i] = float32(math.Round(w*100) / 100)
		if math.Abs(w) < smaller {
			l.weights[i] = 0
		}
	}
}

// harmlessWeight returns the weight of a candidate that is not a secret, relative to one of a labelled set.
func harmlessWeight(e *example, nearly bool) float64 {
	switch {
	case e.group != "":
		return 1
	case nearly:
		return benign * hard
	}
	return benign
}

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
		if e := &t.examples[i]; e.group == set && e.text >= 0 && m.score(e.features) > bar {
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
	fmt.Fprintf(&out, "bias\t%.3f\nfirst\t%.3f\n", m.full.bias, m.first.bias)
	for _, s := range sensitivities {
		fmt.Fprintf(&out, "bar.%s\t%.3f\n", s.name, t.barAt(m, s.perMB))
	}
	var lines []string
	for i, w := range m.first.weights {
		w += m.full.weights[i] // a feature belongs to one stage
		if w != 0 {
			lines = append(lines, fmt.Sprintf("%s\t%.2f", t.names[i], w))
		}
	}
	slices.Sort(lines)
	out.WriteString(strings.Join(lines, "\n") + "\n")
	return out.String()
}
