package daemon

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/recall"
	"keepmum/store"
)

func (d *Daemon) postMemoryReindex(c echo.Context) error {
	var in api.MemoryReindex
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	out := api.MemoryReindexed{Trees: []api.MemoryTree{}}
	names, err := d.projectNames(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		tree, err := d.reindexTree(ctx, r, in.All)
		if err != nil {
			return err
		}
		tree.Project = names[r.Project]
		out.Trees = append(out.Trees, tree)
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) reindexTree(ctx context.Context, r store.MemoryRoot, all bool) (api.MemoryTree, error) {
	out := api.MemoryTree{Dir: d.rootDir(r), Broken: []api.MemoryBroken{}}
	done, err := d.reindexRoot(ctx, r, store.IndexOptions{All: all})
	if outOfReach(err) {
		out.Broken = append(out.Broken, api.MemoryBroken{File: out.Dir, Why: err.Error()})
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Added, out.Changed, out.Removed, out.Same = done.Added, done.Changed, done.Removed, done.Same
	out.Broken = append(out.Broken, broken(out.Dir, done.Broken)...)
	for _, list := range memory.Occupied(out.Dir) {
		out.Broken = append(out.Broken, api.MemoryBroken{File: list, Why: inThePlaceOfAList})
	}
	if err := d.regenerate(ctx, r); err != nil { // the index is right all the same
		out.Broken = append(out.Broken, api.MemoryBroken{File: out.Dir, Why: "its lists cannot be written: " + err.Error()})
	}
	return out, nil
}

func broken(dir string, all []memory.Broken) []api.MemoryBroken {
	out := []api.MemoryBroken{}
	for _, b := range all {
		file := b.Path
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, filepath.FromSlash(file))
		}
		out = append(out, api.MemoryBroken{File: file, Line: b.Line, Why: b.Why})
	}
	return out
}

// getMemoryAudit lists the files and lines that someone should check, never their text.
func (d *Daemon) getMemoryAudit(c echo.Context) error {
	if err := onlyParams(c.QueryParams()); err != nil {
		return err
	}
	out := api.MemoryAudit{Problems: []api.MemoryProblem{}}
	ctx := c.Request().Context()
	unread, err := d.memoryFiles(ctx, func(t memoryTree, path string, text []byte) error {
		out.Files++
		out.Problems = append(out.Problems, auditText(t.Tree, t.Shown(path), string(text))...)
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range unread {
		out.Problems = append(out.Problems,
			api.MemoryProblem{File: path, Kind: "broken", Why: "it cannot be read, so it was not checked"})
	}
	if err := d.auditTrees(ctx, &out); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// auditText finds what the gate would redact in a file, and lines that contain instructions to a model.
func auditText(t *memory.Tree, path, text string) []api.MemoryProblem {
	var out []api.MemoryProblem
	secrets, rules := t.Secrets(text)
	made := isList(path) // derived from files that are listed already
	for i, line := range strings.Split(text, "\n") {
		if slices.Contains(secrets, i+1) {
			out = append(out, api.MemoryProblem{File: path, Line: i + 1, Kind: "secret",
				Why: strings.Join(rules, ", ") + ": it is in the file, not in the index; mum scrub removes it from the file"})
		}
		if !made && recall.SpeaksToAModel(line) {
			out = append(out, api.MemoryProblem{File: path, Line: i + 1, Kind: "instruction",
				Why: "it reads like an instruction to a model: it is kept, but no agent is told about it"})
		}
	}
	return out
}

// auditTrees adds unreadable files, forgotten memories that reappeared, and memories that came with a repository.
func (d *Daemon) auditTrees(ctx context.Context, out *api.MemoryAudit) error {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		dir := d.rootDir(r)
		done, err := d.reindexRoot(ctx, r, store.IndexOptions{})
		if outOfReach(err) {
			out.Problems = append(out.Problems, api.MemoryProblem{File: dir, Kind: "broken", Why: err.Error()})
			continue
		}
		if err != nil {
			return err
		}
		for _, b := range broken(dir, done.Broken) {
			out.Problems = append(out.Problems,
				api.MemoryProblem{File: b.File, Line: b.Line, Kind: "broken", Why: b.Why + "; it is not changed"})
		}
		for _, name := range done.Refused {
			out.Problems = append(out.Problems,
				api.MemoryProblem{File: dir, Kind: "forgotten",
					Why: name + " was forgotten, but its file is back: remove the file"})
		}
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{})
	for _, m := range rows {
		if m.Cloned {
			out.Problems = append(out.Problems,
				api.MemoryProblem{File: d.fileOf(m), Kind: "foreign",
					Why: "it came with the repository: someone else may have written it"})
		}
	}
	return err
}
