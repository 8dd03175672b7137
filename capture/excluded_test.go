package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/gittest"
	"keepmum/hooks"
)

// projects makes a home with a repository called billing, a worktree of it
// elsewhere, a link to it, and another project.
func projects(t *testing.T) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"code/billing/src", "code/shop", "code/billing-docs"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	repo := filepath.Join(home, "code", "billing")
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "first"},
		{"worktree", "add", "-q", "../../elsewhere"}, {"remote", "add", "origin", "git@example.com:acme/invoices.git"}} {
		gittest.Run(t, repo, args...)
	}
	if err := os.Symlink(repo, filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestWhatPeopleWriteExcludesTheProject(t *testing.T) {
	home := projects(t)
	for _, glob := range []string{
		"billing", "Billing", "*illing", "bill*", "billing/", "code/billing", "**/billing", "**/billing/**", "./billing",
		"invoices",
		"~/code/billing", "~/code/billing/", "~/code/billing/*", "~/code/bil*ng", "$HOME/code/billing",
		"${HOME}/code/billing/**", "~/link", home + "/code/billing", home + "/code/billing/", home + "/code/billing/**",
	} {
		c := config.Default()
		c.Capture.ExcludeProjects = []string{glob}
		i, err := capture.NewIntake(capture.Options{Home: t.TempDir(), Config: c, Key: make([]byte, 32), UserHome: home})
		if err != nil {
			t.Fatal(err)
		}
		for dir, out := range map[string]bool{"code/billing": true, "code/billing/src": true, "code/billing/gone/deep": true,
			"link": true, "elsewhere": true, "code/shop": false, "code/billing-docs": glob == "bill*"} {
			e := hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: dir, Dir: filepath.Join(home, dir), Text: "hello"}
			_, skipped := i.Take(capture.Incoming{Event: e})
			_, unread := i.Read(e)
			if want := map[bool]string{true: "directory is in capture.exclude_projects"}[out]; skipped != want ||
				unread != want {
				t.Errorf("%s, %s: taken %q, read %q", glob, dir, skipped, unread)
			}
		}
	}
}

func TestAGlobThatIsNoneStopsCapture(t *testing.T) {
	c := config.Default()
	c.Capture.ExcludeProjects = []string{"a[b"}
	if _, err := capture.NewIntake(capture.Options{Home: t.TempDir(), Config: c, Key: make([]byte, 32)}); err == nil {
		t.Error("it was taken")
	}
}
