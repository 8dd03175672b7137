package recall

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"keepmum/store"
)

func TestWeightsAreReadByTheNamesOfFeatures(t *testing.T) {
	var m Model
	err := json.Unmarshal([]byte(`{"order": {"turn": 2, "first": -3}}`), &m)
	if err != nil {
		t.Fatal(err)
	}
	f := Features{featureTurn: 2, featureFirst: 1, featureLast: 7}
	if got := f.Sum(&m.Order); got != 1 {
		t.Errorf("the sum is %v, not 2·2 - 3", got)
	}
	back, err := json.Marshal(m.Order)
	if err != nil || string(back) != `{"first":-3,"turn":2}` {
		t.Errorf("written as %s, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"order": {"truth": 2}}`), &m); err == nil || !strings.Contains(err.Error(), "truth") {
		t.Errorf("a feature that nobody knows: %v", err)
	}
}

func TestNothingIsToldWhereNoStatementIsGoodEnough(t *testing.T) {
	about := func(all, weight float64) *store.About {
		return &store.About{All: all, Rare: 5, Sessions: youngSessions + 1, Weights: slices.Repeat([]float64{5}, longPrompt),
			Subjects: []store.Subject{{Session: 1, Weight: weight}}}
	}
	least := builtIn.Gate.Least / builtIn.Gate.Score
	for _, c := range []struct {
		about *store.About
		score float64
		tells bool
	}{
		{about(90, 20), least + 0.1, true},
		{about(90, 20), least - 0.1, false},
		{about(90, 60), least - 0.1, false}, // most of the prompt, but no statement
	} {
		g := gathering{about: c.about, model: &builtIn}
		g.out = []statement{{session: 1, settles: 0.001, score: c.score, holds: 7, turn: 7, sure: true}}
		if got := g.opens()(&g.out[0]); got != c.tells {
			t.Errorf("%+v, %v: told %v", c.about, c.score, got)
		}
	}
	alone := gathering{about: about(16, 16), model: &builtIn, out: []statement{{id: 1, settles: 2, score: 99, sure: true}}}
	alone.about.Subjects[0] = store.Subject{Doc: 1, Weight: 16}
	if alone.opens()(&statement{session: 1, holds: 7, turn: 7, sure: true}) {
		t.Error("a memory alone opens the gate for sessions")
	}
}

// At a prompt that is not long each statement is judged for itself, with the weights that readers' judgements gave.
func TestAShortPromptIsToldWhatIsWorthIt(t *testing.T) {
	of := func(change func(*statement)) *statement {
		st := &statement{kind: store.KindPrompt, session: 1, settles: 1.5, score: 11, share: 0.9, weight: 60,
			said: "Refunds wait for eight days, and the ledger says so.", at: 1}
		change(st)
		return st
	}
	for name, c := range map[string]struct {
		st    *statement
		tells bool
	}{
		"most of the prompt is in its session": {of(func(*statement) {}), true},
		"little of the prompt is":              {of(func(st *statement) { st.share, st.weight = 0.1, 2 }), false},
		"it settles nothing":                   {of(func(st *statement) { st.settles = 0 }), false},
		"far behind the best one":              {of(func(st *statement) { st.score -= maxBehind + 4 }), false},
		"a long list of figures": {of(func(st *statement) {
			st.said = strings.Repeat("8 12 99 104 2206 331 77 80. ", 90)
		}), false},
		"a memory that is no evidence": {of(func(st *statement) { st.kind, st.session = store.KindMemory, 0 }), false},
		"a commit that says no why":    {of(func(st *statement) { st.kind, st.session = store.KindCommit, 0 }), false},
		"a commit about it": {of(func(st *statement) {
			st.kind, st.session, st.commit = store.KindCommit, 0, &Commit{Title: 2}
		}), true},
	} {
		g := gathering{model: &builtIn, best: 12, about: &store.About{All: 38, Rare: 5, Sessions: youngSessions + 1,
			Weights: slices.Repeat([]float64{5}, longPrompt-1)}}
		if got := g.opens()(c.st); got != c.tells {
			t.Errorf("%s: told %v, %+v", name, got, g.worth(c.st, 0))
		}
	}
}

// A project with few sessions has a gate of its own, whose score counts without others to compare with.
func TestAYoungProjectHasItsOwnGate(t *testing.T) {
	least := builtIn.Young.Least / builtIn.Young.Score
	for _, c := range []struct {
		sessions int
		score    float64
		tells    bool
	}{
		{youngSessions, least + 0.1, true},
		{youngSessions, least - 0.1, false},
		{youngSessions + 1, least + 0.1, false},
	} {
		g := gathering{model: &builtIn, about: &store.About{All: 90, Rare: 5, Sessions: c.sessions,
			Weights:  slices.Repeat([]float64{5}, longPrompt),
			Subjects: []store.Subject{{Session: 1}}}}
		g.out = []statement{{session: 1, settles: 0.001, score: c.score, holds: 7, turn: 7, sure: true}}
		if got := g.opens()(&g.out[0]); got != c.tells {
			t.Errorf("%d sessions, %v: told %v", c.sessions, c.score, got)
		}
	}
}

// A long prompt has a gate of its own: what counts is how far the session is ahead of the next one.
func TestALongPromptHasItsOwnGate(t *testing.T) {
	for _, c := range []struct {
		words       int
		own, second float64
		want        float64
	}{
		{reportWords, 40, 10, 0.25}, {reportWords, 40, 80, maxSecond}, {reportWords, 40, 40, 1},
	} {
		g := gathering{model: &builtIn, about: &store.About{All: 200, Rare: 5, Sessions: youngSessions + 1,
			Weights: slices.Repeat([]float64{5}, c.words),
			Subjects: []store.Subject{{Doc: 4, Weight: 99}, {Session: 1, Weight: c.own}, {Session: 2, Weight: c.second},
				{Session: 3, Weight: 1}}}}
		g.out = []statement{{session: 1, settles: 1, weight: c.own, score: 20, holds: 1, sure: true}}
		f, found := g.gate()
		if !found || f.Second != c.want {
			t.Errorf("%+v: %+v", c, f)
		}
		m := builtIn
		m.Report.Least = weighted(f.Report(), m.Report.Report()) - 0.01
		m.Gate.Least = weighted(f.Grown(), m.Gate.Grown()) + 0.01
		g.model = &m
		if !g.opens()(&g.out[0]) {
			t.Errorf("%+v: the gate of reports is open, and nothing is told", c)
		}
		g.about.Weights = g.about.Weights[:reportWords-1]
		if g.opens()(&g.out[0]) {
			t.Errorf("%+v: a shorter prompt is told what the gate of reports lets through", c)
		}
	}
}

func TestAnotherSessionComesBeforeASecondStatementThatIsHardlyBetter(t *testing.T) {
	all := []statement{{id: 1, session: 1, score: 9}, {id: 2, session: 1, score: 8.5}, {id: 3, session: 2, score: 8},
		{id: 4, session: 3, score: 5.9}}
	var got []int64
	for _, st := range spread(all, 4) {
		got = append(got, st.id)
	}
	if len(got) != 3 || got[0] != 1 || got[1] != 3 || got[2] != 2 {
		t.Errorf("told are %v", got)
	}
}

func TestACommitIsToldForItsFirstLine(t *testing.T) {
	about := &store.About{All: 60, Rare: 5, Stems: map[string]float64{"queue": 5, "truck": 5, "yard": 5},
		Subjects: []store.Subject{{Session: 1, Weight: 15}}}
	why := "\n\nThe queue of the yard sorts every truck by its slot, because drivers came early and waited."
	commit := func(title string) statement {
		l := store.Line{ID: 1, Type: store.KindCommit, Title: title, Text: title + why}
		return alone(&builtIn, about, store.Subject{Doc: 1, Weight: 12, Words: 3}, l)
	}
	if st := commit("Queue: every truck of the yard by its slot"); !st.sure {
		t.Errorf("with the words in its first line it is not told: %+v", *st.commit)
	}
	if st := commit("Sort by slot"); st.sure {
		t.Errorf("with the words further below it is told: %+v", *st.commit)
	}
	why = ""
	if st := commit("Queue: every truck of the yard by its slot"); st.sure {
		t.Error("a commit that gives no reason is told")
	}
}
