package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// model is the judge of words near cues, in two stages, and that of values with names. The second stage never sees what
// the first rules out.
type model struct{ first, full, named linear }

func (m *model) score(features []uint32) float64 {
	if m.first.score(features) < 0 {
		return math.Inf(-1)
	}
	return m.full.score(features)
}

// of returns the score of an example.
func (m *model) of(e *example) float64 {
	switch {
	case e.class != "":
		return m.named.score(e.features)
	case m.full.weights == nil:
		return math.Inf(-1)
	}
	return m.score(e.features)
}

const (
	epochs      = 12
	nearlyTaken = -1.5 // a score above this is close to the threshold
	averaged    = 6    // the last rounds, whose mean is used: the last one alone is noise in the tail
	rate        = 0.08
	decay       = 1e-5 // L2, per example
	rare        = 3    // a feature in fewer texts, or sources of ordinary text, gets no weight
	smaller     = 0.1  // a smaller weight is not written
	hard        = 4    // the weight of one that a first fit nearly takes out
	lost        = 0.02 // share of the secrets the second stage would find that the first may rule out
)

// fit fits to all sets except one.
func (t *trainer) fit(without string) *model {
	return t.fitTo(func(e *example) bool { return without == "" || e.group != without })
}

// fitTo fits to the selected examples.
func (t *trainer) fitTo(wanted func(*example) bool) *model {
	var use, named []*example
	for i := range t.examples {
		switch e := &t.examples[i]; {
		case !wanted(e):
		case e.class == "":
			use = append(use, e)
		case (!e.sure || e.class == "password") && (e.secret || !e.fixture):
			named = append(named, e)
		}
	}
	m := &model{named: t.linear(named, fitOfNamed, nil)}
	if !t.onlyNamed {
		t.fitStages(m, use)
	}
	return m
}

// fitStages fits both stages of the judge of words near cues.
func (t *trainer) fitStages(m *model, use []*example) {
	m.first, m.full = t.linear(use, fitOfFirst, nil), t.linear(use, fitOfFull, nil)
	nearly := map[*example]bool{}
	for _, e := range use {
		if !e.secret && m.full.score(e.features) > nearlyTaken {
			nearly[e] = true
		}
	}
	m.full = t.linear(use, fitOfFull, nearly)
	var scores []float64
	for _, e := range use {
		if e.secret && m.full.score(e.features) > 0 {
			scores = append(scores, m.first.score(e.features))
		}
	}
	slices.Sort(scores)
	m.first.bias -= scores[int(float64(len(scores))*lost)]
}

// fitOf says what a model is fitted to.
type fitOf struct {
	secrets  float64 // the weight of a secret
	ordinary float64 // the weight of a candidate of ordinary text
	feature  func(name string) bool
}

var (
	fitOfNamed = fitOf{secrets: 4, ordinary: 3, feature: isNamed}
	fitOfFirst = fitOf{secrets: 30, ordinary: 6, feature: isFirst} // the first stage must keep nearly all
	fitOfFull  = fitOf{secrets: 2, ordinary: 6, feature: isFull}
)

func isNamed(feature string) bool { return strings.HasPrefix(feature, "named.") }
func isFull(feature string) bool  { return !isNamed(feature) && !isFirst(feature) }
func isFirst(feature string) bool { return strings.HasPrefix(feature, "first.") }

// linear fits one stage with AdaGrad steps; ordinary text that is nearly taken out has a higher weight.
func (t *trainer) linear(use []*example, of fitOf, nearly map[*example]bool) linear {
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
		if in[i] < rare || !of.feature(n) {
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
				want, weight = 1, weight*of.secrets
			} else {
				weight *= of.harmless(e, nearly[e])
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

// harmless returns the weight of a candidate that is not a secret, relative to one of a labelled set.
func (of fitOf) harmless(e *example, nearly bool) float64 {
	switch {
	case e.group != "":
		return 1
	case nearly:
		return of.ordinary * hard
	}
	return of.ordinary
}
