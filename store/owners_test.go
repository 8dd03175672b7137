package store

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/privacy"
)

// If a caller gives up while owners are being read, the next one continues from there.
func TestReadingOwnersContinuesAfterACancellation(t *testing.T) {
	var o ownerSet
	rows := make([]string, 0, ownersBatch)
	for id := 1; id <= ownersBatch; id++ {
		rows = append(rows, fmt.Sprintf("%d %d %d", id, id/10+1, ownedTalk))
	}
	if n := o.add(strings.Join(rows, ",")); n != ownersBatch || o.upto != ownersBatch {
		t.Errorf("%d were read, up to %d", n, o.upto)
	}
	if n := o.add("20005 7 3"); n != 1 || o.upto != 20005 {
		t.Errorf("%d were read, up to %d", n, o.upto)
	}
	if got := o.of[20005]; got != (owner{7, ownedAlone}) || o.of[20003] != (owner{}) {
		t.Errorf("got %+v and %+v", got, o.of[20003])
	}
}

func TestOwnersAreLearntBeforeAnybodyAsks(t *testing.T) {
	db, err := Open(t.Context(), Options{Path: t.TempDir() + "/memory.db"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ref := SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("one"),
		Project: Project{Name: privacy.Const("shop"),
			Aliases: []Alias{{Kind: AliasName, Value: privacy.Const("shop")}}}}
	got, err := db.PutPrompt(t.Context(), Prompt{Session: ref, Role: RoleUser, Text: privacy.Const("ferries never wait")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.LearnOwners(t.Context()); err != nil {
		t.Fatal(err)
	}
	if db.owners.upto != got.ID || db.owners.of[got.ID].class != ownedTalk {
		t.Errorf("of document %d was learnt %+v", got.ID, db.owners.of)
	}
}
