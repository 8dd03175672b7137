package recall

import (
	"encoding/json"
	"strings"
	"testing"

	"keepmum/store"
)

func TestWeightsAreReadByTheNamesOfFeatures(t *testing.T) {
	var m Model
	err := json.Unmarshal([]byte(`{"order": {"turn": 2, "first": -3}, "gate": {"known": 0.5}, "least": 1}`), &m)
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

func TestNothingIsToldOfAPastThatHoldsLittle(t *testing.T) {
	about := func(depth, known, weight float64) *store.About {
		return &store.About{All: 60, Known: known, Rare: 5,
			Subjects: []store.Subject{{Session: 1, Depth: depth, Weight: weight}}}
	}
	for _, c := range []struct {
		about *store.About
		tells bool
	}{
		{about(25, 50, 20), true}, // much of a long prompt, with frequent words
		{about(2, 10, 4), false},
		{about(5, 35, 32), true}, // once, but most of it
		{&store.About{All: 60, Known: 10, Rare: 5, Subjects: []store.Subject{{Doc: 1, Depth: 90, Weight: 60}}}, false},
	} {
		if got := builtIn.tells(c.about); got != c.tells {
			t.Errorf("%+v: told %v", c.about, got)
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
