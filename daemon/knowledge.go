package daemon

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/recall"
	"keepmum/sorting"
	"keepmum/store"
)

// asOfParam parses a time in the past; for a day, its end in UTC.
func (d *Daemon) asOfParam(s string) (at time.Time, err error) {
	if s == "" {
		return at, nil
	}
	if at, err = time.Parse(time.DateOnly, s); err == nil {
		at = at.AddDate(0, 0, 1).Add(-time.Millisecond)
	} else if at, err = time.Parse(time.RFC3339, s); err != nil {
		return at, failure(api.Invalid, "as_of must be a day like 2026-03-01 or a time like 2026-03-01T14:23:05Z",
			"docs/api.md")
	}
	if at.After(d.o.Now().AddDate(0, 0, 2)) { // today ends later in the west, and begins earlier in the east
		return at, failure(api.Invalid, "as_of is in the future", "leave it out for what is known today")
	}
	return at.UTC(), nil
}

// asOf returns the source to search: the present, or what was known at a time.
func asOf(src recall.Past, at time.Time) recall.Source {
	if at.IsZero() {
		return src
	}
	return recall.AsOf(src, at)
}

// keyParam parses a key in any of its forms.
func keyParam(s string) (string, error) {
	key, err := memory.ParseKey("", s)
	if err != nil {
		return "", failure(api.Invalid, err.Error(), "mum memory rooms")
	}
	return key, nil
}

// narrow adds the optional filters of a list.
func (d *Daemon) narrow(f store.MemoryFilter, q url.Values) (store.MemoryFilter, error) {
	var err1, err2, err3 error
	f.AsOf, err1 = d.asOfParam(q.Get("as_of"))
	f.Key, err2 = keyParam(q.Get("key"))
	f.Room, err3 = keyParam(q.Get("room"))
	if f.Kind = q.Get("kind"); f.Kind != "" {
		return f, firstError(err1, err2, err3, checkKind(string(memory.Learning), f.Kind))
	}
	return f, firstError(err1, err2, err3)
}

// getHistory returns what was valid for a key, when, and who said so.
func (d *Daemon) getHistory(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "key", "project", "directory"); err != nil {
		return err
	}
	at, err1 := d.placeOf(c.Request().Context(), q.Get("project"), q.Get("directory"))
	key, err2 := keyParam(q.Get("key"))
	if err := firstError(err1, err2, need("key", key)); err != nil {
		return err
	}
	rows, err := d.db.Memories(c.Request().Context(),
		store.MemoryFilter{Projects: at.projects, Key: key, AnyState: true})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return failure(api.NotFound, fmt.Sprintf("no memory has the key %q", key), "mum memory rooms")
	}
	return c.JSON(http.StatusOK, api.History{Key: key, Spans: d.spans(rows)})
}

func (d *Daemon) spans(rows []store.MemoryRow) []api.HeldSpan {
	out := []api.HeldSpan{}
	for i := range rows {
		for _, t := range rows[i].Times() {
			s := api.HeldSpan{From: t.From, Memory: d.wireMemory(&rows[i])}
			if !t.To.IsZero() {
				s.To = &t.To
			}
			out = append(out, s)
		}
	}
	sorting.Stable(out, func(a, b api.HeldSpan) int {
		return cmp.Or(cmp.Compare(a.Memory.ProjectID, b.Memory.ProjectID), a.From.Compare(b.From),
			cmp.Compare(a.Memory.Entry, b.Memory.Entry))
	})
	return out
}

func (d *Daemon) getRooms(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory"); err != nil {
		return err
	}
	at, err := d.placeOf(c.Request().Context(), q.Get("project"), q.Get("directory"))
	if err != nil {
		return err
	}
	rows, err := d.db.Memories(c.Request().Context(), store.MemoryFilter{Projects: at.projects})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Rooms{Rooms: rooms(rows), Without: withoutKey(rows)})
}

func withoutKey(rows []store.MemoryRow) (n int) {
	for i := range rows {
		if rows[i].Key == "" {
			n++
		}
	}
	return n
}

