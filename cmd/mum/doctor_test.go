//go:build !windows

package main

import (
	"os"
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
		out, _ := mum(dir, "doctor").CombinedOutput()
		return string(out)
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
