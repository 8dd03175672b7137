package memory

import (
	"errors"
	"path"
	"strings"
)

// Received is a memory of the same user from another machine.
type Received struct {
	Candidate
	By       Stamp // when and by whom it was written there
	Archived bool  // it is out of use
}

// Receive writes memories that come from another machine. If a file already says the same in the same state, nothing is
// written, so receiving twice adds nothing. Before anything is written, note gets the ids that the memories will have.
// It returns why some cannot be memories here, by their index.
func (t *Tree) Receive(list []Received, note func(ids []string) error) (refused map[int]error, err error) {
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
		refused, err = r.write(list, note)
		return err
	})
	return refused, err
}

// receiving is the state of a reception.
type receiving struct {
	tree  *Tree
	there map[string]Memory // by content
	taken map[string]bool   // ids
	fresh map[string]bool   // ids to be written
}

func (r *receiving) write(list []Received, note func(ids []string) error) (map[int]error, error) {
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
	refused := map[int]error{}
	for i, m := range out {
		if !r.fresh[m.ID] {
			continue
		}
		delete(r.fresh, m.ID) // the same words twice become one file
		switch _, err := r.tree.put(m, newDocument(), list[i].By); {
		case errors.Is(err, ErrInvalid):
			refused[i] = err
		case err != nil:
			return nil, err
		}
	}
	return refused, nil
}

// saying returns what a memory is recognised by: its words, and whether it is active.
func saying(m Memory) string {
	state := "active"
	if m.Archived {
		state = "archived"
	}
	return strings.Join([]string{state, string(m.Primitive), normal(m.Title + "\n" + m.Body)}, " ")
}

// place gives a received memory an id and a path, or returns the one that says the same.
func (r *receiving) place(in Received) (Memory, error) {
	m := newMemory(in.Candidate)
	m.Archived = in.Archived
	if m.Primitive != Decision { // a newer mum may know others
		m.Primitive = Learning
	}
	if m.Primitive == Decision || !m.Kind.Known() {
		m.Kind = ""
	}
	if same, ok := r.there[saying(m)]; ok {
		return same, nil
	}
	said := saying(m)
	m, err := r.tree.nameAmong(m, in.By, func(id string) bool { return r.taken[id] })
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
