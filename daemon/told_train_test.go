package daemon

import (
	"context"
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
	toldLong  = flag.String("told-long", "", "sets for the gate of long prompts")
)

const (
	trainSteps   = 400  // of gradient ascent,
	trainRate    = 0.05 // so far each,
	orderShrink  = 0.003
	gateShrink   = 0.02
	trainSure    = 0.0  // logit from which something of a session is told: as likely right as needless,
	trainYoung   = 0.5  // the same in a project with few chats,
	trainFew     = 3    // beside those of its task,
	trainCommit  = -1.0 // and from which a commit is: it is one line, and costs less when it is needless
	trainOffside = 0.3  // weight of a commit beside a rule that a chat settled, or that was forgotten
)

// lesson is a prompt with what could be told of it.
type lesson struct {
	set, project string
	task         toldTask
	harm         bool
	absent       bool // what it needs was forgotten
	young        bool // its project has few chats,
	short        bool // and these have one turn: it measures, and teaches nothing
	examples     []recall.Example
	held         []float64 // of the rule's parts, by each example
	src          recall.Source
	row          int64          // of the project
	commit       *recall.Commit // nil = there is none
	inCommit     bool           // it holds the rule
}

// TestTrainTold fits the weights of recall to the sets (make train-told), the order and the commits to one list of sets
// and the gate to another, and says what is told of each set with the weights that the others give.
func TestTrainTold(t *testing.T) {
	if *toldTrain == "" {
		t.Skip("-told-train names the file")
	}
	var all []*lesson
	sets := slices.Compact(slices.Sorted(slices.Values(strings.Split(*toldSets+","+*toldGate+","+*toldLong, ","))))
	for _, name := range sets {
		s := readTold(t, filepath.Join("..", "testdata", "told", name))
		b := startBench(t, s, true)
		all = append(all, lessons(t, name, s, b.d.db)...)
		young := s.young(trainFew)
		for _, short := range []bool{false, true} {
			few := young
			if short {
				few = young.short()
			}
			for _, l := range lessons(t, name, few, startBench(t, few, true).d.db) {
				l.young, l.short = true, short
				all = append(all, l)
			}
		}
		b = startBench(t, s, true)
		all = append(all, forgotten(t, name, s, b)...)
		b.end(t)
	}
	var total, young, short toldTotals
	for _, left := range sets {
		rest := slices.DeleteFunc(slices.Clone(all), func(l *lesson) bool { return l.set == left })
		m := fitted(t, rest)
		var one toldTotals
		for _, l := range all {
			switch {
			case l.set != left:
			case l.short:
				l.measure(t, &m, &short)
			case l.young:
				l.measure(t, &m, &young)
			default:
				l.measure(t, &m, &one)
				l.measure(t, &m, &total)
			}
		}
		t.Logf("without %s: %+v\n%s", left, m, one.String())
	}
	t.Logf("each set with the weights that the others give\n%s", total.String())
	t.Logf("the same in projects with few chats\n%s", young.String())
	t.Logf("the same with one turn in each chat\n%s", short.String())
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
	rows := projectRows(t, db)
	var out []*lesson
	for i, task := range slices.Concat(s.tasks, s.harms) {
		l := &lesson{set: set, project: task.Project, task: task, harm: i >= len(s.tasks), src: db}
		l.row = rows[task.Project]
		var err error
		l.examples, err = recall.Examples(t.Context(), db, l.subjects())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range l.examples {
			l.held = append(l.held, heldOf(task, e.Text))
		}
		l.look(t)
		out = append(out, l)
	}
	return out
}

// forgotten returns the tasks as they are when their chats are forgotten, one after the other.
func forgotten(t *testing.T, set string, s toldSet, b *bench) []*lesson {
	t.Helper()
	rows := projectRows(t, b.d.db)
	var out []*lesson
	for _, task := range s.tasks {
		if len(task.Chats) == 0 {
			continue
		}
		b.forget(t, task)
		l := &lesson{set: set, project: task.Project, task: task, harm: true, absent: true, row: rows[task.Project]}
		was := &snapshot{Source: b.d.db}
		l.src = was
		l.look(t)
		was.Source = nil
		out = append(out, l)
	}
	return out
}

func projectRows(t *testing.T, db *store.DB) map[string]int64 {
	t.Helper()
	rows, err := db.RecentSessions(t.Context(), 0, 5000)
	if err != nil {
		t.Fatal(err)
	}
	projects := map[string]int64{}
	for _, r := range rows {
		projects[r.ProjectName] = r.Project
	}
	return projects
}

// snapshot keeps what a source said about the first text. Afterwards it has nothing else.
type snapshot struct {
	recall.Source // nil = it has been asked
	text          string
	about         store.About
	lines         []store.Line
}

