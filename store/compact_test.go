package store

import (
	"fmt"
	"path/filepath"
	"testing"
)

// SQLite writes a copy without secure_delete: cells that it moved stay in the unused space of pages.
func TestACompactedCopyKeepsNothingThatWasForgotten(t *testing.T) {
	db := openTest(t)
	for i := range 10 {
		put(t, db, "p", fmt.Sprint("a", i), fmt.Sprintf(
			"Move the zebrafinch module number %d into the attic folder because the landlord %d asked for it politely", i, i))
		put(t, db, "p", fmt.Sprint("a", i), fmt.Sprintf("The zebrafinch module %d now lives in the attic folder.", i))
	}
	for i := range 40 {
		put(t, db, "p", fmt.Sprint("b", i), fmt.Sprintf(
			"Please look at chapter %d of the handbook and shorten the sentences about printers", i))
		put(t, db, "p", fmt.Sprint("b", i), "Chapter shortened; the sentences about printers are crisp now.")
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := db.copyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	restored, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := restored.PlanForget(t.Context(), Selection{Words: "zebrafinch"})
	if err == nil {
		err = restored.Forget(t.Context(), plan)
	}
	for _, step := range []func() error{
		func() error { return restored.Checkpoint(t.Context()) },
		func() error { return restored.Compact(t.Context()) },
		func() error { return restored.Checkpoint(t.Context()) },
		restored.Close,
	} {
		if err == nil {
			err = step()
		}
	}
	in, ferr := FindBytes(filepath.Dir(path), "zebrafinch")
	if err != nil || ferr != nil || len(in.Found) > 0 {
		t.Errorf("it is still in %v: %v, %v", in.Found, err, ferr)
	}
}
