package denylist

import (
	"strings"
	"sync"

	"keepmum/privacy/sessions"
)

const maxCopies = 256 // per session

// copies remembers per session what shows withheld contents: files, "task ID", "terminal PROGRAM".
type copies struct {
	mu   sync.Mutex
	byID *sessions.Map[map[string]bool]
}

func newCopies() *copies {
	return &copies{byID: sessions.New(func() *map[string]bool { return &map[string]bool{} })}
}

func (c *copies) add(session, file string) {
	if session == "" || strings.HasPrefix(file, "/dev/") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if files := *c.byID.Need(session); len(files) < maxCopies {
		files[file] = true
	}
}

// has reports whether file, or a directory it is in, is such a copy.
func (c *copies) has(session, file string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := c.byID.Get(session)
	return files != nil && within(*files, file)
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
