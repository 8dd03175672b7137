package capture_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

const (
	broken      = "the repository's config is broken"
	offHere     = "capture is off"
	private     = "private session"
	badPattern  = "[[privacy.patterns]]\nname = \"client\"\nregex = \"(a\"\n"
	goodPattern = "[[privacy.patterns]]\nname = \"client\"\nregex = \"zebra-[0-9]{4}\"\n"
)

// written is the time of the last config: two files may be written within one tick of the clock.
var written = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// configure writes the config of the repository at root; "" = it has none.
func configure(t *testing.T, root, text string) {
	t.Helper()
	file := config.RepoFile(root)
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.Remove(file)
	}
	if text != "" && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		written = written.Add(time.Second)
		err = errors.Join(os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, written, written))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// say takes a prompt of a session and returns why it is not kept.
func say(i *capture.Intake, session, dir string, others ...string) string {
	in := prompt(session, "hello")
	in.Event.Dir, in.Event.OtherDirs = dir, others
	_, why := i.Take(in)
	return why
}

// A broken config is a mistake, not a decision: what is said until it is repaired is left out, and nothing later.
func TestASessionContinuesAfterABrokenConfigIsRepaired(t *testing.T) {
	home := off(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	shop := filepath.Join(home, "shop")
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"broken [", broken}, {"", ""}, {badPattern, broken}, {"", ""},
		{goodPattern, ""}, {"[[privacy.patterns]", broken}, {badPattern, broken}, {goodPattern, ""},
		{"capture = \"off\"\n", offHere}, {"", private}, // this is a decision
	} {
		configure(t, shop, c.text)
		if why := say(i, "s", shop); why != c.want {
			t.Errorf("%q: %q, want %q", c.text, why, c.want)
		}
	}
}

// What the user or a repository decided counts, however broken a config is: the session is private wherever it goes on.
func TestADecisionSurvivesABrokenConfig(t *testing.T) {
	const off = "capture = \"off\"\n"
	for name, c := range map[string]struct {
		before, text, want string
		excluded           bool
		other              string // config of another folder of the workspace
	}{
		"excluded":                    {text: "x = [", want: "directory is in capture.exclude_projects", excluded: true},
		"off, with a bad pattern":     {text: off + badPattern, want: offHere},
		"off, and a typo":             {text: off + "x = [", want: broken},
		"off without quotes":          {text: "capture = off\n", want: broken},
		"off, written as UTF-16":      {text: "c\x00a\x00p\x00t\x00u\x00r\x00e\x00 \x00=\x00", want: broken},
		"another folder is off":       {text: "x = [", want: offHere, other: off},
		"another folder is broken":    {text: off, want: offHere, other: "x = ["},
		"it was off":                  {before: off, text: "x = [", want: broken},
		"nobody knows what was asked": {before: "none", text: "x = [", want: broken},
	} {
		t.Run(name, func(t *testing.T) {
			home := repositories(t)
			cfg := config.Default()
			if c.excluded {
				cfg.Capture.ExcludeProjects = []string{"~/client"}
			}
			i, err := capture.NewIntake(capture.Options{Home: t.TempDir(), UserHome: home, Config: cfg, Key: make([]byte, 32)})
			if err != nil {
				t.Fatal(err)
			}
			client, docs, shop := filepath.Join(home, "client"), filepath.Join(home, "docs"), filepath.Join(home, "shop")
			if c.before != "none" {
				configure(t, client, c.before)
				say(i, "before", client)
				say(i, "before", docs)
			}
			configure(t, client, c.text)
			configure(t, docs, c.other)
			others := []string{docs}
			if c.other == "" {
				others = nil
			}
			if why := say(i, "s", client, others...); why != c.want {
				t.Errorf("there: %q, want %q", why, c.want)
			}
			if why := say(i, "s", shop); why != private {
				t.Errorf("elsewhere: %q", why)
			}
		})
	}
}

// repositories makes a home with three repositories without a config.
func repositories(t *testing.T) (home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"client", "docs", "shop"} {
		if err := os.MkdirAll(filepath.Join(home, name, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		head := filepath.Join(home, name, ".git", "HEAD")
		if err := os.WriteFile(head, []byte("ref: refs/heads/main\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// A config that was off in one folder stays so for all to which it applies.
func TestAConfigAroundThatWasOffStaysSo(t *testing.T) {
	home := repositories(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	client, shop := filepath.Join(home, "work", "client"), filepath.Join(home, "work", "shop")
	for _, dir := range []string{"client", "shop"} {
		if err := os.MkdirAll(filepath.Join(home, "work"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(home, dir), filepath.Join(home, "work", dir)); err != nil {
			t.Fatal(err)
		}
	}
	if why := say(i, "before", client); why != "" {
		t.Fatal(why)
	}
	configure(t, filepath.Join(home, "work"), "capture = \"off\"\n")
	if why := say(i, "other", shop); why != offHere {
		t.Fatal(why)
	}
	configure(t, filepath.Join(home, "work"), "x = [")
	if why := say(i, "s", client); why != broken {
		t.Fatal(why)
	}
	if why := say(i, "s", filepath.Join(home, "docs")); why != private {
		t.Errorf("elsewhere: %q", why)
	}
}

// A session that is read later from the agent's file is judged in the same way.
func TestAReadingKnowsAMistakeFromADecision(t *testing.T) {
	home := repositories(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	client, shop, at := filepath.Join(home, "client"), filepath.Join(home, "shop"), time.Now()
	for text, later := range map[string]bool{"x = [": true, "capture = off": false, "capture = \"off\"\nx = [": false} {
		configure(t, client, "")
		say(i, "before", client)
		configure(t, client, text)
		r, why := i.Read(hooks.Event{Agent: "claude", Session: text, Dir: shop})
		if why != "" {
			t.Fatal(why)
		}
		r.Moved(client)
		if r.Prompt("x", at) {
			t.Errorf("%q: the prompt in the broken place is read", text)
		}
		r.Moved(shop)
		if got := r.Prompt("x", at); got != later {
			t.Errorf("%q: read %v later", text, got)
		}
		if r.Named(at, at) || r.Private() {
			t.Errorf("%q: it has a title, or its prompts are not known", text)
		}
	}
}
