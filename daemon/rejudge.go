package daemon

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// postRejudge lists the memories that sync wrote and that the current threshold would reject, and archives them on
// request. It skips memories that the user wrote, changed, pinned or restored.
func (d *Daemon) postRejudge(c echo.Context) error {
	var in api.Rejudge
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	w := d.world()
	w.Extract = d.extractAlone
	out := api.Rejudged{Memories: []api.Memory{}}
	for _, r := range roots {
		if err := d.rejudgeTree(ctx, w, r, in.Apply, &out); err != nil {
			return memoryError(err)
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) rejudgeTree(ctx context.Context, w distill.World, r store.MemoryRoot, apply bool,
	out *api.Rejudged) error {
	t, err := d.openTree(r)
	if errors.Is(err, errNoTree) {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := t.Load()
	if err != nil {
		return err
	}
	var theirs []memory.Memory
	for _, m := range l.Active {
		if untouched(t, m) {
			theirs = append(theirs, m)
		} else {
			out.Left++
		}
	}
	standings, err := distill.Rejudge(ctx, w, theirs)
	if err != nil {
		return err
	}
	archived := 0
	for i, s := range standings {
		switch s {
		case distill.Today:
			out.Stay++
			continue
		case distill.NotToday:
		default:
			out.Unjudged++
			continue
		}
		rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: r.ID, Name: theirs[i].ID})
		if err != nil {
			return err
		}
		out.Memories = append(out.Memories, d.wireMemories(rows)...)
		if !apply {
			continue
		}
		if _, err := t.Archive(theirs[i], d.stamp(privacy.Const("rejudge"))); err != nil {
			return err
		}
		archived++
	}
	out.Archived += archived
	if archived == 0 {
		return nil
	}
	return d.written(ctx, r)
}

// untouched reports whether a memory is as sync wrote it: not pinned, changed or restored.
func untouched(t memoryTree, m memory.Memory) bool {
	const late = time.Minute // allowed between the time in a file and the time of its writing
	if m.Pinned || !strings.HasPrefix(m.Source, string(store.RunSync)+"-") || !m.Updated.Equal(m.Created) {
		return false
	}
	info, err := os.Lstat(filepath.Join(t.Root(), filepath.FromSlash(m.Path)))
	return err == nil && info.ModTime().Before(m.Updated.Add(late))
}
