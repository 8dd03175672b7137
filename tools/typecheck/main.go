// Command typecheck checks that packages and their tests compile for other systems, from their sources alone. It says
// nothing about the work of compiler and linker, and takes a tenth of their time. Of packages of others it reads what
// they declare.
//
//	typecheck [-tags TAGS] [-targets OS/ARCH,OS/ARCH] PACKAGE...
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as `go list -json` prints it.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Main bool }
	GoFiles         []string
	ImportMap       map[string]string
}

func main() {
	tags := flag.String("tags", "", "build tags, with commas between them")
	targets := flag.String("targets", "", "systems, with commas between them")
	flag.Parse()
	for target := range strings.SplitSeq(*targets, ",") {
		fmt.Println(target)
		if err := checkFor(target, *tags, flag.Args()); err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
			os.Exit(1)
		}
	}
}

func checkFor(target, tags string, programs []string) error {
	system, arch, _ := strings.Cut(target, "/")
	sizes := types.SizesFor("gc", arch)
	if sizes == nil {
		return errors.New("unknown processor")
	}
	all, err := list(append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch), tags, programs)
	if err != nil {
		return err
	}
	c := &checker{sizes: sizes, done: map[string]*types.Package{"unsafe": types.Unsafe}}
	for _, p := range all { // each after those that it imports
		if err := c.check(p); err != nil {
			return err
		}
	}
	return nil
}

func list(env []string, tags string, programs []string) (all []listed, err error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-test", "-tags", tags,
		"-json=ImportPath,Dir,Standard,Module,GoFiles,ImportMap"}, programs...)...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		if !strings.HasSuffix(p.ImportPath, ".test") { // the program that calls the tests
			all = append(all, p)
		}
	}
}

// checker checks the packages of one system.
type checker struct {
	sizes types.Sizes
	done  map[string]*types.Package
}

func (c *checker) check(p listed) error {
	if c.done[p.ImportPath] != nil {
		return nil
	}
	own := p.Module != nil && p.Module.Main
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
	}
	var found []error
	config := types.Config{Sizes: c.sizes, IgnoreFuncBodies: !own, Importer: importer{c.done, p.ImportMap},
		Error: func(err error) {
			// with no bodies, an import may have no use
			if e := (types.Error{}); own || errors.As(err, &e) && !e.Soft {
				found = append(found, err)
			}
		}}
	checked, _ := config.Check(p.ImportPath, files, parsed, nil) // found has its errors
	c.done[p.ImportPath] = checked
	return errors.Join(found...)
}

// importer knows the packages that were checked before, by the names that one package has for them.
type importer struct {
	done  map[string]*types.Package
	names map[string]string
}

// Import returns a checked package.
func (i importer) Import(path string) (*types.Package, error) {
	if full := i.names[path]; full != "" {
		path = full
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not checked before", path)
}
