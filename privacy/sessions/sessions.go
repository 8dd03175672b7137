// Package sessions stores a value for each session of an agent, for a limited number of sessions. It is not safe for
// concurrent use.
package sessions

import "container/list"

// Max is how many sessions are remembered; the least recently used is dropped first.
const Max = 256

// Map stores a value for each session.
type Map[T any] struct {
	create func() *T
	order  *list.List // of *kept[T], most recently used first
	byID   map[string]*list.Element
}

type kept[T any] struct {
	id    string
	value *T
}

// New returns a map; create makes the value for a new session.
func New[T any](create func() *T) *Map[T] {
	return &Map[T]{create: create, order: list.New(), byID: map[string]*list.Element{}}
}

// Get returns the value of a session, nil if there is none.
func (s *Map[T]) Get(id string) *T {
	e := s.byID[id]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*kept[T]).value
}

// Peek is Get without marking the session as used, for readers that share a lock.
func (s *Map[T]) Peek(id string) *T {
	if e := s.byID[id]; e != nil {
		return e.Value.(*kept[T]).value
	}
	return nil
}

// Need returns the value of a session, and creates it if there is none.
func (s *Map[T]) Need(id string) *T {
	if v := s.Get(id); v != nil {
		return v
	}
	if s.order.Len() >= Max {
		last := s.order.Back()
		delete(s.byID, last.Value.(*kept[T]).id)
		s.order.Remove(last)
	}
	entry := &kept[T]{id, s.create()}
	s.byID[id] = s.order.PushFront(entry)
	return entry.value
}

// Len returns the number of sessions.
func (s *Map[T]) Len() int { return s.order.Len() }
