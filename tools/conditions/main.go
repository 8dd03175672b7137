// Command conditions finds conditions that are hard to read: expressions with more than four `&&` and `||`. Give such
// an expression a name, or turn it into a table.
//
//	conditions [-skip DIR,DIR] ROOT
//
// It prints a line for each and exits with 1 if there are any. It skips tests: there a condition lists what is wrong
// with one answer.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// most is how many operators a reader can keep in mind.
const most = 4

func main() {
	skip := flag.String("skip", "", "folders below ROOT to leave out, with commas between them")
	flag.Parse()
	root := flag.Arg(0)
	if root == "" {
		root = "."
	}
	found, err := walk(root, strings.Split(*skip, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, "conditions:", err)
		os.Exit(2)
	}
	for _, line := range found {
		fmt.Println(line)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

func walk(root string, skip []string) (found []string, err error) {
	left := map[string]bool{}
	for _, s := range skip {
		left[filepath.Join(root, s)] = s != ""
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (left[path] || hidden(d.Name()) && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		lines, err := file(path)
		found = append(found, lines...)
		return err
	})
	return found, err
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "testdata" }

func file(path string) (found []string, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		count := operators(e)
		if count <= most {
			return true
		}
		found = append(found, fmt.Sprintf("%s: %d operators in one condition, at most %d are read at a glance",
			set.Position(e.Pos()), count, most))
		return false
	})
	return found, nil
}

// operators counts the connected && and || in e, including those in brackets and negations.
func operators(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return operators(e.X)
	case *ast.UnaryExpr:
		return operators(e.X)
	case *ast.BinaryExpr:
		n := operators(e.X) + operators(e.Y)
		if e.Op == token.LAND || e.Op == token.LOR {
			n++
		}
		return n
	}
	return 0
}
