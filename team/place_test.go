package team

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// testPlace keeps memories in the index only.
type testPlace struct {
	db          *store.DB
	gate        *privacy.Gate
	project     int64
	own, theirs int64
	now         func() time.Time
	steps       int // number of steps until it is killed; 0 = never
	killed      bool
}

func (p *testPlace) root(t testing.TB, path string, kind store.RootKind, cloned bool) int64 {
	t.Helper()
	r, err := p.db.PutMemoryRoot(context.Background(), p.project, kind, p.word(path), cloned)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func (p *testPlace) word(s string) privacy.Clean {
	c, _ := p.gate.Text(s)
	return c
}

func (p *testPlace) rows(ctx context.Context, root int64) ([]store.MemoryRow, error) {
	return p.db.Memories(ctx, store.MemoryFilter{Root: root, AnyState: true})
}

func (p *testPlace) file(m store.MemoryRow) store.MemoryFile {
	return store.MemoryFile{Name: p.word(m.Name), Path: p.word(m.Path), Form: p.word(m.Form), Kind: p.word(m.Kind),
		State: m.State, Confidence: m.Confidence, Origin: p.word(m.Origin), Title: p.word(m.Title), Body: p.word(m.Body()),
		Created: time.UnixMilli(m.Created), Updated: time.UnixMilli(m.Updated)}
}

func (p *testPlace) content(m store.MemoryRow) Content {
	return Content{Form: p.word(m.Form), Kind: p.word(m.Kind), Title: p.word(m.Title),
		Body: p.word(m.Body()), State: p.word(string(m.State)), Confidence: m.Confidence, Created: m.Created,
		Updated: m.Updated}
}

func (p *testPlace) Items(ctx context.Context, _ int64) ([]Local, error) {
	rows, err := p.rows(ctx, p.own)
	var out []Local
	for _, m := range rows {
		out = append(out, Local{Ref: "m/" + m.Name, Kind: privacy.Const(KindMemory), Content: p.content(m)})
	}
	return out, err
}

func (p *testPlace) Shown(ctx context.Context, project int64) ([]Local, error) {
	return p.Items(ctx, project)
}

// change rewrites a tree: files by name, nil = removed.
func (p *testPlace) change(ctx context.Context, root int64, by map[string]*store.MemoryFile) error {
	if !slices.Contains(slices.Collect(maps.Values(by)), nil) { // nothing else changes
		var files []store.MemoryFile
		for _, f := range by {
			files = append(files, *f)
		}
		_, err := p.db.IndexMemories(ctx, root, files, store.IndexOptions{KeepMissing: true})
		return err
	}
	rows, err := p.rows(ctx, root)
	if err != nil {
		return err
	}
	var files []store.MemoryFile
	for _, m := range rows {
		if _, changed := by[m.Name]; !changed {
			files = append(files, p.file(m))
		}
	}
	for _, f := range by {
		if f != nil {
			files = append(files, *f)
		}
	}
	_, err = p.db.IndexMemories(ctx, root, files, store.IndexOptions{})
	return err
}

func (p *testPlace) Put(ctx context.Context, _ int64, in []Incoming, note func([]Local) error) ([]Local, error) {
	out := make([]Local, len(in))
	for i, x := range in {
		root, name, ref := p.theirs, idText(x.ID), "t/"+idText(x.ID)
		if x.Mine {
			root, name = p.own, strings.TrimPrefix(x.Ref, "m/")
			if name == "" {
				var err error
				if name, err = p.free(ctx, x); err != nil {
					return nil, err
				}
			}
			ref = "m/" + name
		}
		c := x.Content
		told := make([]Local, len(in))
		told[i] = Local{Ref: ref, Content: Content{Title: p.word(c.Title), Body: p.word(c.Body)}}
		if err := errors.Join(p.at(ctx), note(told), p.at(ctx)); err != nil {
			return nil, err
		}
		state := store.MemoryState(c.State)
		if x.Conflict {
			state = store.MemoryArchived
		}
		f := &store.MemoryFile{Name: p.word(name), Path: p.word("learnings/" + name + ".md"), Form: p.word(c.Form),
			Kind: p.word(c.Kind), State: state, Confidence: c.Confidence, Origin: p.word("team"), Title: p.word(c.Title),
			Body: p.word(c.Body), Created: time.UnixMilli(c.Created), Updated: time.UnixMilli(c.Updated)}
		if err := p.change(ctx, root, map[string]*store.MemoryFile{name: f}); err != nil {
			return nil, err
		}
		rows, err := p.db.Memories(ctx, store.MemoryFilter{Root: root, Name: name, AnyState: true})
		if err != nil {
			return nil, err
		}
		if len(rows) == 1 {
			out[i] = Local{Ref: ref, Kind: privacy.Const(KindMemory), Content: p.content(rows[0])}
		}
	}
	return out, p.at(ctx)
}

// at is a point where a process may be killed.
func (p *testPlace) at(ctx context.Context) error {
	if p.steps--; p.steps == 0 {
		p.killed = true
		return errKilled
	}
	return ctx.Err()
}

var errKilled = errors.New("killed")

// free returns the name under which something is stored: its own, if that is free.
func (p *testPlace) free(ctx context.Context, in Incoming) (string, error) {
	c := in.Content
	rows, err := p.rows(ctx, p.own)
	slug := strings.ReplaceAll(c.Title, " ", "-")
	name := slug
	for try := 0; ; try++ {
		at := slices.IndexFunc(rows, func(m store.MemoryRow) bool { return m.Name == name })
		if at < 0 || rows[at].Title == c.Title && rows[at].Body() == c.Body &&
			in.Conflict == (rows[at].State == store.MemoryArchived) {
			return name, err
		}
		name = fmt.Sprintf("%s-%d", slug, try+2)
	}
}

func (p *testPlace) Forget(ctx context.Context, _ int64, gone []Gone) error {
	own, theirs := map[string]*store.MemoryFile{}, map[string]*store.MemoryFile{}
	if err := p.at(ctx); err != nil {
		return err
	}
	for _, g := range gone {
		if name, ok := strings.CutPrefix(g.Ref, "m/"); ok {
			own[name] = nil
		}
		theirs[idText(g.ID)] = nil
	}
	if err := p.change(ctx, p.own, own); err != nil {
		return err
	}
	return errors.Join(p.at(ctx), p.change(ctx, p.theirs, theirs), p.at(ctx))
}

func (p *testPlace) Drop(ctx context.Context, _ int64) error {
	_, err := p.db.IndexMemories(ctx, p.theirs, nil, store.IndexOptions{})
	return err
}

func (p *testPlace) Silence(ctx context.Context, project int64, _ string) error {
	return p.Drop(ctx, project)
}

// fresh returns the n-th of many memories.
func (p *testPlace) fresh(n int) *store.MemoryFile {
	name := fmt.Sprintf("fact-%d", n)
	return &store.MemoryFile{Name: p.word(name), Path: p.word("learnings/" + name + ".md"),
		Form: privacy.Const("learning"), Kind: privacy.Const("fact"), State: store.MemoryActive, Confidence: 0.9,
		Origin: privacy.Const("cli"),
		Title:  p.word(fmt.Sprintf("fact %d", n)), Body: p.word(fmt.Sprintf("the number is %d", n)), Created: p.now(),
		Updated: p.now()}
}
