package transcript

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"keepmum/lazyregexp"
)

var noSlug = lazyregexp.New(`[^a-zA-Z0-9]+`)

// slug returns a path as Cursor names its directory in ~/.cursor/projects: "/home/ann/my.shop" is "home-ann-my-shop".
func slug(path string) string { return strings.Trim(noSlug.Get().ReplaceAllString(path, "-"), "-") }

// folders finds the folders that slugs stand for. Cursor's transcripts name their folder nowhere else.
type folders struct {
	known map[string]string
	reads int // directories that may still be read for one slug
}

// maxReads limits how many directories are read for one slug: one for each part of a path, and some beside it.
const maxReads = 64

// of returns the folder with a slug, or "" if there is none or more than one.
func (f *folders) of(name string) string {
	if dir, ok := f.known[name]; ok {
		return dir
	}
	root, rest := "/", slug(name)
	if runtime.GOOS == "windows" {
		drive, path, _ := strings.Cut(rest, "-")
		root, rest = drive+`:\`, path
	}
	f.reads = maxReads
	dir := ""
	if list := f.below(root, rest); rest != "" && f.reads >= 0 && len(list) == 1 {
		dir = list[0]
	}
	if f.known == nil {
		f.known = map[string]string{}
	}
	f.known[name] = dir
	return dir
}

// below returns the folders below a directory that a slug stands for.
func (f *folders) below(dir, rest string) (out []string) {
	if rest == "" {
		return []string{dir}
	}
	if f.reads--; f.reads < 0 {
		return nil
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil // what the user may not read is not his project
	}
	for _, e := range list {
		name := slug(e.Name())
		if after, ok := strings.CutPrefix(rest+"-", name+"-"); ok && name != "" && e.IsDir() {
			out = append(out, f.below(filepath.Join(dir, e.Name()), strings.TrimSuffix(after, "-"))...)
		}
	}
	return out
}
