package transcript

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderIsFoundByItsSlug(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"my.shop/api", "my-shop-old", "one/two-three", "one-two/three", "über straße"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"my-shop-api": "my.shop/api", "my-shop": "my.shop", "my-shop-old": "my-shop-old",
		"one-two-three": "", // two folders have this name
		"file":          "", // no folder
		"nothing":       "",
		"my-shop-ap":    "",
		"ber-stra-e":    "über straße",
	} {
		f := folders{}
		got := f.of(slug(root) + "-" + name)
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	f := folders{}
	if got := f.of("Volumes-nothing"); got != "" {
		t.Errorf("%q", got)
	}
}