func (s *snapshot) Subjects(ctx context.Context, q store.Subjects) (about store.About, err error) {
	if s.Source != nil {
		s.text = q.Text
		s.about, err = s.Source.Subjects(ctx, q)
	}
	if q.Text != s.text {
		return store.About{}, nil
	}
	return s.about, err
}

func (s *snapshot) Talk(ctx context.Context, sessions, docs []int64) (_ []store.Line, err error) {
	if s.Source != nil {
		s.lines, err = s.Source.Talk(ctx, sessions, docs)
	}
	return s.lines, err
}

func (s *snapshot) RecentSessions(context.Context, int64, int) ([]store.SessionRow, error) {
	return nil, nil
}
func (s *snapshot) SessionPrompts(context.Context, int64, int) ([]store.Line, error) { return nil, nil }
func (s *snapshot) Told(context.Context, int64) ([]int64, error)                     { return nil, nil }
func (s *snapshot) Unmerged(context.Context, []int64) (map[int64]string, error)      { return nil, nil }

func (l *lesson) subjects() store.Subjects {
	return store.Subjects{Text: l.task.Prompt, Projects: []int64{l.row}}
}

// look reads the commit that could be told.
func (l *lesson) look(t *testing.T) {
	t.Helper()
	f, text, found, err := recall.CommitExample(t.Context(), l.src, l.subjects())
	if err != nil {
		t.Fatal(err)
	}
	if found {
		l.commit, l.inCommit = &f, !l.harm && heldOf(l.task, text) == 1
	}
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
	if l.absent {
		all.absent[is(got.text != "")]++
	} else if l.harm {
		all.harm(l.task, got)
	} else {
		all.task(l.task, got)
	}
}

// good says that a text tells the rule, or does harm.
func (l *lesson) good(text string) bool {
	switch {
	case l.absent:
		return text != ""
	case l.harm:
		return needless(l.task, text)
	}
	return toldWhole(l.task, text) == "fully"
}

// isOf reports whether a list of sets names the lesson's set.
func (l *lesson) isOf(sets string) bool { return slices.Contains(strings.Split(sets, ","), l.set) }

// decided reports whether it depends on the gate whether the rule is told or harm is done.
func (l *lesson) decided(t *testing.T, m *recall.Model) bool {
	t.Helper()
	open, shut := *m, *m
	open.Gate.Least, shut.Gate.Least = math.Inf(-1), math.Inf(1)
	open.Young.Least, shut.Young.Least = open.Gate.Least, shut.Gate.Least
	open.Report.Least, shut.Report.Least = open.Gate.Least, shut.Gate.Least
	return l.good(l.told(t, &open)) && !l.good(l.told(t, &shut))
}

func fitted(t *testing.T, all []*lesson) recall.Model {
	t.Helper()
	m := recall.Model{Order: fitOrder(all)}
	commits, sessions := &odds{sure: trainCommit}, &odds{sure: trainSure}
	young, reports := &odds{sure: trainYoung}, &odds{sure: trainSure}
	for _, l := range all {
		if l.commit != nil && !l.young && l.isOf(*toldSets) {
			commits.add(l.commit.List(), l.inCommit, l.commitWeight())
		}
	}
	m.Commit.Least = commits.fit(m.Commit.List())
	for _, l := range all {
		if !l.teaches() || !l.decided(t, &m) {
			continue
		}
		f, found, err := recall.GateExample(t.Context(), l.src, &m, l.subjects())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !found:
		case l.young:
			young.add(f.Young(), !l.harm, 1)
		case l.isOf(*toldGate):
			sessions.add(f.Grown(), !l.harm, 1)
		}
		if found && !l.young && l.isOf(*toldLong) {
			reports.add(f.Report(), !l.harm, 1)
		}
	}
	m.Gate.Least, m.Young.Least = sessions.fit(m.Gate.Grown()), young.fit(m.Young.Young())
	m.Report.Least = reports.fit(m.Report.Report())
	return m
}

// teaches reports whether a gate is fitted to the lesson.
func (l *lesson) teaches() bool {
	switch {
	case l.absent || l.short:
		return false
	case l.young:
		return l.isOf(*toldSets)
	}
	return l.isOf(*toldGate) || l.isOf(*toldLong)
}

func (l *lesson) commitWeight() float64 {
	if l.absent || !l.harm && !l.inCommit {
		return trainOffside
	}
	return 1
}

// fitOrder fits the choice of what has most of the rule among all that could be told.
func fitOrder(all []*lesson) (out recall.Features) {
	w := ascend(len(out), orderShrink, func(w, g []float64) (n float64) {
		for _, l := range all {
			best := slices.Max(append(l.held, 0))
			if best > 0 && !l.harm && !l.young && l.task.Kind != "commit" && l.isOf(*toldSets) {
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
