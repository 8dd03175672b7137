package recall

import (
	"slices"
	"strings"
)

// File is a file that a session read or changed, and what happened to it since.
type File struct {
	Number, Path string // F1, pay/hook.go
	Is           string // unchanged, changed or gone
}

// fileParts returns the parts of a session's line about files: those that it edited, with what happened to them since,
// then, if it goes on after a compaction, the others that it used: who begins has read none of them.
func (d *digest) fileParts() (out []string) {
	var edited []string
	for _, name := range d.edits {
		if i := slices.IndexFunc(d.files, func(f File) bool { return f.Path == name }); i >= 0 {
			name = d.files[i].Number + " " + name + " (" + d.files[i].Is + " since)"
		}
		edited = append(edited, name)
	}
	if len(edited) > 0 {
		out = append(out, "edited "+strings.Join(edited, ", "))
	}
	if !d.again {
		return out
	}
	var is []string
	others := map[string][]string{}
	for _, f := range d.files {
		if slices.Contains(d.edits, f.Path) {
			continue
		}
		if len(others[f.Is]) == 0 {
			is = append(is, f.Is)
		}
		others[f.Is] = append(others[f.Is], f.Number+" "+f.Path)
	}
	for _, s := range is {
		out = append(out, s+" since: "+strings.Join(others[s], ", "))
	}
	return out
}

// quoted returns the titles of tools and the names of files that the line quotes, as stored.
func (d *digest) quoted() []string {
	out := slices.Clone(d.raw)
	for _, f := range d.files {
		out = append(out, f.Path)
	}
	if d.failed != nil {
		out = append(out, d.failed.Title)
	}
	return out
}
