package memory

import (
	"path"
	"slices"
	"time"
)

// refresh merges a memory into the same one here, which was changed elsewhere: the later text wins. What only the
// earlier one says, which may be an edit by hand without a date, is kept in the archive.
func (in *importing) refresh(rel string, old, m Memory, said string) error {
	if !m.Updated.After(old.Updated) || old.Archived != m.Archived {
		in.out.Same = append(in.out.Same, rel)
		return nil
	}
	if now := profileOf(m).all; !saysAll(now, old.Title) || !saysAll(now, old.Body) {
		if err := in.keep(old, m.since()); err != nil {
			return err
		}
	}
	out, err := in.tree.rewrite(old, in.by, func(now *Memory) {
		now.Title, now.Body = m.Title, m.Body
		now.absorb(m)
	})
	if err != nil {
		return err
	}
	in.said[said], in.byID[out.ID] = out.ID, out
	if at := questionOf(out); in.keys[at].ID == out.ID {
		in.keys[at] = out
	}
	in.out.Added = append(in.out.Added, out)
	return nil
}

// keep archives a copy of a memory that is about to be replaced in place.
func (in *importing) keep(old Memory, end time.Time) error {
	was := old
	was.Archived, was.SupersededBy, was.ValidTo, was.Hash = true, old.ID, later(end, old.since()), ""
	was.ID = hashed(Slug(old.Title), old.ID, old.Hash)
	if slices.Contains(in.ids, was.ID) { // an earlier import kept it
		return nil
	}
	was.Path = path.Join(archiveDir, was.Primitive.dir(), was.Created.Format("20060102")+"-"+was.ID+".md")
	if _, err := in.tree.put(was, newDocument(), in.by); err != nil {
		return err
	}
	in.ids = append(in.ids, was.ID)
	return nil
}
