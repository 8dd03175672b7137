package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"keepmum/api"
)

// terminal returns a terminal in which somebody has typed something.
func terminal(t *testing.T, typed string) *os.File {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	if _, err := screen.WriteString(typed); err != nil {
		t.Fatal(err)
	}
	return keys
}

// The answer comes when the project was added: what cannot be done is not offered.
func TestNobodyIsAskedAboutAGitignoreThatIsALink(t *testing.T) {
	for name, link := range map[string]bool{"a link": true, "none": false} {
		repo, out, errs := t.TempDir(), bytes.Buffer{}, bytes.Buffer{}
		path := filepath.Join(repo, ".gitignore")
		if link {
			if err := os.Symlink(filepath.Join(repo, "nothing"), path); err != nil {
				t.Fatal(err)
			}
		}
		a := &app{in: terminal(t, "yes\n"), out: &out, errs: &errs, getenv: func(string) string { return "" }}
		if err := a.gitignore(api.ProjectAdded{Root: repo, New: true, Git: true}, projectAdd{}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if asked := strings.Contains(errs.String(), "[y/N]"); asked == link {
			t.Errorf("%s: asked %v", name, asked)
		}
		if said := strings.Contains(out.String(), "add the line .mum/memory/ to "); said != link {
			t.Errorf("%s: said %q", name, out.String())
		}
		if text, _ := os.ReadFile(path); string(text) == ignoreLine+"\n" == link {
			t.Errorf("%s: written %q", name, text)
		}
	}
}
