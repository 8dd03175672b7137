package privacy

import (
	"container/list"
	"strings"
	"sync"
)

const (
	maxSessions = 256 // sessions remembered at once, the least recently used goes first
	maxCopies   = 256 // files per session
)

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

// copies remembers per session which files were given the content of a denied one.
type copies struct {
	mu   sync.Mutex
	byID *sessions[map[string]bool]
}

func newCopies() *copies {
	return &copies{byID: newSessions(func() *map[string]bool { return &map[string]bool{} })}
}

func (c *copies) add(session, file string) {
	if session == "" || strings.HasPrefix(file, "/dev/") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if files := *c.byID.need(session); len(files) < maxCopies {
		files[file] = true
	}
}

// any reports whether there is a copy in a session.
func (c *copies) any(session string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := c.byID.get(session)
	return files != nil && len(*files) > 0
}

// has reports whether file, or a directory it is in, is such a copy.
func (c *copies) has(session, file string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := c.byID.get(session)
	if session == "" || files == nil {
		return false
	}
	return within(*files, file)
}

// within reports whether a file, or a directory it is in, is in a set.
func within(files map[string]bool, file string) bool {
	for len(files) > 0 {
		if files[file] {
			return true
		}
		slash := strings.LastIndexByte(file, '/')
		if slash <= 0 {
			return false
		}
		file = file[:slash]
	}
	return false
}
