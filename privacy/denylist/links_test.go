package denylist

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/longtest"
)

// resolved is what followed must return: the longest part of a path that exists, without its links, and the rest.
func resolved(full string) string {
	rest := ""
	for dir := full; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.ToSlash(filepath.Join(real, rest))
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// TestLinksAreFollowedAsTheSystemDoes compares random paths through random directories, files and links, some of which
// lead nowhere or in a circle.
func TestLinksAreFollowedAsTheSystemDoes(t *testing.T) {
	rnd := longtest.Chance(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	name := func() string { return string(rune('a' + rnd.IntN(5))) }
	some := func() string {
		parts := []string{root}
		for range 1 + rnd.IntN(4) {
			parts = append(parts, name())
		}
		return filepath.Join(parts...)
	}
	for range 60 {
		at := some()
		switch rnd.IntN(4) {
		case 0, 1:
			_ = os.MkdirAll(at, 0o700) // fails where a file or a link that leads nowhere is in the way
		case 2:
			_ = os.WriteFile(at, nil, 0o600)
		case 3:
			to := some()
			if rnd.IntN(2) == 0 {
				to = filepath.Join("..", name())
			}
			_ = os.Symlink(to, at)
		}
	}
	links := NewLinks()
	for range longtest.Rounds(300, 3000) {
		full := some()
		dir, at, names := links.above(full)
		way := at.walk(names)
		links.put(dir, names, way)
		if want := resolved(full); at.end(way) != want || followed(full) != want {
			t.Fatalf("%s: %s when other paths are known, %s alone, want %s", full, at.end(way), followed(full), want)
		}
	}
}

// TestALinkThatChangesIsNoticedByTheNextReading: the cache belongs to one reading, and an event alone has its own.
func TestALinkThatChangesIsNoticedByTheNextReading(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"notes", ".ssh"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	point := func(to string) {
		t.Helper()
		link := filepath.Join(dir, "docs")
		_ = os.Remove(link)
		if err := os.Symlink(filepath.Join(dir, to), link); err != nil {
			t.Skip("no links here")
		}
	}
	d, err := New(Options{Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	denies := func(l *Links) bool {
		return d.Inspect(Event{Dir: dir, Tool: "Read", Links: l,
			Input: map[string]any{"file_path": filepath.Join(dir, "docs", "config")}}).Verdict.Denied != ""
	}
	first := NewLinks()
	point("notes")
	if denies(first) || denies(nil) {
		t.Error("a note is denied")
	}
	point(".ssh")
	if !denies(nil) || !denies(NewLinks()) {
		t.Error("what is behind the link is not denied")
	}
	if denies(first) {
		t.Error("the first reading looked again")
	}
}

func TestAReadingRemembersALimitedNumberOfPaths(t *testing.T) {
	l := NewLinks()
	for i := range 2*maxPlaces + 5 {
		l.put("/", []string{fmt.Sprint(i)}, []place{{fmt.Sprint("/", i), false}})
	}
	if len(l.known) > maxPlaces {
		t.Errorf("%d paths", len(l.known))
	}
	if dir, _, names := l.above("/home/dev/x"); dir != "/" || strings.Join(names, " ") != "home dev x" {
		t.Errorf("%s, then %s", dir, names)
	}
}
