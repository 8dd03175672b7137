package daemon

import (
	"net"
	"net/http"
	"sync"
)

// conns keeps room for those who have something to say: a process may have few files
// open at once, and clients that are silent would use them up. Of those that wait the oldest
// is closed first.
type conns struct {
	max int

	mu      sync.Mutex
	open    map[net.Conn]bool
	waiting map[net.Conn]int // since which event
	events  int
}

func newConns(most int) *conns {
	return &conns{max: most, open: map[net.Conn]bool{}, waiting: map[net.Conn]int{}}
}

// state is told of each change by the server.
func (c *conns) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events++
	switch s {
	case http.StateNew, http.StateIdle:
		c.open[conn], c.waiting[conn] = true, c.events
		if len(c.open) > c.max {
			c.closeOldest(conn)
		}
	case http.StateActive:
		delete(c.waiting, conn)
	case http.StateClosed, http.StateHijacked:
		delete(c.waiting, conn)
		delete(c.open, conn)
	}
}

func (c *conns) closeOldest(but net.Conn) {
	var oldest net.Conn
	for conn, since := range c.waiting {
		if conn != but && (oldest == nil || since < c.waiting[oldest]) {
			oldest = conn
		}
	}
	if oldest != nil {
		delete(c.waiting, oldest)
		delete(c.open, oldest)
		_ = oldest.Close()
	}
}

// The connections that a daemon keeps: what the limit of open files leaves beside the
// database, its readers and the log, but never fewer than a few, nor more than help.
const (
	filesOfOurs = 44
	fewConns    = 8
	manyConns   = 512
)

func maxConns(files uint64) int {
	return int(min(max(files, filesOfOurs+fewConns)-filesOfOurs, manyConns))
}
