package transcript

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/sorting"
)

// Discover lists every session file and database below roots, sorted by path. It opens none of them. If something
// cannot be listed, it returns the rest together with an error that names it; an agent that is not installed is not an
// error.
func Discover(ctx context.Context, roots Roots) ([]Source, error) {
	d := &discovery{ctx: ctx}
	if roots.Claude != "" {
		d.walk(filepath.Join(roots.Claude, "projects"), claudeSource)
	}
	if roots.Codex != "" {
		d.walk(filepath.Join(roots.Codex, "sessions"), codexSource)
		d.walk(filepath.Join(roots.Codex, "archived_sessions"), codexSource)
		d.dropPacked()
	}
	d.openCode(roots)
	d.cursor(roots)
	sorting.Stable(d.found, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.found, errors.Join(d.errs...)
}

type discovery struct {
	ctx   context.Context
	found []Source
	errs  []error
	seen  map[string]bool // directories that the current walk has visited, by their real path
}

// maxDepth is deeper than any agent nests directories; it stops loops of symbolic links.
const maxDepth = 12

// walk visits all files below dir. recognise turns a path, relative to dir with slashes, into a source, or returns
// false if the file is not a session.
func (d *discovery) walk(dir string, recognise func(rel string) (Source, bool)) {
	d.seen = map[string]bool{}
	d.enter(dir, "", 0, recognise)
}

func (d *discovery) enter(dir, rel string, depth int, recognise func(string) (Source, bool)) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || d.seen[real] || depth > maxDepth || d.ctx.Err() != nil {
		d.note(err)
		return
	}
	d.seen[real] = true
	list, err := os.ReadDir(dir)
	d.note(err)
	for _, f := range list {
		path, sub := filepath.Join(dir, f.Name()), strings.TrimPrefix(rel+"/"+f.Name(), "/")
		if isDir(path, f) {
			d.enter(path, sub, depth+1, recognise)
		} else if s, ok := recognise(sub); ok {
			s.Path = path
			d.add(s)
		}
	}
}

// isDir reports whether an entry is a directory, or a link to one.
func isDir(path string, e os.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// note records an error, unless it says that something does not exist.
func (d *discovery) note(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.errs = append(d.errs, err)
	}
}

// add adds a source whose path is a regular file, or a link to one.
func (d *discovery) add(s Source) {
	info, err := os.Stat(s.Path)
	if err != nil {
		d.note(err)
		return
	}
	if !info.Mode().IsRegular() {
		return
	}
	if s.ID == "" {
		statDB(&s, info)
	} else {
		s.Size, s.Modified = info.Size(), info.ModTime()
	}
	d.found = append(d.found, s)
}

// claudeSource recognises <slug>/<session>.jsonl, <slug>/<session>/subagents/agent-<id>.jsonl and, for older versions,
// <slug>/agent-<id>.jsonl. Files of a compaction repeat the conversation; memory/ and tool-results/ contain no
// sessions.
func claudeSource(rel string) (Source, bool) {
	parts := strings.Split(rel, "/")
	id, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	if !ok || id == "" || strings.HasPrefix(id, "agent-acompact-") {
		return Source{}, false
	}
	s := Source{Agent: Claude, ID: id}
	agent, isAgent := strings.CutPrefix(id, "agent-")
	switch sub := slices.Index(parts, "subagents"); {
	case sub > 0 && isAgent:
		s.ID, s.Parent = agent, parts[sub-1]
	case len(parts) == 2 && isAgent:
		s.ID = agent
	case len(parts) != 2:
		return Source{}, false
	}
	return s, true
}

var codexName = lazyregexp.New(`^rollout-.*?([0-9a-fA-F]{8}-[0-9a-fA-F-]{27})\.jsonl(?:\.zst)?$`)

func codexSource(rel string) (Source, bool) {
	m := codexName.FindStringSubmatch(rel[strings.LastIndex(rel, "/")+1:])
	if m == nil {
		return Source{}, false
	}
	return Source{Agent: Codex, ID: m[1]}, true
}

// dropPacked removes a compressed rollout if the original is next to it.
func (d *discovery) dropPacked() {
	plain := map[string]bool{}
	for _, s := range d.found {
		plain[s.Path] = true
	}
	d.found = slices.DeleteFunc(d.found, func(s Source) bool {
		path, packed := strings.CutSuffix(s.Path, zstExt)
		return packed && plain[path]
	})
}

// openCode adds the databases, or the older layout if there is none, because an upgrade copies that into the database
// and leaves it behind.
func (d *discovery) openCode(roots Roots) {
	before := len(d.found)
	switch {
	case roots.OpenCodeDB != "":
		d.add(Source{Agent: OpenCode, Path: roots.OpenCodeDB})
	case roots.OpenCode != "":
		d.each(roots.OpenCode, func(name string) (Source, bool) {
			return Source{Agent: OpenCode}, name == "opencode.db" ||
				strings.HasPrefix(name, "opencode-") && strings.HasSuffix(name, ".db")
		})
	}
	if len(d.found) > before || roots.OpenCode == "" {
		return
	}
	d.walk(filepath.Join(roots.OpenCode, "storage", "session"), func(rel string) (Source, bool) {
		id, ok := strings.CutSuffix(rel[strings.LastIndex(rel, "/")+1:], ".json")
		return Source{Agent: OpenCode, ID: id}, ok && strings.Count(rel, "/") == 1
	})
}

// each visits the files of one directory, by name.
func (d *discovery) each(dir string, recognise func(name string) (Source, bool)) {
	list, err := os.ReadDir(dir)
	d.note(err)
	for _, f := range list {
		if s, ok := recognise(f.Name()); ok {
			s.Path = filepath.Join(dir, f.Name())
			d.add(s)
		}
	}
}

func (d *discovery) cursor(roots Roots) {
	state := func(name string) (Source, bool) { return Source{Agent: Cursor}, name == "state.vscdb" }
	if roots.CursorUser != "" {
		d.each(filepath.Join(roots.CursorUser, "globalStorage"), state)
		spaces := filepath.Join(roots.CursorUser, "workspaceStorage")
		list, err := os.ReadDir(spaces)
		d.note(err)
		for _, w := range list {
			if w.IsDir() {
				d.each(filepath.Join(spaces, w.Name()), state)
			}
		}
	}
	if roots.CursorHome != "" {
		var f folders
		d.walk(filepath.Join(roots.CursorHome, "projects"), func(rel string) (Source, bool) {
			s, ok := cursorSource(rel)
			if ok {
				project, _, _ := strings.Cut(rel, "/")
				s.Dir = f.of(project)
			}
			return s, ok
		})
	}
}

// cursorSource recognises <slug>/agent-transcripts/<id>.jsonl, the same in a directory <id>, and
// <id>/subagents/<sub>.jsonl.
func cursorSource(rel string) (Source, bool) {
	parts := strings.Split(rel, "/")
	id, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	if !ok || id == "" || len(parts) < 3 || parts[1] != "agent-transcripts" {
		return Source{}, false
	}
	s := Source{Agent: Cursor, ID: id}
	if sub := slices.Index(parts, "subagents"); sub > 2 {
		s.Parent = parts[sub-1]
	}
	return s, true
}
