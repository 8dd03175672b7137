package daemon

import (
	"context"
	"errors"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// putOwn writes the member's own memories of other machines into the files of this one.
func (p *teamPlace) putOwn(ctx context.Context, project int64, in []team.Incoming, list []int, out []team.Local) error {
	if len(list) == 0 {
		return nil
	}
	root, err := p.d.rootOf(ctx, project)
	if err != nil {
		return err
	}
	home, err := p.d.openTree(root)
	if err != nil {
		return err
	}
	changed := map[int64]store.MemoryRoot{root.ID: root}
	names := make([]string, len(in))
	var fresh []memory.Received
	var of []int
	for _, i := range list {
		content, found := p.clean(in[i].Content)
		if err := p.d.db.RecordFindings(ctx, 0, project, found); err != nil {
			return err
		}
		if in[i].Ref == "" {
			if buried, err := p.buried(ctx, project, in[i].Content); err != nil || buried {
				if err != nil {
					return err
				}
				continue
			}
			fresh, of = append(fresh, received(in[i], content)), append(of, i)
			continue
		}
		t, err := p.rewrite(ctx, in[i], content)
		if err != nil {
			return err
		}
		changed[t.root.ID], names[i] = t.root, in[i].Ref
	}
	added, err := home.Receive(fresh)
	if err != nil {
		return memoryError(err)
	}
	for j, m := range added {
		names[of[j]] = memoryRef(root.ID, m.ID)
	}
	for _, r := range changed {
		if err := p.d.written(ctx, r); err != nil {
			return err
		}
	}
	return p.readBack(ctx, names, out)
}

// buried says that a memory was forgotten here after it was made.
func (p *teamPlace) buried(ctx context.Context, project int64, r team.Raw) (bool, error) {
	return p.d.db.Tombstoned(ctx, store.MemoryMark{Project: project, Title: r.Title, Body: r.Body},
		time.UnixMilli(r.Created))
}

func received(in team.Incoming, c team.Content) memory.Received {
	at := time.UnixMilli(max(c.Created, 1)).UTC()
	return memory.Received{
		Candidate: memory.Candidate{Primitive: memory.Primitive(c.Form.String()), Kind: memory.Kind(c.Kind.String()),
			Title: c.Title, Body: c.Body, Confidence: c.Confidence, Tags: c.Tags, Key: c.Key.String(), At: at},
		By:       memory.Stamp{Now: at, By: privacy.Join("/", privacy.Const("team"), in.Author, in.Machine)},
		Archived: in.Conflict || c.State.String() != string(store.MemoryActive),
	}
}

// rewrite puts a newer version into the file that is there.
func (p *teamPlace) rewrite(ctx context.Context, in team.Incoming, c team.Content) (memoryTree, error) {
	root, name, _ := splitRef(in.Ref)
	t, err := p.d.findTree(ctx, root)
	if err != nil {
		return t, err
	}
	m, err := t.Get(name)
	if err != nil {
		return t, err
	}
	by := memory.Stamp{Now: time.UnixMilli(c.Updated).UTC(), By: privacy.Const("team")}
	key := c.Key.String()
	edit := memory.Edit{Title: &c.Title, Body: &c.Body, Tags: &c.Tags, Confidence: &c.Confidence}
	if key != m.Key {
		edit.Key = &key
	}
	if kind := memory.Kind(c.Kind.String()); m.Primitive == memory.Learning && kind != m.Kind {
		edit.Kind = &kind
	}
	if m, err = t.Edit(m, edit, by); err != nil {
		return t, err
	}
	switch active := c.State.String() == string(store.MemoryActive); {
	case active && m.Archived:
		_, err = t.Restore(m, by)
	case !active && !m.Archived:
		_, err = t.Archive(m, by)
	}
	return t, err
}

// readBack says as what each memory is kept now.
func (p *teamPlace) readBack(ctx context.Context, refs []string, out []team.Local) error {
	for i, ref := range refs {
		root, name, ok := splitRef(ref)
		if !ok {
			continue
		}
		rows, err := p.d.db.Memories(ctx, store.MemoryFilter{Root: root, Name: name, AnyState: true})
		if err != nil {
			return err
		}
		if len(rows) != 1 {
			return errors.New("a memory that came in is not in the index")
		}
		content, _ := p.clean(rawOf(&rows[0]))
		out[i] = team.Local{Ref: ref, Kind: privacy.Const(team.KindMemory), Content: content}
	}
	return nil
}
