package recall

import (
	"strings"
	"testing"

	"keepmum/store"
)

func TestWhatBelongsToTheBestTakesThePlaceOfTheLastButACommit(t *testing.T) {
	var chosen []statement
	for id := range int64(maxSettled) {
		chosen = append(chosen, statement{id: id + 1})
	}
	chosen[maxSettled-1].kind = store.KindCommit
	got := beside(chosen, statement{id: 99})
	if len(got) != maxSettled || got[1].id != 99 || got[maxSettled-1].kind != store.KindCommit {
		t.Errorf("got %+v", got)
	}
	if again := beside(got, statement{id: 99}); len(again) != maxSettled || again[1].id != 99 {
		t.Errorf("told twice: %+v", again)
	}
}

func TestOnlyTheSentencesThatTakeSomethingBackAreCompared(t *testing.T) {
	text := "Fix the login page colours today. The trams are late. Scrap the cap on groups. " +
		"Boats decide it. The rest stays as it is."
	got := reversing(text)
	if strings.Contains(got, "login") || !strings.Contains(got, "cap on groups") || !strings.Contains(got, "Boats") {
		t.Errorf("got %q", got)
	}
}

func TestAWholeRecapThatWasAcceptedIsAnAnswer(t *testing.T) {
	recap := "To sum up: only cash is rounded, once, on the amount due. Cards stay exact."
	for _, yes := range []string{"yes that. ship it", "exactly", "do it", "ok, take the second one"} {
		if !answers(yes, recap) {
			t.Errorf("%q accepts nothing", yes)
		}
	}
	for _, no := range []string{"now the rounding", "run the tests", "why is that slow"} {
		if answers(no, recap) {
			t.Errorf("%q accepts the recap", no)
		}
	}
}

func TestLongQuotationsAndLogsSettleNothing(t *testing.T) {
	mail := `they wrote: "` + strings.Repeat("you must never do it, always ask first. ", 5) + `"`
	if got := settles(mail); got != 0 {
		t.Errorf("a quotation settles %.1f", got)
	}
	if got := settles("always gross for france, never net"); got < 1 {
		t.Errorf("a rule settles %.1f", got)
	}
}

func TestLinesThatSayWhereAMemoryCameFromAreNotSearched(t *testing.T) {
	got := memoryText("Totals are rounded half to even.\nIn answer to: how do invoices round?\n\n" +
		"Came up while working on: the ledger\n")
	if strings.Contains(got, "invoices") || strings.Contains(got, "ledger") || !strings.Contains(got, "half to even") {
		t.Errorf("got %q", got)
	}
}

func TestWhatWasSaidInTheSameWordsIsToldOnceWithItsLastDate(t *testing.T) {
	st := func(id int64, said string, score float64) statement {
		return statement{id: id, at: id, session: id, said: said, settles: 1, sure: true, score: score}
	}
	got := choose([]statement{st(1, "Never deploy on a Friday.", 5), st(2, "never deploy  on a friday", 4),
		st(3, "Deploys need two reviews.", 3)}, nil)
	if len(got) != 2 || got[0].id != 2 || got[0].score != 5 || got[1].id != 3 {
		t.Errorf("got %+v", got)
	}
}
