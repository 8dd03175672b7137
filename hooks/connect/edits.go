package connect

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// edit is a way to add our entries to a file, and to remove them.
type edit interface {
	kind() string
	add(base []byte) ([]byte, error)   // base is nil if there is no file
	remove(cur []byte) ([]byte, error) // returns cur if nothing in it is ours; nil to remove the file
	empty(rest []byte) bool            // what is left is not worth keeping
	same(cur, want []byte) bool        // both mean the same, however they are written
}

// editOf returns the edit for a kind in the manifest; it can only remove.
func editOf(kind string) edit {
	if list, ok := strings.CutPrefix(kind, "mcp:"); ok {
		return mcpServer{list: list}
	}
	switch kind {
	case hookEntries{}.kind():
		return hookEntries{}
	case wholeFile{}.kind():
		return wholeFile{}
	case tomlTable{}.kind():
		return tomlTable{}
	}
	return nil
}

// entry is one handler to register.
type entry struct {
	event   string
	handler any
}

// hookEntries are handlers in {"hooks": {"<event>": […]}}, the format that Claude Code introduced and that Codex and
// Cursor copied.
type hookEntries struct {
	entries []entry
	header  map[string]any // members that a new file needs
	flat    bool           // Cursor: handlers are not in matcher groups
}

func (hookEntries) kind() string { return "hooks" }

func (h hookEntries) add(base []byte) ([]byte, error) {
	d, err := parse(base)
	if err != nil {
		return nil, err
	}
	for name, v := range h.header {
		if member(d.top(), name) == nil {
			value, err := line(v)
			if err != nil {
				return nil, err
			}
			d.insert(d.top(), name, value, 1)
		}
	}
	all, err := d.object(d.top(), "hooks", 1)
	if err != nil {
		return nil, err
	}
	for _, e := range h.entries {
		if err := h.addEntry(d, all, e); err != nil {
			return nil, err
		}
	}
	return d.bytes(), nil
}

func (h hookEntries) addEntry(d *document, all *hujson.Object, e entry) error {
	list, err := d.array(all, e.event, 2)
	if err != nil {
		return err
	}
	var v any = map[string]any{"hooks": []any{e.handler}}
	if h.flat {
		v = e.handler
	}
	value, err := line(v)
	if err != nil {
		return err
	}
	d.push(list, value, 3)
	return nil
}

func (h hookEntries) remove(cur []byte) ([]byte, error) {
	return removeFrom(cur, "hooks", emptied)
}

// emptied removes our handlers from one event and reports whether none are left.
func emptied(_ string, event *hujson.Value) bool {
	list, ok := event.Value.(*hujson.Array)
	if !ok {
		return false
	}
	return removeElements(list, groupEmptied) && bare(len(list.Elements), list.AfterExtra)
}

// groupEmptied removes our handlers from a matcher group and reports whether none are left. For a handler outside a
// group it reports whether the handler is ours.
func groupEmptied(v *hujson.Value) bool {
	group, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	inner := member(group, "hooks")
	if inner == nil {
		return isOurs(v)
	}
	list, ok := inner.Value.(*hujson.Array)
	return ok && removeElements(list, isOurs) && bare(len(list.Elements), list.AfterExtra)
}

// empty reports whether rest is {} or {"version": 1}: what a file that we created contains without our entries.
func (h hookEntries) empty(rest []byte) bool {
	if rest == nil {
		return true
	}
	d, err := parse(rest)
	if err != nil {
		return false
	}
	for _, m := range d.top().Members {
		if name, _ := m.Name.Value.(hujson.Literal); name.String() != "version" {
			return false
		}
	}
	return !bytes.Contains(rest, []byte("/*")) && !bytes.Contains(rest, []byte("//"))
}

// mentionsUs is a quick check whether a file may contain something of ours.
func mentionsUs(data []byte) bool {
	return bytes.Contains(bytes.ToLower(data), []byte("mum")) || bytes.Contains(data, []byte("/hooks/claude"))
}

func (hookEntries) same(cur, want []byte) bool { return sameSettings(cur, want) }

// wholeFile is a file that belongs to us completely.
type wholeFile struct{ content []byte }

// fileMark is in the first line of each program of ours, skillMark in each skill.
const (
	fileMark  = "keepmum's plugin"
	skillMark = "<!-- keepmum's skill:"
)

func (wholeFile) kind() string { return "file" }

func isWhole(e edit) bool { return e.kind() == (wholeFile{}).kind() }

func (f wholeFile) add(base []byte) ([]byte, error) {
	if base != nil {
		return nil, fmt.Errorf("%w: there is another file of that name; move it away first", ErrConflict)
	}
	return f.content, nil
}

func (f wholeFile) remove(cur []byte) ([]byte, error) {
	first, _, _ := bytes.Cut(cur, []byte("\n"))
	const head = 1 << 10 // the mark of a skill follows its frontmatter
	if bytes.Contains(first, []byte(fileMark)) || bytes.Contains(cur[:min(len(cur), head)], []byte(skillMark)) {
		return nil, nil
	}
	return cur, nil
}

func (wholeFile) same(cur, want []byte) bool { return bytes.Equal(cur, want) }

func (f wholeFile) empty(rest []byte) bool { return rest == nil }
