package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// An event acknowledged after the file was removed would be lost at the next start.
func TestNothingIsAcknowledgedAfterTheFileIsRemoved(t *testing.T) {
	ways := map[string]func(path string) error{
		"removed": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".away") },
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".other", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".other", path)
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			put(t, db, "shop", "s1", "kept walrus")
			if err := db.Health(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := way(db.Path()); err != nil {
				t.Skipf("an open file stays where it is here: %v", err) // Windows
			}
			if err := db.Health(t.Context()); !errors.Is(err, ErrMoved) {
				t.Errorf("health: %v", err)
			}
			_, err := db.PutPrompt(t.Context(), Prompt{Session: ref("shop", "s1"), Text: clean("a penguin")})
			if !errors.Is(err, ErrMoved) || !IsFault(err) {
				t.Errorf("an event was taken: %v", err)
			}
			if _, err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "backups"), 2); !errors.Is(err, ErrMoved) {
				t.Errorf("backup: %v", err)
			}
			_, _ = db.Search(t.Context(), Query{Text: "walrus", Project: "shop"})
			if st, err := os.Stat(db.Path()); name != "replaced" && err == nil {
				t.Errorf("a file of %d bytes was made in its place", st.Size())
			}
		})
	}
}

func TestADatabaseThatIsPutBackRecovers(t *testing.T) {
	db := openTest(t)
	if err := os.Rename(db.Path(), db.Path()+".away"); err != nil {
		t.Skipf("an open file stays where it is here: %v", err)
	}
	if _, err := db.PutPrompt(t.Context(), Prompt{Session: ref("shop", "s1"), Text: clean("a penguin")}); !errors.Is(err,
		ErrMoved) {
		t.Errorf("an event was taken: %v", err)
	}
	if err := os.Rename(db.Path()+".away", db.Path()); err != nil {
		t.Fatal(err)
	}
	put(t, db, "shop", "s1", "kept walrus")
	if err := db.Health(t.Context()); err != nil {
		t.Errorf("health: %v", err)
	}
}
