package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"keepmum/privacy/judge"
)

// linear is a logistic regression over features that are there or not.
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

// model is both stages: what the first rules out the second never sees.
type model struct{ first, full linear }

func (m *model) score(features []uint32) float64 {
	if m.first.score(features) < 0 {
		return math.Inf(-1)
	}
	return m.full.score(features)
}

// firstStage begins the names of its features.
const firstStage = "first."

const (
	epochs  = 12
	rate    = 0.08
	decay   = 3e-5 // L2, per example
	rare    = 3    // a feature of fewer examples has no weight
	smaller = 0.15 // a weight below is not written
	benign  = 0.6  // the weight of a candidate of ordinary text
	lost    = 0.04 // of the secrets that the second stage would find the first may rule out
	seldom  = 1.5  // the weight of a secret
)

// fit fits to all sets but one.
func (t *trainer) fit(without string) *model {
	var use []*example
	for i := range t.examples {
		if e := &t.examples[i]; without == "" || e.group != without {
			use = append(use, e)
		}
	}
	m := &model{
		first: t.linear(use, 4*seldom, func(name string) bool { return strings.HasPrefix(name, firstStage) }),
		full:  t.linear(use, seldom, func(name string) bool { return !strings.HasPrefix(name, firstStage) }),
	}
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

// linear fits one stage, with steps as AdaGrad takes them.
func (t *trainer) linear(use []*example, secrets float64, of func(name string) bool) linear {
	m := linear{weights: make([]float32, len(t.names)), bias: -3}
	seen := make([]int, len(t.names))
	for _, e := range use {
		for _, f := range e.features {
			seen[f]++
		}
	}
	for i, n := range t.names {
		if seen[i] < rare || !of(n) {
			seen[i] = 0
		}
	}
	squares := make([]float32, len(t.names))
	rnd := rand.New(rand.NewPCG(20, 26))
	use = slices.Clone(use)
	biasSquares := 1.0
	for range epochs {
		rnd.Shuffle(len(use), func(i, j int) { use[i], use[j] = use[j], use[i] })
		for _, e := range use {
			want, weight := 0.0, float64(e.weight)
			if e.secret {
				want, weight = 1, weight*secrets
			} else if e.group == "" {
				weight *= benign
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
	}
	for i, w := range m.weights {
		m.weights[i] = float32(math.Round(float64(w)*100) / 100) // as it is written
		if math.Abs(float64(w)) < smaller {
			m.weights[i] = 0
		}
	}
	return m
}

// barAt is the score above which ordinary text has so many candidates per MB.
func (t *trainer) barAt(m *model, perMB float64) float64 {
	scores := make([]float64, len(t.bar))
	mb := 0.0
	for i, b := range t.bar {
		scores[i] = m.score(b.features)
	}
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

// report says what a model finds of sets at several rates.
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

// reach counts what of a set is found above a bar.
func (t *trainer) reach(set string, m *model, bar float64, list bool) (gone, all, touched, harmless int) {
	found := map[int][]*example{}
	for i := range t.examples {
		if e := &t.examples[i]; e.group == set && e.text >= 0 && m.score(e.features) > bar {
			found[e.text] = append(found[e.text], e)
		}
	}
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

func covered(text string, found []*example) string {
	out := []byte(text)
	for _, e := range found {
		for i := e.where[0]; i < e.where[1]; i++ {
			out[i] = 0
		}
	}
	return string(out)
}

// sensitivities are how many false redactions per MB of ordinary text each bar is set to.
var sensitivities = []struct {
	name  string
	perMB float64
}{{judge.Low, 0.03}, {judge.Normal, 0.1}, {judge.High, 1}}

// write lists the weights, and the bars.
func (t *trainer) write(m *model) string {
	var out strings.Builder
	fmt.Fprintf(&out, "bias\t%.3f\nfirst\t%.3f\n", m.full.bias, m.first.bias)
	for _, s := range sensitivities {
		fmt.Fprintf(&out, "bar.%s\t%.3f\n", s.name, t.barAt(m, s.perMB))
	}
	var lines []string
	for i, w := range m.first.weights {
		w += m.full.weights[i] // a feature is of one stage
		if w != 0 {
			lines = append(lines, fmt.Sprintf("%s\t%.2f", t.names[i], w))
		}
	}
	slices.Sort(lines)
	out.WriteString(strings.Join(lines, "\n") + "\n")
	return out.String()
}
