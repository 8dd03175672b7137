package memory

import (
	"path"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// Duplicates returns the pairs of memories that say the same.
func Duplicates(active []Memory) [][2]string {
	var out [][2]string
	for _, p := range newWorkbench(active).duplicates() {
		out = append(out, [2]string{p.a, p.b})
	}
	return out
}

// pathWord matches what looks like a path in a repository: with a slash and an extension, and without a scheme.
var pathWord = lazyregexp.New(`(?:^|[\s\x60("'])((?:[\w.-]+/)+[\w.-]+\.[A-Za-z]\w{0,7})\b`)

// FilesIn returns the files that a text names by path.
func FilesIn(text string) []string {
	var out []string
	for _, m := range pathWord.FindAllStringSubmatch(text, -1) {
		if file := path.Clean(m[1]); !strings.HasPrefix(file, "..") && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}
