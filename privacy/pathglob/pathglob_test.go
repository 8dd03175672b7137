package pathglob_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"keepmum/privacy/pathglob"
	"keepmum/privacy/patience"
)

func TestWhatPeopleWriteIsSpeltOneWay(t *testing.T) {
	for written, want := range map[string]string{
		"notes": "**/notes", "Notes/": "**/notes", "./notes/**": "**/notes", "notes/*": "**/notes/*",
		"*notes*": "**/*notes*", `a\notes`: "**/a/notes",
		"~/notes": "/home/dev/notes", "$HOME/notes/": "/home/dev/notes", "${HOME}/notes/**": "/home/dev/notes",
		" ~/notes/* ": "/home/dev/notes/*", "~": "/home/dev",
		"/srv//notes/": "/srv/notes", "**/notes/**": "**/notes", "C:/Users/x": "c:/users/x", ".": "**", "/": "**", "**": "**",
	} {
		g, err := pathglob.Read(written, "/home/dev")
		if got := g.Anywhere(); got != want || err != nil {
			t.Errorf("%q is %q (%v), want %q", written, got, err, want)
		}
	}
	if g, err := pathglob.Read("~/notes", ""); err != nil || g.Anywhere() != "**/notes" {
		t.Errorf("without a home: %q, %v", g.Anywhere(), err)
	}
}

func TestAGlobThatCanMatchNothingSaysSo(t *testing.T) {
	for _, written := range []string{"", " ", "$WORK/notes", "${WORK}/notes", "%TEMP%/x", "../notes", "~sam/notes",
		"https://example.com/notes", "file:///notes"} {
		if _, err := pathglob.Read(written, "/home/dev"); !errors.Is(err, pathglob.ErrNowhere) {
			t.Errorf("%q: %v", written, err)
		}
	}
	if _, err := pathglob.Read("a[b", ""); err == nil || errors.Is(err, pathglob.ErrNowhere) {
		t.Errorf("an invalid glob: %v", err)
	}
}

func TestTheLinksInFrontOfAGlobAreResolved(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for written, want := range map[string]string{"/link": "/real", "/link/a*": "/real/a*", "/gone/a": "/gone/a"} {
		g, err := pathglob.Read(dir+written, "")
		if got := g.Real(patience.New()).Path; err != nil || got != filepath.ToSlash(dir)+want {
			t.Errorf("%s: %q, %v", written, got, err)
		}
	}
}
