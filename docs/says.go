// Package docs compares the documents of the project with what the code does, for tests.
package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Says fails a test if a document, named from the root of the project, lacks a sentence whose
// figures the test knows. Line breaks do not matter.
func Says(t testing.TB, file, format string, figures ...any) {
	t.Helper()
	root := "."
	for _, err := os.Stat("go.mod"); err != nil; _, err = os.Stat(filepath.Join(root, "go.mod")) {
		if root = filepath.Join(root, ".."); len(root) > 60 {
			t.Fatal("the root of the project is not above this directory")
		}
	}
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(strings.Fields(fmt.Sprintf(format, figures...)), " ")
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("%s does not say %q", file, want)
	}
}
