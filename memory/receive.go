package memory

import (
	"path"
	"strings"
)

// Received is a memory of the same user from another machine.
type Received struct {
	Candidate
	By       Stamp // when and by whom it was made there
	Archived bool  // it is out of use
}

// Receive writes memories that were made elsewhere, in the same order. What a file says
// already in the same state is that file: doing it twice adds nothing. Note learns the id that
// each will have before anything is written.
func (t *Tree) Receive(list []Received, note func(ids []string) error) (out []Memory, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	err = t.locked(func() error {
		l, err := t.loadMemories()
		if err != nil {
			return err
		}
		r := receiving{tree: t, there: map[string]Memory{}, taken: map[string]bool{}, fresh: map[string]bool{}}
		for _, m := range l.Memories() {
			r.there[saying(m)] = m
		}
		for _, id := range l.ids() {
			r.taken[id] = true
		}
		out, err = r.write(list, note)
		return err
	})
	return out, err
}

type receiving struct {
	tree  *Tree
	there map[string]Memory // by what they say
	taken map[string]bool   // ids
	fresh map[string]bool   // ids of what is to be written
}

func (r *receiving) write(list []Received, note func(ids []string) error) ([]Memory, error) {
	out, ids := make([]Memory, len(list)), make([]string, len(list))
	for i, in := range list {
		m, err := r.place(in)
		if err != nil {
			return nil, err
		}
		out[i], ids[i] = m, m.ID
	}
	if err := note(ids); err != nil {
		return nil, err
	}
	for i, m := range out {
		if !r.fresh[m.ID] {
			continue
		}
		delete(r.fresh, m.ID) // the same words twice are one file
		var err error
		if out[i], err = r.tree.put(m, newDocument(), list[i].By); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// saying is by what a memory is recognised: its words, and whether it is in use.
func saying(m Memory) string {
	state := "active"
	if m.Archived {
		state = "archived"
	}
	return strings.Join([]string{state, string(m.Primitive), normal(m.Title + "\n" + m.Body)}, " ")
}

// place gives something that came in an id and a path, or is the memory that says the same.
func (r *receiving) place(in Received) (Memory, error) {
	m := newMemory(in.Candidate)
	m.Archived = in.Archived
	if same, ok := r.there[saying(m)]; ok {
		return same, nil
	}
	said := saying(m)
	m, err := r.tree.nameApart(m, in.By, func(id string) bool { return r.taken[id] })
	if err != nil {
		return Memory{}, err
	}
	if in.Archived {
		m.end(in.By.Now)
		m.Path = path.Join(archiveDir, m.Path)
	}
	r.taken[m.ID], r.fresh[m.ID], r.there[said] = true, true, m
	return m, nil
}
