//go:build !windows

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/home"
)

func TestAHomeThatCannotBeUsedIsNamedWithWhatMendsIt(t *testing.T) {
	dir := t.TempDir()
	if f := checkHome(home.Dir(dir)); f.State != stateOK {
		t.Errorf("a good one: %+v", f)
	}
	if f := checkHome(home.Dir(filepath.Join(dir, "none"))); f.State != stateOK {
		t.Errorf("one to be made: %+v", f)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := checkHome(home.Dir(file)); f.State != stateProblem || f.Fix == "" {
		t.Errorf("a file: %+v", f)
	}
	want := "cannot be written to"
	if os.Geteuid() == 0 { // root may write anywhere except where another user owns the file
		want = "belongs to user 4242"
		if err := os.Chown(dir, 4242, -1); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	f := checkHome(home.Dir(dir))
	_ = os.Chmod(dir, 0o700)
	if f.State != stateProblem || !strings.Contains(f.Detail, want) || f.Fix == "" {
		t.Errorf("%+v", f)
	}
}

// What doctor says about a link to a file of the user's own helps when it is typed.
func TestTheAdviceAboutALinkHelps(t *testing.T) {
	dir, own := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "mine.db")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{dir.Database(): own, dir.Token(): filepath.Join(string(dir), "nothing")} {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	if f := checkToken(dir); f.Detail != "it cannot be: see files" {
		t.Errorf("token: %+v", f)
	}
	for _, f := range checkForeign(dir) {
		command := f.Fix
		if _, typed, ok := strings.Cut(f.Fix, "is yours: "); ok {
			command, _, _ = strings.Cut(typed, ", else: ")
		}
		if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if left := checkForeign(dir); len(left) > 0 {
		t.Errorf("it does not help: %+v", left)
	}
	if data, err := os.ReadFile(dir.Database()); err != nil || string(data) != "mine" {
		t.Errorf("the file of the user: %q, %v", data, err)
	}
}

func TestTheOwnerGetsAccessBack(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chmod(file, 0), os.Chmod(dir, 0o500),
		openToOwner(dir), openToOwner(file), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, file: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if openToOwner(link) == nil {
		t.Error("a link was followed")
	}
}

func TestADirectoryInPlaceOfTheSettingsIsToBeMovedAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if got := configFix(path); got != "$EDITOR "+path {
		t.Errorf("a missing file: %s", got)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	command := strings.TrimPrefix(configFix(path), "check it, then: ")
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil || exists(path) {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

// A shell does not know the tilde in quotes.
func TestNoTildeIsPutInQuotes(t *testing.T) {
	a := app{userHome: "/home/dev"}
	got := a.tildes("/home/dev/mum/token is a link; rm -r '/home/dev/mum/token'")
	if want := "~/mum/token is a link; rm -r '/home/dev/mum/token'"; got != want {
		t.Errorf("%s", got)
	}
}

func TestAClockThatWasSetBackIsNoticed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if out, err := mum(dir, "up").CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	stopAtEnd(t, dir)
	put := func(at time.Time) string {
		t.Helper()
		o := api.Observe{SessionID: "s", ToolName: "Bash", Directory: "/home/dev/shop",
			ToolInput: map[string]any{"command": "make"}, At: at}
		if err := api.NewClient(dir, "").Post(t.Context(), "/observe", o, nil); err != nil {
			t.Fatal(err)
		}
		out, _ := combined(dir, "doctor")
		return out
	}
	if out := put(time.Now()); !strings.Contains(out, "ok    clock") {
		t.Errorf("now:\n%s", out)
	}
	if out := put(time.Now().Add(3 * time.Hour)); !strings.Contains(out, "WARN  clock") ||
		!strings.Contains(out, "was set back") {
		t.Errorf("three hours ahead:\n%s", out)
	}
}

func TestAPlaceWhereNoHomeCanBeMadeIsAProblem(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	parent := t.TempDir()
	if got := checkHome(home.Dir(filepath.Join(parent, "a", "data"))); got.State != stateOK {
		t.Errorf("%+v", got)
	}
	if err := os.Chmod(parent, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(parent, 0o700) })
	if got := checkHome(home.Dir(filepath.Join(parent, "a", "data"))); got.State != stateProblem {
		t.Errorf("%+v", got)
	}
}
