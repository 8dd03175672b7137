package memory

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/safefile"
	"keepmum/sorting"
)

const (
	indexLines  = 200 // maximum size of the index, which an agent may read as a whole
	indexBytes  = 25 << 10
	linkedLine  = 160 // characters of a first sentence
	generated   = "<!-- Made by mum from the files next to it. Edits here are lost: edit the files. -->\n"
	indexHeader = "# Memories\n\n" + generated + "\n"
)

// Lists returns the generated files of a tree.
func Lists(root string) []string {
	return []string{filepath.Join(root, indexFile), filepath.Join(root, hotFile)}
}

// Occupied returns the lists of a tree that are not written, because a link or something else that is no regular file
// is in their place.
func Occupied(root string) []string {
	return slices.DeleteFunc(Lists(root), func(list string) bool {
		info, err := os.Lstat(list)
		return err != nil || info.Mode().IsRegular()
	})
}

// Regenerate writes index.md and hot-memory.md and reports whether either changed. Which memories come first depends on
// when they were last used. A list whose place is [Occupied] is left out.
func (t *Tree) Regenerate(access map[string]time.Time, now time.Time, d Decay) (changed bool, err error) {
	if _, err := os.Stat(t.root); errors.Is(err, fs.ErrNotExist) {
		return false, nil // nothing was ever remembered here
	}
	err = t.locked(func() error {
		l, err := t.loadAll()
		if err != nil {
			return err
		}
		r := ranking{access, now, d}
		for name, text := range map[string]string{indexFile: indexText(r.sorted(l.Active)), hotFile: r.hotText(l)} {
			if slices.Contains(Occupied(t.root), filepath.Join(t.root, name)) {
				continue
			}
			wrote, err := t.writeGenerated(name, text)
			if err != nil {
				return err
			}
			changed = changed || wrote
		}
		return nil
	})
	return changed, err
}

func (t *Tree) writeGenerated(name, text string) (bool, error) {
	old, err := safefile.Read(filepath.Join(t.root, name), maxText)
	switch {
	case err == nil:
		data, err := t.write(name, &document{body: text}, hashOf(old), func([]byte) error { return nil })
		return err == nil && !bytes.Equal(data, old), err
	case errors.Is(err, safefile.ErrTooLarge): // not our work, and nothing in it is needed
		if err := os.Remove(filepath.Join(t.root, name)); err != nil {
			return false, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	_, err = t.write(name, &document{body: text}, "", func([]byte) error { return nil })
	return err == nil, err
}

// ranking says which memories come first.
type ranking struct {
	access map[string]time.Time
	now    time.Time
	decay  Decay
}

// sorted puts pinned memories first, then the most trusted, then the newest.
func (r ranking) sorted(memories []Memory) []Memory {
	trust := map[string]float64{}
	for _, m := range memories {
		trust[m.ID] = m.effective(r.access, r.now, r.decay)
	}
	return sorting.Sorted(slices.Values(memories), func(a, b Memory) int {
		if a.Pinned && !b.Pinned {
			return -1
		}
		if b.Pinned && !a.Pinned {
			return 1
		}
		return cmp.Or(cmp.Compare(trust[b.ID], trust[a.ID]), b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
}

// indexText has one line for each memory, as far as there is room.
func indexText(active []Memory) string {
	var b strings.Builder
	b.WriteString(indexHeader)
	const moreBytes = 32 // reserved, like one line, for the number of omitted memories
	room := indexLines - strings.Count(indexHeader, "\n") - 1
	for i, m := range active {
		entry := fmt.Sprintf("- [%s](%s) — %s%s\n", escapeLink(m.Title), linkPath(m.Path), gist(m.Body), m.branchNote())
		if i == room || b.Len()+len(entry) > indexBytes-moreBytes {
			fmt.Fprintf(&b, "- … %d more\n", len(active)-i)
			break
		}
		b.WriteString(entry)
	}
	return b.String()
}

// gist returns the first sentence of a body on one line.
func gist(body string) string {
	for _, p := range pieces(body) {
		if strings.HasPrefix(p, "#") || strings.HasPrefix(p, "```") {
			continue
		}
		return shorten(strings.Join(strings.Fields(listItem.ReplaceAllString(p, "")), " "), linkedLine)
	}
	return ""
}

// shorten cuts a text between words.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := string([]rune(s)[:n])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// escapeLink returns a text on one line that Markdown shows as it is in the name of a link.
func escapeLink(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`).Replace(s)
}

// linkPath returns a path as the target of a link in Markdown.
func linkPath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29").Replace(url.PathEscape(parts[i]))
	}
	return strings.Join(parts, "/")
}
