package team

import (
	"os"
	"path/filepath"
	"testing"
)

// A join that fails leaves the user's password file as it was.
func TestThePasswordFileCanBeWhatItWas(t *testing.T) {
	d, err := ParseDSN("postgres://anna:new@127.0.0.1/mum")
	if err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string]string{"none": "", "the old one": "127.0.0.1:5432:mum:anna:old\n"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pgpass")
			if before != "" {
				if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, undo, err := d.KeepPassword("", func(string) string { return file })
			if err == nil {
				err = undo()
			}
			got, _ := os.ReadFile(filepath.Clean(file))
			if err != nil || string(got) != before {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}
