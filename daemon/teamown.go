package daemon

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// ownWork is a set of the member's own memories from other machines that is written to files here.
type ownWork struct {
	in    []team.Incoming
	list  []int // indices into in
	found [][]privacy.Finding
	out   []team.Local
	note  func([]team.Local) error
}

// putOwn writes the member's own memories from other machines to files of this machine. It first records the file of
// each one, so that a process that was killed in between finds its own work again.
func (p *teamPlace) putOwn(ctx context.Context, project int64, w ownWork) error {
	if len(w.list) == 0 {
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
	refs := make([]string, len(w.in))
	fresh, of, err := p.sortOwn(ctx, project, w, refs)
	if err != nil {
		return err
	}
	if err := w.tell(refs); err != nil {
		return err
	}
	changed := map[int64]store.MemoryRoot{root.ID: root}
	if err := p.rewriteAll(ctx, w, changed); err != nil {
		return err
	}
	if err := p.receive(home, w, fresh, of, refs); err != nil {
		return err
	}
	for _, r := range changed {
		if err := p.d.written(ctx, r); err != nil {
			return err
		}
	}
	return p.readBack(ctx, refs, w.out)
}

// receive writes the memories that have no file yet, and fills in their refs.
func (p *teamPlace) receive(home memoryTree, w ownWork, fresh []memory.Received, of []int, refs []string) error {
	refused, err := home.Receive(fresh, func(ids []string) error {
		news := make([]string, len(w.in))
		for j, id := range ids {
			refs[of[j]] = memoryRef(home.root.ID, id)
			news[of[j]] = refs[of[j]]
		}
		return w.tell(news)
	})
	if err != nil {
		return memoryError(err)
	}
	for j, why := range refused {
		p.refuse(w.in[of[j]], why)
		refs[of[j]] = ""
	}
	return nil
}

// sortOwn returns the memories that have no file yet, and the index of each one's item. It fills in the refs of the
// others.
func (p *teamPlace) sortOwn(ctx context.Context, project int64, w ownWork,
	refs []string) (fresh []memory.Received, of []int, err error) {
	for _, i := range w.list {
		if err := p.d.db.RecordFindings(ctx, 0, project, w.found[i]); err != nil {
			return nil, nil, err
		}
		if refs[i] = w.in[i].Ref; refs[i] != "" {
			continue
		}
		buried, err := p.buried(ctx, project, w.in[i].Content)
		if err != nil {
			return nil, nil, err
		}
		if !buried {
			fresh, of = append(fresh, received(w.in[i], w.out[i].Content)), append(of, i)
		}
	}
	return fresh, of, nil
}

// rewriteAll writes newer versions to existing files.
func (p *teamPlace) rewriteAll(ctx context.Context, w ownWork, changed map[int64]store.MemoryRoot) error {
	for _, i := range w.list {
		if w.in[i].Ref == "" {
			continue
		}
		t, err := p.rewrite(ctx, w.in[i], w.out[i].Content)
		switch {
		case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrOutside), errors.Is(err, memory.ErrNotFound):
			p.refuse(w.in[i], err)
			continue
		case errors.Is(err, memory.ErrChanged):
			return errors.Join(p.d.written(ctx, t.root), team.ErrEdited)
		case err != nil:
			return err
		}
		changed[t.root.ID] = t.root
	}
	return nil
}

// refuse names a version that cannot be written here. The others go on.
func (p *teamPlace) refuse(in team.Incoming, why error) {
	p.d.log.Warn("a version of a memory from another machine cannot be written here", "item", uuid.UUID(in.ID).String(),
		"machine", in.Machine.String(), "error", why)
}

// tell records the ref of each memory before it is written.
func (w ownWork) tell(refs []string) error {
	list := make([]team.Local, len(refs))
	some := false
	for i, ref := range refs {
		if ref != "" {
			list[i], some = team.Local{Ref: ref, Kind: w.out[i].Kind, Content: w.out[i].Content}, true
		}
	}
	if !some {
		return nil
	}
	return w.note(list)
}

// buried reports whether a memory was forgotten here after it was made.
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

// rewrite writes a newer version to an existing file. It returns [memory.ErrChanged] if someone has edited the file:
// the team does not know that version yet.
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
	if err := p.isKnown(ctx, t, m, in.Ref); err != nil {
		return t, err
	}
	by := memory.Stamp{Now: time.UnixMilli(c.Updated).UTC(), By: privacy.Const("team")}
	key := c.Key.String()
	edit := memory.Edit{Title: &c.Title, Body: &c.Body, Tags: &c.Tags, Confidence: &c.Confidence}
	if key != m.Key {
		edit.Key = &key
	}
	if kind := memory.Kind(c.Kind.String()); m.Primitive == memory.Learning && kind != m.Kind && kind.Known() {
		edit.Kind = &kind
	}
	now, err := t.Edit(m, edit, by)
	if errors.Is(err, memory.ErrInvalid) && edit.Key != nil { // another memory here has the key
		edit.Key = nil
		now, err = t.Edit(m, edit, by)
	}
	if m = now; err != nil {
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

// isKnown compares the file of a memory with the index, and the index with what the round saw: an edit may have been
// indexed since.
func (p *teamPlace) isKnown(ctx context.Context, t memoryTree, m memory.Memory, ref string) error {
	f := indexFile(t, m)
	rows, err := p.d.db.Memories(ctx, store.MemoryFilter{Root: t.root.ID, Name: f.Name.String(), AnyState: true})
	if err != nil {
		return err
	}
	if len(rows) != 1 || !sameRaw(rawOfFile(f), rawOf(&rows[0])) || p.isNew(&rows[0], ref) {
		return fmt.Errorf("%s: %w", t.Shown(m.Path), memory.ErrChanged)
	}
	return nil
}

func sameRaw(a, b team.Raw) bool {
	tags := slices.Equal(a.Tags, b.Tags)
	a.Tags, b.Tags = nil, nil
	return tags && reflect.DeepEqual(a, b)
}

func rawOfFile(f store.MemoryFile) team.Raw {
	out := team.Raw{Form: f.Form.String(), Kind: f.Kind.String(), Title: f.Title.String(), Body: f.Body.String(),
		Key: f.Key.String(), State: string(f.State), Confidence: f.Confidence, Created: f.Created.UnixMilli(),
		Updated: f.Updated.UnixMilli()}
	for _, t := range f.Tags {
		out.Tags = append(out.Tags, t.String())
	}
	return out
}

// readBack reports how each memory is stored now.
func (p *teamPlace) readBack(ctx context.Context, refs []string, out []team.Local) error {
	for i, ref := range refs {
		root, name, ok := splitRef(ref)
		if !ok {
			continue // from others, or not wanted
		}
		rows, err := p.d.db.Memories(ctx, store.MemoryFilter{Root: root, Name: name, AnyState: true})
		if err != nil {
			return err
		}
		if len(rows) != 1 {
			return errors.New("a received memory is not in the index")
		}
		content, _ := p.clean(rawOf(&rows[0]))
		out[i] = team.Local{Ref: ref, Kind: privacy.Const(team.KindMemory), Content: content}
		p.wrote(&rows[0], ref)
	}
	return nil
}
