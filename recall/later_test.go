package recall

import (
	"strings"
	"testing"

	"keepmum/store"
)

func TestWhatTakesSomethingBackIsToldBesideIt(t *testing.T) {
	old := statement{id: 1, session: 1, at: 10, kind: store.KindPrompt, said: "at most 40 per sailing", weight: 20, score: 20, sure: true}
	later := statement{id: 2, session: 2, at: 20, kind: store.KindPrompt, said: "scrap that limit for groups", weight: 10, score: 8}
	other := statement{id: 3, session: 3, at: 5, kind: store.KindPrompt, said: "instead of trains use buses", weight: 15, score: 9}
	all := []statement{old, other, later}
	got := withLater("raise the limit per sailing", []statement{old}, all, nil)
	if len(got) != 2 || got[0].replaced != later.id || got[1].id != later.id {
		t.Errorf("got %+v", got)
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
	got := memoryText("Totals are rounded half to even.\nIn answer to: how do invoices round?\n\nCame up while working on: the ledger\n")
	if strings.Contains(got, "invoices") || strings.Contains(got, "ledger") || !strings.Contains(got, "half to even") {
		t.Errorf("got %q", got)
	}
}
