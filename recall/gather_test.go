package recall

import (
	"testing"

	"keepmum/store"
)

func TestASingleTurnIsNeitherTheFirstNorTheLastOfItsSession(t *testing.T) {
	lines := []store.Line{
		{ID: 1, Role: string(store.RoleUser), Text: "start the server of the order form, always on port 4173"},
		{ID: 2, Role: string(store.RoleAssistant), Text: "It runs on port 4173."},
		{ID: 3, Role: string(store.RoleUser), Text: "and make the header green"},
	}
	for n, want := range map[int][2]float64{2: {0, 0}, 3: {0.5, 0}} {
		g := gathering{about: &store.About{Rare: 5}, model: &builtIn}
		g.gather(store.Subject{Session: 1}, lines[:n])
		f := g.stated[0].known
		if got := [2]float64{f[featureFirst], f[featureLast]}; got != want {
			t.Errorf("%d messages: the first turn counts %v as first and last, not %v", n, got, want)
		}
		if last := g.stated[len(g.stated)-1].known[featureLast]; n == 3 && last != 0.5 {
			t.Errorf("the last of two turns counts %v as last", last)
		}
	}
}
