package store

import (
	"reflect"
	"testing"
)

// TestRestReturnsTheMemoryOfSQLite: the allocator of SQLite keeps what was freed until it is told to return it.
func TestRestReturnsTheMemoryOfSQLite(t *testing.T) {
	db := openTest(t)
	if _, err := db.Search(t.Context(), Query{Text: "rate limit"}); err != nil {
		t.Fatal(err)
	}
	kept := func() int {
		sqliteMemoryMu.Lock()
		defer sqliteMemoryMu.Unlock()
		return reflect.ValueOf(&sqliteMemory).Elem().FieldByName("freed").Len()
	}
	if kept() == 0 {
		t.Fatal("nothing is kept, or this is not SQLite's allocator")
	}
	if err := db.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := kept(); n != 0 {
		t.Errorf("%d kinds of regions are kept", n)
	}
}
