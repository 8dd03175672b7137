package extract

import (
	"slices"
	"testing"
)

func titles(t *testing.T, texts ...string) (kept, proposed []string) {
	t.Helper()
	r := New().Extract(t.Context(), messages(testGate(t), texts...), nil)
	for _, c := range r.Candidates {
		kept = append(kept, c.Title.String())
	}
	for _, c := range r.Below {
		if c.Why == Unsure {
			proposed = append(proposed, c.Title.String())
		}
	}
	return kept, proposed
}

func TestWhatWasSaidLastCounts(t *testing.T) {
	for _, c := range []struct {
		said []string
		want string // the only memory; "" = none
	}{
		{[]string{"Remember: the test database lives on host heron, port 6544",
			"No wait, that's wrong. Remember: the test database lives on host osprey, port 6544"},
			"Remember: the test database lives on host osprey, port 6544"},
		{[]string{"Remember that prices are integer cents.",
			"Actually no, remember that prices are decimals with two places."},
			"Remember that prices are decimals with two places"},
		{[]string{"From now on deploy the shop only on Tuesdays.", "Remember that we deploy the shop only on Mondays."},
			"Remember that we deploy the shop only on Mondays"},
		{[]string{"From now on deploy the shop only on Tuesdays.", "scrap that."}, ""},
		{[]string{"From now on deploy the shop only on Tuesdays.", "add the column", "never mind"},
			"From now on deploy the shop only on Tuesdays"},
	} {
		kept, proposed := titles(t, c.said...)
		if c.want == "" && len(kept) > 0 || c.want != "" && !slices.Equal(kept, []string{c.want}) || len(proposed) > 0 {
			t.Errorf("%q: kept %q, proposed %q", c.said, kept, proposed)
		}
	}
}

func TestOfTwoProposalsAboutTheSameTheLaterCounts(t *testing.T) {
	_, proposed := titles(t, "Never push the branches of the shop to upstream.",
		"Never push the branches of the shop to origin.")
	if len(proposed) != 1 || proposed[0] != "Never push the branches of the shop to origin" {
		t.Errorf("%q", proposed)
	}
}

func TestWhatIsToldToRememberIsKept(t *testing.T) {
	for _, said := range []string{
		"Remember: the test database lives on host heron, port 6544",
		"ok, remember that the commit hooks live in tools/hooks",
	} {
		if kept, _ := titles(t, said); len(kept) != 1 {
			t.Errorf("%q: %q", said, kept)
		}
	}
	for _, said := range []string{
		"Remember to mention the ticket in this commit",
		"Remember: the test was green before the last change",
	} {
		if kept, _ := titles(t, said); len(kept) != 0 {
			t.Errorf("%q: %q", said, kept)
		}
	}
}
