// Package patience looks at files that may not answer, and is not held up by them.
package patience

import (
	"io"
	"os"
	"time"
)

// Patience runs look-ups in the file system that may hang (a dead network
// mount) without making the caller wait for longer than it has patience.
// A look-up that hangs keeps its slot; when all are taken, the next ones are
// refused at once, so that they cannot pile up.
type Patience struct {
	slots chan struct{}
	wait  time.Duration
}

// New has patience for a quarter of a second, and for eight look-ups that hang.
func New() *Patience { return &Patience{make(chan struct{}, 8), 250 * time.Millisecond} }

// Try reports whether look came back in time. What look writes may be read
// only then.
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

// ReadStart reads at most size bytes of a regular file: a pipe would block.
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
