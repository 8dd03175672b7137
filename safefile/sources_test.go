package safefile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// bare names the calls that open whatever a path leads to.
var bare = map[string]bool{"os.ReadFile": true, "os.Open": true, "os.OpenFile": true, "os.DirFS": true,
	"os.OpenRoot": true, "fs.ReadFile": true, "root.Open": true, "root.ReadFile": true}

// allowed are the files that may use them, and why.
var allowed = map[string]string{
	"atomicfile/atomicfile.go":     "makes a file beside the one it replaces",
	"atomicfile/sync_unix.go":      "opens a directory to flush it",
	"cmd/mum/redact.go":            "reads what the user named",
	"cmd/mum/memory_move.go":       "makes a file",
	"compress/battery_linux.go":    "reads the kernel's own files",
	"daemon/drysync.go":            "makes a file in a scratch directory",
	"docs/says.go":                 "reads the documents of the project, for tests of other packages",
	"distill/artifacts.go":         "appends to the activity log",
	"distill/lock.go":              "signs a lock that it holds",
	"gittest/gittest.go":           "reads repositories that a test made",
	"privacy/known/vaultfiles.go":  "lists a directory",
	"privacy/leak/leak.go":         "reads every byte of a scratch directory",
	"privacy/patience/patience.go": "asks first, and waits a quarter of a second at most",
	"safefile/own.go":              "is the way to do it",
	"safefile/safefile.go":         "is the way to do it",
	"store/backup.go":              "reads and writes the data directory",
	"trace/trace.go":               "appends to the trace of a run, in the data directory",
	"daemon/rest_linux.go":         "reads the memory map of its own process",
	"store/open.go":                "makes the database",
	"store/image.go":               "fills a new database beside its place, in the data directory",
}

// Every file that is opened because of where an agent works goes through this
// package; a new bare call is either wrong or has a reason.
func TestNoSourceFileOpensPathsBare(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if e.IsDir() {
			return skipped(rel)
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		for _, call := range bareCalls(t, path) {
			seen[rel] = true
			if allowed[rel] == "" {
				t.Errorf("%s: use safefile, or say in this test why not", call)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range allowed {
		if !seen[file] {
			t.Errorf("%s opens nothing any more: take it off the list", file)
		}
	}
}

// skipped leaves out what is no part of the program.
func skipped(dir string) error {
	switch dir {
	case ".git", "testdata", "tools", "bench", "e2e", "plugin", "team/pgtest":
		return fs.SkipDir
	}
	return nil
}

func bareCalls(t *testing.T, path string) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && bare[x.Name+"."+s.Sel.Name] {
			found = append(found, files.Position(s.Pos()).String()+": "+x.Name+"."+s.Sel.Name)
		}
		return true
	})
	return found
}
