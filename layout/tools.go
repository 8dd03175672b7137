package layout

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"keepmum/lazyregexp"
	"keepmum/safefile"
)

// maxTool limits how much of a tool's file is read.
const maxTool = 256 << 10

// targetLine matches targets of a Makefile or justfile with plain names.
var targetLine = lazyregexp.New(`(?m)^([a-z][a-z0-9_-]{1,30})(?: [a-z0-9_ ="']*)?:(?:[^=]|$)`)

// tools adds the commands that build and test the tree, from the files of its tools.
func (w *walk) tools(dir string) {
	w.targets(dir, "make", "Makefile")
	w.targets(dir, "just", "justfile")
	w.scripts(dir)
	for _, t := range []struct{ file, build, test string }{
		{"go.mod", "go build ./...", "go test ./..."}, {"Cargo.toml", "cargo build", "cargo test"},
		{"pom.xml", "mvn package", "mvn test"}, {"build.gradle", "gradle build", "gradle test"},
		{"build.gradle.kts", "gradle build", "gradle test"}, {"mix.exs", "mix compile", "mix test"},
		{"Gemfile", "bundle install", ""}, {"Package.swift", "swift build", "swift test"},
		{"pyproject.toml", "", ""}, {"tox.ini", "", "tox"}, {"pytest.ini", "", "pytest"},
	} {
		if _, err := os.Lstat(filepath.Join(dir, t.file)); err == nil {
			w.add(t.build, t.test)
		}
	}
	if data, err := safefile.ReadBelow(dir, "pyproject.toml", maxTool); err == nil && pytest.Match(data) {
		w.add("", "pytest")
	}
}

var pytest = lazyregexp.New(`(?m)^\[tool\.pytest`)

func (w *walk) add(build, test string) {
	if build != "" && !slices.Contains(w.build, build) {
		w.build = append(w.build, build)
	}
	if test != "" && !slices.Contains(w.test, test) {
		w.test = append(w.test, test)
	}
}

func (w *walk) targets(dir, tool, file string) {
	data, err := safefile.ReadBelow(dir, file, maxTool)
	if err != nil {
		return
	}
	for _, m := range targetLine.FindAllStringSubmatch(string(data), -1) {
		w.named(tool+" ", m[1])
	}
}

// named adds a command if it has one of the usual names for building and testing.
func (w *walk) named(run, name string) {
	switch name {
	case "build", "all", "compile", "dist":
		w.add(run+name, "")
	case "test", "tests", "check", "lint", "e2e", "typecheck":
		w.add("", run+name)
	}
}

// scripts reads the script names of a package.json.
func (w *walk) scripts(dir string) {
	data, err := safefile.ReadBelow(dir, "package.json", maxTool)
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if err != nil || json.Unmarshal(data, &p) != nil {
		return
	}
	for _, name := range []string{"build", "compile", "test", "lint", "e2e", "typecheck", "check"} {
		if p.Scripts[name] != "" {
			w.named("npm run ", name)
		}
	}
}
