package transcript

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	if list := f.below(root, rest); rest != "" && f.reads >= 0 && len(list) > 0 && allSame(list) {
		dir = list[0]
	}
	if f.known == nil {
		f.known = map[string]string{}
	}
	f.known[name] = dir
	return dir
}

// below returns the folders at and below a directory that a slug stands for. A name without a letter or digit of ASCII
// leaves nothing in a slug, so a slug may also stand for a folder with such a name on its way.
func (f *folders) below(dir, rest string) (out []string) {
	if rest == "" {
		out = append(out, dir)
	}
	if f.reads--; f.reads < 0 {
		return out
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return out // what the user may not read is no project of theirs
	}
	for _, e := range list {
		name, after, ok := slug(e.Name()), rest, true
		if name != "" {
			after, ok = strings.CutPrefix(rest+"-", name+"-")
		}
		if path := filepath.Join(dir, e.Name()); ok && isDir(path, e) {
			out = append(out, f.below(path, strings.TrimSuffix(after, "-"))...)
		}
	}
	return out
}

// allSame reports whether paths lead to the same folder: all but one are links.
func allSame(list []string) bool {
	first, err := os.Stat(list[0])
	return err == nil && !slices.ContainsFunc(list[1:], func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !os.SameFile(first, info)
	})
}
