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
		return &store.About{All: all, Rare: 5, Sessions: youngSessions + 1, Weights: slices.Repeat([]float64{5}, gateWords),
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
		{about(90, 60), least - 0.1, false}, // most of a long prompt, but no statement
		{about(16, 9), -9, true},            // most of a short one
		{about(16, 6), -9, false},
	} {
		g := gathering{about: c.about, model: &builtIn}
		g.out = []statement{{session: 1, settles: 0.001, score: c.score, holds: 7, turn: 7}}
		if got := g.opens()(&g.out[0]); got != c.tells {
			t.Errorf("%+v, %v: told %v", c.about, c.score, got)
		}
	}
	alone := gathering{about: about(16, 16), model: &builtIn, out: []statement{{id: 1, settles: 2, score: 99}}}
	alone.about.Subjects[0] = store.Subject{Doc: 1, Weight: 16}
	of := func(session int64) *statement { return &statement{session: session, holds: 7, turn: 7} }
	if alone.opens()(of(1)) {
		t.Error("a memory alone opens the gate for sessions")
	}
	other := gathering{about: about(16, 16), model: &builtIn, out: []statement{{session: 2, settles: 0.001, score: -9}}}
	if opens := other.opens(); !opens(of(1)) || opens(of(2)) {
		t.Error("a session with most of a short prompt opens the gate for other sessions")
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
			Weights:  slices.Repeat([]float64{5}, gateWords),
			Subjects: []store.Subject{{Session: 1}}}}
		g.out = []statement{{session: 1, settles: 0.001, score: c.score, holds: 7, turn: 7}}
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
		g.out = []statement{{session: 1, settles: 1, weight: c.own, score: 20, holds: 1}}
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
