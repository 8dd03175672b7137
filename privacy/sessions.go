package privacy

import "container/list"

// maxSessions is how many are remembered at once; the least recently used goes first.
const maxSessions = 256

// sessions keeps something per session, for a bounded number of them.
type sessions[T any] struct {
	make  func() *T
	order *list.List // of *sessionEntry[T], the latest in front
	byID  map[string]*list.Element
}

type sessionEntry[T any] struct {
	id    string
	value *T
}

func newSessions[T any](make func() *T) *sessions[T] {
	return &sessions[T]{make: make, order: list.New(), byID: map[string]*list.Element{}}
}

// get returns what is kept for a session, nil when there is nothing.
func (s *sessions[T]) get(id string) *T {
	e := s.byID[id]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*sessionEntry[T]).value
}

// peek is get without the note that the session was used, for readers that
// share a lock.
func (s *sessions[T]) peek(id string) *T {
	if e := s.byID[id]; e != nil {
		return e.Value.(*sessionEntry[T]).value
	}
	return nil
}

// need returns what is kept for a session, making it when there is nothing.
func (s *sessions[T]) need(id string) *T {
	if v := s.get(id); v != nil {
		return v
	}
	if s.order.Len() >= maxSessions {
		last := s.order.Back()
		delete(s.byID, last.Value.(*sessionEntry[T]).id)
		s.order.Remove(last)
	}
	entry := &sessionEntry[T]{id, s.make()}
	s.byID[id] = s.order.PushFront(entry)
	return entry.value
}

// size is how many sessions there are.
func (s *sessions[T]) size() int { return s.order.Len() }
