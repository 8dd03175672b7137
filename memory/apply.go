package memory

import (
	"errors"
	"fmt"
	"time"
)

// Applied is the result of a plan.
type Applied struct {
	Done []Step `json:"done"`
	// the file was changed meanwhile, or cannot be written as it is; the next run handles it
	Skipped []Step   `json:"skipped"`
	Paths   []string `json:"paths"` // files written, relative to the root
}

// Apply carries out a plan that was made from a listing. It can be interrupted at any step and run again.
func Apply(t *Tree, l Listing, p Plan, by Stamp) (Applied, error) {
	a := applying{tree: t, by: by, now: map[string]Memory{},
		out: Applied{Done: []Step{}, Skipped: []Step{}, Paths: []string{}}}
	for _, m := range l.Memories() {
		a.now[m.ID] = m
	}
	for _, s := range p.Steps {
		err := t.locked(func() error { return a.step(s) })
		switch {
		case errors.Is(err, ErrChanged), errors.Is(err, ErrNotFound), errors.Is(err, ErrInvalid):
			a.out.Skipped = append(a.out.Skipped, s)
		case err != nil:
			return a.out, fmt.Errorf("%s %s: %w", s.Action, s.Source, err)
		default:
			a.out.Done = append(a.out.Done, s)
		}
	}
	return a.out, nil
}

// applying is the state of a plan being carried out.
type applying struct {
	tree *Tree
	by   Stamp
	now  map[string]Memory // the memories as last read or written
	out  Applied
}

// step carries out one step.
func (a *applying) step(s Step) error {
	m, ok := a.now[s.Source]
	if !ok {
		return ErrNotFound
	}
	switch s.Action {
	case OpRestore:
		m, err := a.tree.rewrite(m, a.by, func(m *Memory) { m.SupersededBy, m.ValidTo = "", time.Time{} })
		if err == nil {
			a.wrote(m)
		}
		return err
	case OpMerge:
		if err := a.merge(s.Target, m); err != nil {
			return err
		}
	}
	gone, err := a.tree.rewrite(m, a.by, func(m *Memory) {
		if s.Target != "" {
			m.SupersededBy = s.Target
		}
		if s.Reason == OtherValue {
			m.end(later(a.now[s.Target].since(), m.since()))
		}
	})
	if err != nil {
		return err
	}
	if gone, err = a.tree.move(gone, true); err != nil {
		return err
	}
	a.wrote(gone)
	return nil
}

// merge writes the memory that absorbs another one before that one is archived, so that an interrupted run loses
// nothing.
func (a *applying) merge(target string, from Memory) error {
	into, ok := a.now[target]
	if !ok {
		return ErrNotFound
	}
	if _, _, err := a.tree.current(from); err != nil {
		return err
	}
	into, err := a.tree.rewrite(into, a.by, func(m *Memory) { m.merge(from) })
	if err != nil {
		return err
	}
	a.wrote(into)
	return nil
}

// wrote notes a memory that was written.
func (a *applying) wrote(m Memory) {
	a.now[m.ID] = m
	a.out.Paths = append(a.out.Paths, m.Path)
}
