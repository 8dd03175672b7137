package daemon

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/recall"
	"keepmum/store"
)

var (
	toldTrain = flag.String("told-train", "", "file for the weights that are fitted to the sets; empty = none")
	toldGate  = flag.String("told-gate", "", "sets for the gate, with commas between them")
)

const (
	trainSteps  = 400  // of gradient ascent,
	trainRate   = 0.05 // so far each,
	orderShrink = 0.003
	gateShrink  = 0.02
	trainSure   = 0.0 // logit from which something is told: as likely right as needless
)

// lesson is a prompt with what could be told of it.
type lesson struct {
	set, project string
	task         toldTask
	harm         bool
	examples     []recall.Example
	held         []float64 // of the rule's parts, by each example
	src          recall.Source
	row          int64 // of the project
	gate         recall.Gate
}

// TestTrainTold fits the weights of recall to the sets (make train-told), the order to one list of sets and the gate to
// another, and says what is told of each set with the weights that the others give.
func TestTrainTold(t *testing.T) {
	if *toldTrain == "" {
		t.Skip("-told-train names the file")
	}
	var all []*lesson
	sets := slices.Compact(slices.Sorted(slices.Values(strings.Split(*toldSets+","+*toldGate, ","))))
	for _, name := range sets {
		s := readTold(t, filepath.Join("..", "testdata", "told", name))
		b := startBench(t, s, true)
		all = append(all, lessons(t, name, s, b.d.db)...)
	}
	var total toldTotals
	for _, left := range sets {
		rest := slices.DeleteFunc(slices.Clone(all), func(l *lesson) bool { return l.set == left })
		m := fitted(t, rest)
		var one toldTotals
		for _, l := range all {
			if l.set == left {
				l.measure(t, &m, &one)
				l.measure(t, &m, &total)
			}
		}
		t.Logf("without %s: %+v\n%s", left, m, one.String())
	}
	t.Logf("each set with the weights that the others give\n%s", total.String())
	data, err := json.MarshalIndent(fitted(t, all), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*toldTrain, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

func lessons(t *testing.T, set string, s toldSet, db *store.DB) []*lesson {
	t.Helper()
	rows, err := db.RecentSessions(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	projects := map[string]int64{}
	for _, r := range rows {
		projects[r.ProjectName] = r.Project
	}
	var out []*lesson
	for i, task := range slices.Concat(s.tasks, s.harms) {
		l := &lesson{set: set, project: task.Project, task: task, harm: i >= len(s.tasks), src: db}
		l.row = projects[task.Project]
		l.examples, err = recall.Examples(t.Context(), db,
			store.Subjects{Text: task.Prompt, Projects: []int64{l.row}})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range l.examples {
			l.held = append(l.held, heldOf(task, e.Text))
		}
		out = append(out, l)
	}
	return out
}

// heldOf is the share of a rule's parts that a text has.
func heldOf(task toldTask, text string) float64 {
	n := 0.0
	for _, part := range task.Parts {
		if holdsAny(text, part) {
			n++
		}
	}
	return n / max(float64(len(task.Parts)), 1)
}

// told is what a new session is told of a lesson's prompt.
func (l *lesson) told(t *testing.T, m *recall.Model) string {
	t.Helper()
	b, err := recall.Find(t.Context(), l.src, recall.Ask{Project: l.row, Name: l.project, Prompt: l.task.Prompt,
		Tokens: 400, MaxEntries: 5, Now: time.Now(), Memories: []int64{l.row}, Model: m})
	if err != nil {
		t.Fatal(err)
	}
	return recall.Fence(b.Text)
}

func (l *lesson) measure(t *testing.T, m *recall.Model, all *toldTotals) {
	t.Helper()
	got := telling{text: l.told(t, m)}
	if l.harm {
		all.harm(l.task, got)
	} else {
		all.task(l.task, got)
	}
}

// good says that a text tells the rule, or does harm.
func (l *lesson) good(text string) bool {
	if l.harm {
		return needless(l.task, text)
	}
	return toldWhole(l.task, text) == "fully"
}

// isOf reports whether a list of sets names the lesson's set.
func (l *lesson) isOf(sets string) bool { return slices.Contains(strings.Split(sets, ","), l.set) }

func fitted(t *testing.T, all []*lesson) recall.Model {
	t.Helper()
	m := recall.Model{Order: fitOrder(all)}
	open, shut := m, m
	open.Least, shut.Least = math.Inf(-1), math.Inf(1)
	var decided []*lesson
	for _, l := range all {
		if !l.isOf(*toldGate) || !l.good(l.told(t, &open)) || l.good(l.told(t, &shut)) {
			continue
		}
		f, found, err := recall.GateExample(t.Context(), l.src, &m,
			store.Subjects{Text: l.task.Prompt, Projects: []int64{l.row}})
		if err != nil {
			t.Fatal(err)
		}
		if l.gate = f; found {
			decided = append(decided, l)
		}
	}
	m.Gate, m.Least = fitGate(decided)
	return m
}

// fitGate fits the odds that a telling is right and not needless, on features of mean 0 and deviation 1.
func fitGate(all []*lesson) (w recall.Gate, least float64) {
	n, of := float64(len(all)), w.List()
	mean, dev := make([]float64, len(of)), make([]float64, len(of))
	for k := range of {
		for _, l := range all {
			mean[k] += *l.gate.List()[k] / n
		}
		for _, l := range all {
			dev[k] += math.Pow(*l.gate.List()[k]-mean[k], 2) / n
		}
		dev[k] = math.Sqrt(dev[k]) + 1e-6
	}
	fit := ascend(len(of)+1, gateShrink, func(w, g []float64) float64 {
		for _, l := range all {
			x := make([]float64, len(w))
			x[len(of)] = 1
			sum := w[len(of)]
			for k, v := range l.gate.List() {
				x[k] = (*v - mean[k]) / dev[k]
				sum += w[k] * x[k]
			}
			d := float64(count1(!l.harm)) - 1/(1+math.Exp(-sum))
			for k := range x {
				g[k] += d * x[k]
			}
		}
		return n
	})
	least = trainSure - fit[len(of)]
	for k, v := range of {
		*v = math.Round(fit[k]/dev[k]*100) / 100
		least += *v * mean[k]
	}
	return w, math.Round(least*100) / 100
}

func count1(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fitOrder fits the choice of what has most of the rule among all that could be told.
func fitOrder(all []*lesson) (out recall.Features) {
	w := ascend(len(out), orderShrink, func(w, g []float64) (n float64) {
		for _, l := range all {
			best := slices.Max(append(l.held, 0))
			if best > 0 && !l.harm && l.task.Kind != "commit" && l.isOf(*toldSets) {
				n++
				l.pull((*recall.Features)(w), g, best)
			}
		}
		return n
	})
	for k := range out {
		out[k] = math.Round(w[k]*100) / 100
	}
	return out
}

// pull adds the gradient of a choice.
func (l *lesson) pull(w *recall.Features, g []float64, best float64) {
	p := make([]float64, len(l.examples))
	for i := range p {
		p[i] = l.examples[i].Features.Sum(w)
	}
	top, sum, right := slices.Max(p), 0.0, 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - top)
		if sum += p[i]; l.held[i] == best {
			right += p[i]
		}
	}
	for i, e := range l.examples {
		d := -p[i] / sum
		if l.held[i] == best {
			d += p[i] / right
		}
		for k, v := range e.Features {
			g[k] += d * v
		}
	}
}

// ascend finds n weights of the highest likelihood, by Adam.
func ascend(n int, shrink float64, gradient func(w, g []float64) float64) []float64 {
	w, mean, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1.0; step <= trainSteps; step++ {
		g := make([]float64, len(w))
		n := gradient(w, g)
		for k := range w {
			d := g[k]/n - shrink*w[k]
			mean[k], square[k] = 0.9*mean[k]+0.1*d, 0.99*square[k]+0.01*d*d
			w[k] += trainRate * mean[k] / (1 - math.Pow(0.9, step)) /
				(math.Sqrt(square[k]/(1-math.Pow(0.99, step))) + 1e-8)
		}
	}
	return w
}
