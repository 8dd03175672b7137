// Package patience looks things up in a file system that may not answer, without being blocked by it.
package patience

import (
	"io"
	"os"
	"time"
)

// Patience runs file-system lookups that may hang (on a dead network mount) without making the caller wait longer than
// its limit. A hanging lookup keeps its slot; when all slots are taken, further ones are refused at once, so that they
// cannot pile up.
type Patience struct {
	slots chan struct{}
	wait  time.Duration
}

// New returns a Patience that waits for a quarter of a second and allows eight hanging lookups.
func New() *Patience { return &Patience{make(chan struct{}, 8), 250 * time.Millisecond} }

// Try reports whether look returned in time. Only then may the caller read what look wrote.
func (p *Patience) Try(look func()) bool {
	select {
	case p.slots <- struct{}{}:
	default:
		return false
	}
	done := make(chan struct{})
	go func() {
		defer func() { <-p.slots; close(done) }()
		look()
	}()
	timer := time.NewTimer(p.wait)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// ReadStart reads at most size bytes of a regular file; it refuses others, because a pipe would block.
func ReadStart(file string, size int64) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, size))
	return string(text)
}
