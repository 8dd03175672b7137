package memdir

import (
	"os"
	"testing"

	"keepmum/longtest"
)

func TestMemoryIsUsedUnlessTheDiskIsAskedFor(t *testing.T) {
	if !usable(dir) {
		t.Skip("no file system in memory has room here")
	}
	for _, c := range []struct{ given, long, want string }{
		{"", "", dir},
		{"", "1", ""},
		{"/elsewhere", "", "/elsewhere"},
	} {
		t.Setenv("TMPDIR", c.given)
		t.Setenv(longtest.Env, c.long)
		Use()
		if got := os.Getenv("TMPDIR"); got != c.want {
			t.Errorf("TMPDIR=%q %s=%q: files are in %q, not %q", c.given, longtest.Env, c.long, got, c.want)
		}
	}
}

func TestOnlyMemoryIsUsable(t *testing.T) {
	for _, path := range []string{"/nowhere", "/proc"} {
		if usable(path) {
			t.Errorf("%s is used", path)
		}
	}
}
