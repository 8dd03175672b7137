// Package layout answers one question: what does a working tree say about itself?
//
// It finds languages, entry points, and the commands to build and test, from file names and from the files of
// well-known tools. It runs nothing. It passes on only names, no other text, because a repository may contain text from
// strangers.
package layout

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/sorting"

	"keepmum/safefile"
)

// Language is the number of files of a language.
type Language struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
}

// Tree describes a working tree.
type Tree struct {
	Languages []Language `json:"languages"` // most files first
	Entries   []string   `json:"entries"`   // files in which programs start
	Build     []string   `json:"build"`     // commands
	Test      []string   `json:"test"`
	Cut       bool       `json:"cut,omitempty"` // there are more files than were counted
}

// Limits of what is read. 5,000 names take about ten milliseconds; beyond that the shares of languages hardly change.
const (
	maxNames     = 5_000
	maxDepth     = 8
	maxEntries   = 12
	maxLanguages = 6
)

// Read describes the working tree in a directory.
func Read(dir string) Tree {
	w := walk{count: map[string]int{}}
	root, err := safefile.OpenRoot(dir)
	if err != nil {
		return w.tree()
	}
	defer func() { _ = root.Close() }()
	w.level(root.FS(), []string{"."})
	w.tools(dir)
	return w.tree()
}

// walk reads a tree level by level, because files near the top say the most.
type walk struct {
	count   map[string]int
	entries []string
	names   int
	cut     bool
	build   []string
	test    []string
}

func (w *walk) level(tree fs.FS, dirs []string) {
	for depth := 0; len(dirs) > 0 && depth < maxDepth; depth++ {
		var next []string
		for _, dir := range dirs {
			next = append(next, w.dir(tree, dir)...)
		}
		dirs = next
	}
}

func (w *walk) dir(tree fs.FS, dir string) (below []string) {
	list, err := fs.ReadDir(tree, dir)
	if err != nil {
		return nil
	}
	for _, e := range list {
		if w.names++; w.names > maxNames {
			w.cut = true
			return below
		}
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && !foreign(e.Name()):
			below = append(below, name)
		case e.Type().IsRegular():
			w.file(name)
		}
	}
	return below
}

// foreign reports whether a directory contains code from elsewhere.
func foreign(name string) bool {
	switch name {
	case "node_modules", "vendor", "target", "dist", "build", "out", "venv", "site-packages", "__pycache__", "Pods",
		"third_party", "testdata":
		return true
	}
	return strings.HasPrefix(name, ".")
}

func (w *walk) file(name string) {
	if l := languages()[strings.ToLower(path.Ext(name))]; l != "" {
		w.count[l]++
	}
	if begins(name) && len(w.entries) < maxEntries && plain.MatchString(name) {
		w.entries = append(w.entries, name)
	}
}

// begins reports whether a file looks like the start of a program, judging by its name.
func begins(name string) bool {
	switch path.Base(name) {
	case "main.go", "main.rs", "main.py", "__main__.py", "manage.py", "main.c", "main.cpp", "main.swift", "main.kt",
		"Main.java", "Program.cs":
		return true
	case "index.js", "index.ts", "server.js", "server.ts", "app.py", "app.rb", "config.ru", "index.php":
		return strings.Count(name, "/") < 2
	}
	return false
}

// plain matches a mere name. Text with spaces is not a name: a model could read it as an instruction.
var plain = lazyregexp.New(`^[A-Za-z0-9._/@+-]{1,120}$`)

func (w *walk) tree() Tree {
	out := Tree{Languages: []Language{}, Entries: notNil(w.entries), Build: notNil(w.build), Test: notNil(w.test),
		Cut: w.cut}
	for name, files := range w.count {
		out.Languages = append(out.Languages, Language{name, files})
	}
	sorting.Stable(out.Languages, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name))
	})
	out.Languages = out.Languages[:min(len(out.Languages), maxLanguages)]
	return out
}

func notNil(list []string) []string { return append([]string{}, list...) }

func languages() map[string]string {
	return map[string]string{".go": "Go", ".rs": "Rust", ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript",
		".cjs": "JavaScript", ".jsx": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript", ".rb": "Ruby", ".php": "PHP",
		".java": "Java", ".kt": "Kotlin", ".swift": "Swift", ".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".hpp": "C++",
		".cs": "C#", ".scala": "Scala", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".hs": "Haskell", ".ml": "OCaml",
		".lua": "Lua", ".zig": "Zig", ".dart": "Dart", ".vue": "Vue", ".svelte": "Svelte", ".sh": "Shell", ".sql": "SQL",
		".tf": "Terraform", ".r": "R", ".jl": "Julia", ".clj": "Clojure"}
}
