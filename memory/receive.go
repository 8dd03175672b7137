package memory

import "strings"

// Received is a memory of the same user from another machine.
type Received struct {
	Candidate
	By       Stamp // when and by whom it was made there
	Archived bool  // it is out of use
}

// Receive writes memories that were made elsewhere, in the same order. What a file says
// already in the same state is that file: doing it twice adds nothing.
func (t *Tree) Receive(list []Received) (out []Memory, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	out = make([]Memory, len(list))
	err = t.locked(func() error {
		l, err := t.loadMemories()
		if err != nil {
			return err
		}
		there := map[string]Memory{}
		for _, m := range l.Memories() {
			there[saying(m)] = m
		}
		taken := map[string]bool{}
		for _, id := range l.ids() {
			taken[id] = true
		}
		for i, r := range list {
			m := newMemory(r.Candidate)
			m.Archived = r.Archived
			if same, ok := there[saying(m)]; ok {
				out[i] = same
				continue
			}
			if out[i], err = t.receive(m, r, taken); err != nil {
				return err
			}
			there[saying(out[i])] = out[i]
		}
		return nil
	})
	return out, err
}

// saying is by what a memory is recognised: its words, and whether it is in use.
func saying(m Memory) string {
	state := "active"
	if m.Archived {
		state = "archived"
	}
	return strings.Join([]string{state, string(m.Primitive), normal(m.Title + "\n" + m.Body)}, " ")
}

func (t *Tree) receive(m Memory, r Received, taken map[string]bool) (Memory, error) {
	archived := m.Archived
	m.Archived = false
	m, err := t.nameApart(m, r.By, func(id string) bool { return taken[id] })
	if err != nil {
		return Memory{}, err
	}
	if archived {
		m.end(r.By.Now)
	}
	taken[m.ID] = true
	out, err := t.put(m, newDocument(), r.By)
	if err == nil && archived {
		out, err = t.move(out, true)
	}
	return out, err
}
