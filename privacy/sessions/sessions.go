// Package sessions keeps something per session of an agent, for a bounded number of
// them. It is not safe for concurrent use.
package sessions

import "container/list"

// Max is how many sessions are remembered at once; the least recently used goes first.
const Max = 256

// Map keeps something per session, for a bounded number of them.
type Map[T any] struct {
	make  func() *T
	order *list.List // of *kept[T], the latest in front
	byID  map[string]*list.Element
}

type kept[T any] struct {
	id    string
	value *T
}

// New makes a map; make makes what is kept of a session that is not known yet.
func New[T any](make func() *T) *Map[T] {
	return &Map[T]{make: make, order: list.New(), byID: map[string]*list.Element{}}
}

// Get returns what is kept for a session, nil when there is nothing.
func (s *Map[T]) Get(id string) *T {
	e := s.byID[id]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*kept[T]).value
}

// Peek is Get without the note that the session was used, for readers that
// share a lock.
func (s *Map[T]) Peek(id string) *T {
	if e := s.byID[id]; e != nil {
		return e.Value.(*kept[T]).value
	}
	return nil
}

// Need returns what is kept for a session, making it when there is nothing.
func (s *Map[T]) Need(id string) *T {
	if v := s.Get(id); v != nil {
		return v
	}
	if s.order.Len() >= Max {
		last := s.order.Back()
		delete(s.byID, last.Value.(*kept[T]).id)
		s.order.Remove(last)
	}
	entry := &kept[T]{id, s.make()}
	s.byID[id] = s.order.PushFront(entry)
	return entry.value
}

// Len is how many sessions there are.
func (s *Map[T]) Len() int { return s.order.Len() }
