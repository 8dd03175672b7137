package store

import (
	"errors"
	"testing"

	"keepmum/privacy"
)

// Reading says nothing about writing: checking a database that cannot be written does not clear the error; a write
// does.
func TestOnlyAWriteShowsThatWritingWorks(t *testing.T) {
	db := openTest(t)
	db.writer.health.failed(ErrReadOnly)
	if _, err := db.Check(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := db.writer.do(t.Context(), func(s *txState) error {
		_, err := s.get(new(int), `SELECT count(*) FROM docs`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Health(t.Context()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("what was read made it well: %v", err)
	}
	if _, err := db.PutProject(t.Context(), Project{Name: privacy.Const("shop")}); err != nil {
		t.Fatal(err)
	}
	if err := db.Health(t.Context()); err != nil {
		t.Errorf("after a write: %v", err)
	}
}
