package privacy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhySaysTheRuleAndTheWord(t *testing.T) {
	g := newGate(t, Options{})
	const text = "db_password=Tulpe77feld!\nhttps://kim:Gurke88feld@db.example\nTulpe77feld! again\n"
	got, err := g.Why(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Reason{
		{From: 12, To: 24, Rule: "password", Word: "pass", Looks: "several sorts of characters"},
		{From: 37, To: 48, Rule: "url-password", Word: "://"},
		{From: 60, To: 72, Rule: "password", Looks: "several sorts of characters", Again: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
