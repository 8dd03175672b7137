package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/home"
	"keepmum/store"
)

func TestARestoreBeforeTheFirstStartSaysThatThereIsNoBackup(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	out, err := mum(data, "restore", "--yes").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "there is no backup") || strings.Contains(string(out), "lock") {
		t.Errorf("%v\n%s", err, out)
	}
	if exists(data) {
		t.Error("it made the data directory")
	}
}

func TestABackupOfAnotherMachineCanBeTheFirstThingInADirectory(t *testing.T) {
	dir, fresh := upWith(t, "the walrus waits"), filepath.Join(t.TempDir(), "new", "data")
	must(t, dir, "backup")
	all, err := store.Backups(home.Dir(dir).Backups())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	must(t, fresh, "restore", all[0], "--yes")
	must(t, fresh, "up")
	stopAtEnd(t, fresh)
	if out := must(t, fresh, "search", "--all", "walrus"); !strings.Contains(out, "waits") {
		t.Errorf("%s", out)
	}
}

func TestAnEditorThatIsNotThereIsSaid(t *testing.T) {
	for _, editor := range []string{"/nowhere/ed", "no-such-editor --wait"} {
		a := &app{in: strings.NewReader(""), errs: t.Output(), getenv: func(name string) string {
			return map[string]string{"EDITOR": editor}[name]
		}}
		_, err := a.editInEditor(t.Context(), api.Memory{ID: "4", Title: "Bread is baked at night"}, nil)
		if err == nil || !strings.Contains(err.Error(), "there is no such program") || strings.Contains(err.Error(), "exec") {
			t.Errorf("%s: %v", editor, err)
		}
	}
}

func TestWhatWasTypedIsKeptIfItIsRefused(t *testing.T) {
	if _, err := exec.LookPath("cp"); err != nil {
		t.Skip("there is no cp")
	}
	m := api.Memory{ID: "4", Title: "Bread is baked at night", Confidence: 0.9, Body: "By day the oven is cold."}
	short := errors.New("the title has fewer than 10 characters")
	for _, c := range []struct {
		typed   string
		refused error
		want    string
	}{
		{"title: Bread is baked in the morning\n\nAt night the oven is cold.\n", nil, ""},
		{"title: Bread\n\nAt night the oven is cold.\n", short, short.Error()},
		{"title: Bread is baked in the morning\nconfidence: NaN\n\nx\n", nil, "confidence must be 0..1"},
		{"Bread\n\nAt night the oven is cold.\n", nil, "each with a colon"},
	} {
		dir, source := t.TempDir(), filepath.Join(t.TempDir(), "typed.md")
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir)
		if err := os.WriteFile(source, []byte(c.typed), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &app{in: strings.NewReader(""), errs: t.Output(), getenv: func(name string) string {
			return map[string]string{"EDITOR": "cp " + source}[name]
		}}
		_, err := a.editInEditor(t.Context(), m, func(api.MemoryEdit) error { return c.refused })
		left, _ := filepath.Glob(filepath.Join(dir, "mum-*.md"))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.typed, err)
		}
		if (err == nil) != (len(left) == 0) {
			t.Fatalf("%q: %v is left", c.typed, left)
		}
		var typed *typedError
		if err == nil || !errors.As(err, &typed) {
			continue
		}
		if kept, err := os.ReadFile(left[0]); err != nil || string(kept) != c.typed ||
			!strings.Contains(typed.where(), left[0]) {
			t.Errorf("%q: %v, %q, %s", c.typed, err, kept, typed.where())
		}
	}
}

func TestAnImportOfSomeDirectoriesIsPartial(t *testing.T) {
	for paths, want := range map[int]int{1: exitFailure, 2: exitPartial} {
		var e *exitError
		if err := importedOf(paths, []string{"/none"}); !errors.As(err, &e) || e.code != want {
			t.Errorf("one of %d is empty: %+v", paths, e)
		}
	}
}

func TestATarIsNotWrittenOverAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memories.tar")
	files := []api.MemoryFile{{Path: "decisions/a.md", Text: "x"}}
	if err := writeTar(file, files); err != nil {
		t.Fatal(err)
	}
	if err := writeTar(file, files); err == nil || !strings.HasSuffix(err.Error(), "memories.tar exists already") {
		t.Errorf("%v", err)
	}
}

func TestADirectoryWithoutMemoriesIsNoImport(t *testing.T) {
	dir, none := upWith(t), t.TempDir()
	for from, want := range map[string]string{none: "there are no memories in", "/dev/null": "neither a directory nor"} {
		out, err := mum(dir, "memory", "import", "--global", from).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", from, err, out)
		}
	}
}

func TestTheLinesThatAnImportSkipsAreNumbered(t *testing.T) {
	for want, got := range map[string]string{
		"line 4": numbersOf([]int{4}, 1), "line 4, 9": numbersOf([]int{4, 9}, 2),
		"line 4, 9 and 5 more": numbersOf([]int{4, 9}, 7)} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// JSON would turn the name into that of another directory, and the memory would be valid in all projects.
func TestADirectoryWithANameThatIsNoTextIsNoProject(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "caf\xe9")
	if err := nameable(dir, "rename it"); err == nil || strings.Contains(err.Error(), "\xe9") {
		t.Errorf("%v", err)
	}
	if err := nameable(filepath.Join(t.TempDir(), "café \n ブ"), "rename it"); err != nil {
		t.Errorf("a good one: %v", err)
	}
}
