package store

import "testing"

func TestAProposalStaysDecidedWhereItsProjectIsMerged(t *testing.T) {
	db := openTest(t)
	old, err := db.PutProject(t.Context(), Project{clean("shop"), []Alias{{AliasDir, clean("/home/dev/shop")}}})
	if err != nil {
		t.Fatal(err)
	}
	into, err := db.PutProject(t.Context(), Project{clean("shop"), []Alias{{AliasRemote, clean("example.com/a/shop")}}})
	if err != nil || into == old {
		t.Fatal(into, err)
	}
	put := func(project int64) bool {
		fresh, err := db.PutProposal(t.Context(), Proposal{Project: project, Form: "rule", Kind: "decision",
			Title: clean("The queue is kept in order"), Body: clean("It is sorted at night")})
		if err != nil {
			t.Fatal(err)
		}
		return fresh
	}
	if !put(old) {
		t.Fatal("it is not new")
	}
	if err := db.writer.do(t.Context(), func(s *txState) error { return s.merge(old, into) }); err != nil {
		t.Fatal(err)
	}
	if put(into) {
		t.Error("it comes back")
	}
}
