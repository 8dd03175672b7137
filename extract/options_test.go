package extract

import (
	"strings"
	"testing"
)

// "B" says nothing to somebody who has not seen the list.
func TestTheChosenOptionIsKeptWithTheAnswer(t *testing.T) {
	const list = "Three ways to do it:\n\n1. a nightly export to the bucket\n2. a replica with logical replication\n" +
		"3. a trigger for each table\n\nWhich one?"
	const letters = "Possible:\n\nA. look back five days\nB. filter by the time of loading\n"
	g := testGate(t)
	for _, c := range []struct{ before, user, want string }{
		{list, "2, because the others need us at night", "logical replication"},
		{list, "(3) please", "trigger"},
		{list, "the second one", "logical replication"},
		{list, "let's take the last one", "trigger"},
		{list, "1 is too slow, so 3", "trigger"},
		{list, "A was my thought, but 2 then", "logical replication"},
		{list, "option 1. We have 2 hours for it", "nightly export"},
		{list, "we waited 3 days for that", ""},
		{list, "a replica would cost us 2 machines", ""},
		{list, "neither, thanks", ""},
		{letters, "B, and for all tables please", "time of loading"},
		{letters, "then b", "time of loading"},
		{letters, "a week is not enough", ""},
		{"Shall I go on?", "2 please", ""},
	} {
		e := exchange{before: read(cleaned(g, c.before)), user: read(cleaned(g, c.user))}
		got := prose(e.chosen()).String()
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q chose %q, want %q", c.user, got, c.want)
		}
	}
}
