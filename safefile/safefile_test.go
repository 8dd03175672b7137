package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"keepmum/safefile"
)

const limit = 16

func TestAFileIsReadUpToItsLimit(t *testing.T) {
	dir := t.TempDir()
	fits, longer := filepath.Join(dir, "fits"), filepath.Join(dir, "longer")
	for path, n := range map[string]int{fits: limit, longer: limit + 1} {
		if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := safefile.Read(fits, limit); err != nil || len(data) != limit {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if data, err := safefile.Read(longer, limit); !errors.Is(err, safefile.ErrTooLarge) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, err := safefile.Read(filepath.Join(dir, "none"), limit); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := safefile.Read(dir, limit); !errors.Is(err, safefile.ErrNotRegular) {
		t.Errorf("a directory: %v", err)
	}
}

func TestALinkMayNotLeadOutOfItsTree(t *testing.T) {
	out, tree := t.TempDir(), t.TempDir()
	secret := filepath.Join(out, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "here"), []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"outside": secret, "inside": "here"} {
		if err := os.Symlink(to, filepath.Join(tree, link)); err != nil {
			t.Skip(err) // some systems do not let everybody make links
		}
	}
	if data, err := safefile.ReadBelow(tree, "outside", limit); err == nil {
		t.Errorf("read %q through a link that leads out", data)
	}
	if data, err := safefile.ReadBelow(tree, "inside", limit); err != nil || string(data) != "y" {
		t.Errorf("got %q, %v", data, err)
	}
}
