package transcript

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderIsFoundByItsSlug(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"my.shop/api", "my-shop-old", "one/two-three", "one-two/three", "über straße",
		"работа/проект", "документы", "shops/店/api", "shops/api"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	links := [][2]string{{"my.shop", "the-shop"}, {"my-shop-old", "one/two-three/link"}, {"one", "my-shop-old/one-two"}}
	for _, link := range links {
		if err := os.Symlink(filepath.Join(root, link[0]), filepath.Join(root, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"my-shop-api": "my.shop/api", "my-shop": "my.shop", "my-shop-old": "my-shop-old",
		"one-two-three":   "", // two folders have this name
		"file":            "", // no folder
		"nothing":         "",
		"my-shop-ap":      "",
		"ber-stra-e":      "über straße",
		"the-shop-api":    "the-shop/api", // through a link
		"my-shop-old-one": "",             // no folder has this name; a link has a longer one
		"shops-api":       "",             // two: the name of one folder leaves nothing in a slug
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
	if got := f.of(slug(root)); got != "" {
		t.Errorf("%q is a folder with a name in Cyrillic, or its parent", got)
	}
	if got := f.of("Volumes-nothing"); got != "" {
		t.Errorf("%q", got)
	}
}
