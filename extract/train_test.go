package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

var train = flag.Bool("train", false, "fit weights.txt to the labelled talk")

// row is a piece of talk with its label.
type row struct {
	features
	yes bool
	of  string // rows of one source are never on both sides of a comparison

	lone bool // a turn without its session: it tells less
}

// lesson is the rows of each question.
type lesson struct{ keep, choice, found []row }

func (l *lesson) add(o lesson) {
	l.keep, l.choice, l.found = append(l.keep, o.keep...), append(l.choice, o.choice...), append(l.found, o.found...)
}

// turn is a labelled line of testdata/extract/turns.
type turn struct{ Before, User, Assistant, Did, Keep string }

// lines reads the labelled turns of one author.
func lines(t testing.TB, h *Heuristic, file string) (out lesson) {
	t.Helper()
	g := testGate(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		n++
		var l turn
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		if l.Keep == "maybe" {
			continue
		}
		of := fmt.Sprint(filepath.Base(file), ":", n)
		if l.User == "" {
			out.found = append(out.found, row{l.reported(h, g), l.Keep != "", of, true})
			continue
		}
		e := exchange{user: h.read(cleaned(g, l.User)), first: l.Before == "", before: h.read(cleaned(g, l.Before))}
		out.keep = append(out.keep, row{e.remark(e.user.list), l.Keep != "", of, true})
		if l.Keep != "" {
			out.choice = append(out.choice, row{e.reply(e.remark(e.user.list)), l.Keep == "decision", of, true})
		}
	}
	return out
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// reported is a line as the report of the work that it says was done.
func (l turn) reported(h *Heuristic, g *privacy.Gate) features {
	steps := map[string][]Step{
		"fail-edit-pass": {{Role: Tool, Command: cleaned(g, "make"), Failed: true}, {Role: Tool, Edit: true}, {Role: Tool, Command: cleaned(g, "make")}},
		"edit":           {{Role: Tool, Edit: true}},
	}
	e := exchange{work: append(steps[l.Did], Step{Role: Assistant}), said: make([]said, len(steps[l.Did])+1)}
	e.said[len(e.said)-1] = h.read(cleaned(g, l.Assistant))
	return e.report(explore(e))
}

// in reports whether a text says what is expected.
func (x expected) in(texts ...[]sentence) bool {
	var b strings.Builder
	for _, s := range slices.Concat(texts...) {
		b.WriteString(strings.ToLower(s.text.String()) + " ")
	}
	has := func(w string) bool { return strings.Contains(b.String(), strings.ToLower(w)) }
	return !slices.ContainsFunc(x.Must, func(m string) bool { return !slices.ContainsFunc(strings.Split(m, "|"), has) }) && !slices.ContainsFunc(x.Not, has)
}

// place is a message of a user or all reports until the next one, and whether
// it holds what is expected.
type place struct {
	e        exchange
	list     []sentence
	reported bool
	is       string // "": nothing, "yes", or "maybe"
	as       string // a decision, a learning, or any
}

// lived makes rows of a labelled session. The label names words, not a place:
// the longest message with them has it, one of the user's before the reports.
func lived(h *Heuristic, g *privacy.Gate, l labelled) (out lesson) {
	var all []*place
	for _, e := range h.converse(l.session(g)) {
		if len(e.user.list) > 0 {
			all = append(all, &place{e: e, list: e.user.list})
		}
		if texts := explore(e).texts; len(texts) > 0 {
			all = append(all, &place{e: e, list: texts, reported: true})
		}
	}
	for _, x := range l.Optional {
		x.locate(all, "maybe")
	}
	for _, x := range l.Expect {
		x.locate(all, "yes")
	}
	for _, p := range all {
		switch {
		case p.is == "maybe":
		case p.reported:
			out.found = append(out.found, row{p.e.report(explore(p.e)), p.is == "yes", l.Name, false})
		default:
			out.keep = append(out.keep, row{p.e.remark(p.list), p.is == "yes", l.Name, false})
			if p.is == "yes" && p.as != "any" {
				out.choice = append(out.choice, row{p.e.reply(p.e.remark(p.list)), p.as == string(memory.Decision), l.Name, false})
			}
		}
	}
	return out
}

func (x expected) locate(all []*place, is string) {
	later := func(p *place) bool { return !p.reported && !p.e.first && x.in(p.list) }
	reported := func(p *place) bool { return p.reported && x.in(p.list) }
	reply := func(p *place) bool {
		return !p.reported && !p.e.first && p.e.user.size < 25 && x.in(p.list, p.e.before.list)
	}
	ways := []func(*place) bool{later, reported, reply, func(p *place) bool { return !p.reported && x.in(p.list) }}
	if x.Primitive == "decision" {
		ways[1], ways[2] = ways[2], ways[1]
	}
	for _, fits := range ways {
		var best *place
		for _, p := range all {
			if fits(p) && (best == nil || textBytes(p.list) > textBytes(best.list)) {
				best = p
			}
			if fits(p) && p.is == "" {
				p.is = "maybe" // it says the same again
			}
		}
		if best != nil {
			best.is, best.as = is, x.Primitive
			return
		}
	}
}

// fit is a logistic regression with a quadratic penalty, by Newton's method.
func fit(rows []row) classifier {
	names := frequent(rows)
	f := newFitting(rows, names)
	for range 30 {
		slope, curve := f.slope()
		if dot(slope, slope) < 1e-4 {
			break
		}
		step := f.solve(slope, curve)
		for i := range f.w {
			f.w[i] -= step[i]
		}
	}
	out := classifier{}
	for i, name := range names {
		const least = 0.05 // what is less changes no verdict
		if round := math.Round(f.w[i]*100) / 100; math.Abs(round) >= least {
			out[name] = round
		}
	}
	return out
}

// cell is one feature of one row.
type cell struct {
	feature int
	value   float64
}

// fitting is a model in the making.
type fitting struct {
	cells  [][]cell // by row
	is     []float64
	weight []float64 // of the rows
	w      []float64 // of the features
}

const penalty = 4 // on the squares of the weights

func newFitting(rows []row, names []string) *fitting {
	const lone = 0.6
	f := &fitting{cells: make([][]cell, len(rows)), is: make([]float64, len(rows)), weight: make([]float64, len(rows)), w: make([]float64, len(names))}
	for n, r := range rows {
		f.weight[n] = 1
		if r.lone {
			f.weight[n] = lone
		}
		if r.yes {
			f.is[n] = 1
		}
		for name, v := range r.features {
			if i, ok := slices.BinarySearch(names, name); ok {
				f.cells[n] = append(f.cells[n], cell{i, v})
			}
		}
		slices.SortFunc(f.cells[n], func(a, b cell) int { return cmp.Compare(a.feature, b.feature) })
	}
	return f
}

// slope is the gradient of the loss; curve is how fast each row's part of it
// changes.
func (f *fitting) slope() (slope, curve []float64) {
	slope, curve = make([]float64, len(f.w)), make([]float64, len(f.cells))
	for i, w := range f.w {
		slope[i] = penalty * w
	}
	for n, row := range f.cells {
		z := 0.0
		for _, c := range row {
			z += f.w[c.feature] * c.value
		}
		p := 1 / (1 + math.Exp(-z))
		curve[n] = f.weight[n] * p * (1 - p)
		for _, c := range row {
			slope[c.feature] += f.weight[n] * (p - f.is[n]) * c.value
		}
	}
	return slope, curve
}

// solve finds the step by conjugate gradients, as nearly as is needed.
func (f *fitting) solve(slope, curve []float64) (step []float64) {
	step = make([]float64, len(slope))
	rest, way := slices.Clone(slope), slices.Clone(slope)
	size := dot(rest, rest)
	enough := size / 1e4
	for range 60 {
		bent := f.bend(way, curve)
		by := size / dot(way, bent)
		for i := range step {
			step[i] += by * way[i]
			rest[i] -= by * bent[i]
		}
		left := dot(rest, rest)
		if left < enough {
			break
		}
		for i := range way {
			way[i] = rest[i] + left/size*way[i]
		}
		size = left
	}
	return step
}

// bend is the second derivative times a direction.
func (f *fitting) bend(way, curve []float64) []float64 {
	out := make([]float64, len(way))
	for i, v := range way {
		out[i] = penalty * v
	}
	for n, row := range f.cells {
		along := 0.0
		for _, c := range row {
			along += way[c.feature] * c.value
		}
		for _, c := range row {
			out[c.feature] += curve[n] * along * c.value
		}
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// frequent are the features that stand in enough rows to learn from: a pair of
// words needs more of them than a word.
func frequent(rows []row) []string {
	const word, pair = 2, 4
	count := map[string]int{}
	for _, r := range rows {
		for name := range r.features {
			count[name]++
		}
	}
	var out []string
	for name, n := range count {
		if n >= pair || n >= word && !strings.Contains(name, " ") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// lessons are all rows: of the labelled turns and of the tuned sessions.
func lessons(t testing.TB, h *Heuristic) (turns, sessions lesson) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "extract", "turns", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no labelled turns: %v", err)
	}
	for _, f := range files {
		turns.add(lines(t, h, f))
	}
	g := testGate(t)
	for _, l := range load(t, "tuned") {
		sessions.add(lived(h, g, l))
	}
	return turns, sessions
}

func (c classifier) write(b *bytes.Buffer, name string) {
	fmt.Fprintf(b, "# %s\n", name)
	for _, f := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(b, "%.0f\t%s\n", 100*c[f], f)
	}
}

func fitted(t testing.TB) *judges {
	t.Helper()
	all, sessions := lessons(t, New())
	all.add(sessions)
	return &judges{keep: fit(all.keep), choice: fit(all.choice), found: fit(all.found)}
}

// TestTrain fits the weights anew with -train.
func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("-train is not given")
	}
	j := fitted(t)
	var b bytes.Buffer
	j.keep.write(&b, "keep")
	j.choice.write(&b, "choice")
	j.found.write(&b, "found")
	if err := os.WriteFile("weights.txt", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The program's weights are those of the labelled talk and of nothing else:
// another processor may round the last place otherwise.
func TestTheWeightsAreThoseOfTheData(t *testing.T) {
	now, err := newJudges()
	if err != nil {
		t.Fatal(err)
	}
	again := fitted(t)
	for name, pair := range map[string][2]classifier{"keep": {now.keep, again.keep}, "choice": {now.choice, again.choice}, "found": {now.found, again.found}} {
		differ := 0
		for _, f := range slices.Concat(slices.Collect(maps.Keys(pair[0])), slices.Collect(maps.Keys(pair[1]))) {
			if math.Abs(pair[0][f]-pair[1][f]) > 0.05 {
				differ++
			}
		}
		if differ > 0 {
			t.Errorf("%s: %d weights are not those that training gives: run make train", name, differ)
		}
	}
}

// crossed says how well rows are told apart by weights that were fitted
// without the rows of the same source, but with others.
func crossed(rows, others []row) (auc float64, at func(recall float64) (precision float64)) {
	const folds = 4
	part := map[string]int{}
	for _, r := range rows {
		if _, ok := part[r.of]; !ok {
			part[r.of] = len(part) % folds
		}
	}
	type scored struct {
		p   float64
		yes bool
	}
	var all []scored
	for k := range folds {
		lesson := slices.Clone(others)
		for _, r := range rows {
			if part[r.of] != k {
				lesson = append(lesson, r)
			}
		}
		c := fit(lesson)
		for _, r := range rows {
			if part[r.of] == k {
				all = append(all, scored{c.chance(r.features), r.yes})
			}
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(b.p, a.p) })
	hits, below := 0.0, 0.0
	for _, s := range all {
		if s.yes {
			hits++
		} else {
			below++
			auc += hits
		}
	}
	at = func(recall float64) float64 {
		n := 0.0
		for i, s := range all {
			if s.yes {
				n++
			}
			if n >= recall*hits {
				return n / float64(i+1)
			}
		}
		return 0
	}
	return auc / (below * hits), at
}

// TestTheWeightsTellApartWhatTheyHaveNotSeen crosses turns with turns, and
// sessions with other sessions and the turns.
func TestTheWeightsTellApartWhatTheyHaveNotSeen(t *testing.T) {
	longtest.Only(t) // fits 20 models
	turns, sessions := lessons(t, New())
	for _, c := range []struct {
		name         string
		rows, others []row
		least        float64
	}{
		{"what users said, by turns", turns.keep, nil, 0.9},
		{"what users said, in sessions", sessions.keep, turns.keep, 0.85},
		{"reports, by turns", turns.found, nil, 0.9},
		{"reports, in sessions", sessions.found, turns.found, 0.8},
		{"decision or learning", turns.choice, nil, 0.75},
	} {
		auc, at := crossed(c.rows, c.others)
		t.Logf("%-30s %4d rows, area under the curve %.3f, precision at a recall of 55 %%: %.2f, of 80 %%: %.2f", c.name, len(c.rows), auc, at(0.55), at(0.8))
		if auc < c.least {
			t.Errorf("%s: %.3f is below %.2f", c.name, auc, c.least)
		}
	}
}