// rooms counts active keys by their first segment.
func rooms(rows []store.MemoryRow) []api.Room {
	by := map[string][]string{}
	for i := range rows {
		if key := rows[i].Key; key != "" {
			by[memory.Room(key)] = append(by[memory.Room(key)], key)
		}
	}
	out := []api.Room{}
	for name, keys := range by {
		slices.Sort(keys)
		out = append(out, api.Room{Name: name, Memories: len(keys), Keys: slices.Compact(keys)})
	}
	sorting.Stable(out, func(a, b api.Room) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// getMemoryStatus returns the state of the memories of a place.
func (d *Daemon) getMemoryStatus(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err != nil {
		return err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Projects: at.projects, AnyState: true})
	if err != nil {
		return err
	}
	out := api.MemoryStatus{Capacity: d.o.Config.Memory.MaxActive, Kinds: map[string]int{},
		Stale: []api.StaleFile{}}
	var active []store.MemoryRow
	for i := range rows {
		switch m := &rows[i]; m.State {
		case store.MemoryActive:
			active = append(active, *m)
			out.Kinds[cmp.Or(m.Kind, m.Form)]++
		case store.MemoryArchived:
			out.Archived++
		default:
			out.Superseded++
		}
	}
	out.Active, out.Rooms, out.Without = len(active), rooms(active), withoutKey(active)
	tops, err := d.tops(ctx)
	if err != nil {
		return err
	}
	out.Duplicates, out.Stale = duplicates(active), stale(active, tops)
	if out.Links, err = d.linkProblems(ctx, at.project); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// duplicates returns pairs of active memories that mean the same; maintain merges them. It works on one tree at a time,
// and a tree of the team has no files.
func duplicates(active []store.MemoryRow) [][2]int64 {
	trees := map[int64][]memory.Memory{}
	for i := range active {
		if m := &active[i]; m.RootKind != store.RootTeam {
			trees[m.Root] = append(trees[m.Root], memory.Memory{ID: strconv.FormatInt(m.ID, 10), Title: m.Title,
				Primitive: memory.Primitive(m.Form), Kind: memory.Kind(m.Kind), Body: m.Body(), Tags: m.Tags(), Key: m.Key,
				Branch: m.Branch, Source: m.Origin, Pinned: m.Pinned})
		}
	}
	out := [][2]int64{}
	for _, root := range slices.Sorted(maps.Keys(trees)) {
		for _, p := range memory.Duplicates(trees[root]) {
			a, _ := strconv.ParseInt(p[0], 10, 64) // made above
			b, _ := strconv.ParseInt(p[1], 10, 64)
			out = append(out, [2]int64{a, b})
		}
	}
	return out
}

// stale returns the missing files that active memories mention.
func stale(active []store.MemoryRow, tops map[int64][]string) []api.StaleFile {
	out := []api.StaleFile{}
	for i := range active {
		m := &active[i]
		if len(tops[m.Project]) == 0 {
			continue
		}
		for _, file := range memory.FilesIn(m.Title + "\n" + m.Body()) {
			if gone(tops[m.Project], file) {
				out = append(out, api.StaleFile{Entry: m.ID, Title: m.Title, File: file})
			}
		}
	}
	return out
}

// tops returns the existing directories of projects.
func (d *Daemon) tops(ctx context.Context) (map[int64][]string, error) {
	all, err := d.projects(ctx)
	out := map[int64][]string{}
	for _, p := range all {
		for _, dir := range p.Directories {
			if isDir(dir) {
				out[p.ID] = append(out[p.ID], dir)
			}
		}
	}
	return out, err
}

// gone reports whether a file is in none of the directories.
func gone(dirs []string, file string) bool {
	return !slices.ContainsFunc(dirs, func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(file)))
		return err == nil
	})
}

// showAsOf returns the memory that was valid at a time in place of the current one.
func (d *Daemon) showAsOf(ctx context.Context, m store.MemoryRow, at time.Time) (store.MemoryRow, error) {
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: m.Root, AsOf: at})
	if err != nil {
		return m, err
	}
	same := func(o store.MemoryRow) bool { return o.ID == m.ID || m.Key != "" && o.Key == m.Key }
	if i := slices.IndexFunc(rows, same); i >= 0 {
		return rows[i], nil
	}
	if m.Key != "" {
		return m, failure(api.NotFound, "nothing was valid then for "+m.Key, "mum memory history "+m.Key)
	}
	return m, failure(api.NotFound, "it was not valid then", fmt.Sprintf("mum memory show %d says since when it is", m.ID))
}
