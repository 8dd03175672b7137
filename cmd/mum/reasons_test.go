package main

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
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

func TestAnEditorThatIsNotThereIsSaid(t *testing.T) {
	for _, editor := range []string{"/nowhere/ed", "no-such-editor --wait"} {
		a := &app{in: strings.NewReader(""), errs: t.Output(), getenv: func(name string) string {
			return map[string]string{"EDITOR": editor}[name]
		}}
		_, err := a.editInEditor(t.Context(), api.Memory{ID: "4", Title: "Bread is baked at night"})
		if err == nil || !strings.Contains(err.Error(), "there is no such program") || strings.Contains(err.Error(), "exec") {
			t.Errorf("%s: %v", editor, err)
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
