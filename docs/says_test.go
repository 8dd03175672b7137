package docs

import "testing"

// failing records whether a test would have failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestSays(t *testing.T) {
	for _, test := range []struct {
		sentence string
		fails    bool
	}{
		{"No package of keepmum is published yet. On a machine\n with Go, `./install.sh` in a checkout builds", false},
		{"keepmum runs on 3 planets", true},
	} {
		f := &failing{TB: t}
		Says(f, "docs/install.md", "%s", test.sentence)
		if f.failed != test.fails {
			t.Errorf("%q: %v", test.sentence, f.failed)
		}
	}
}
