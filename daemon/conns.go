package daemon

import (
	"net"
	"net/http"
	"sync"
)

// conns limits open connections: a process may have few files open at once, and idle clients would use them up. Of the
// connections that wait for a request, it closes the oldest first.
type conns struct {
	max int

	mu      sync.Mutex
	open    map[net.Conn]bool
	waiting map[net.Conn]int // number of the event since which it waits
	events  int
}

func newConns(most int) *conns {
	return &conns{max: most, open: map[net.Conn]bool{}, waiting: map[net.Conn]int{}}
}

// state is called by the server for each change of a connection.
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

// closeWaiting closes all connections that wait for a request.
func (c *conns) closeWaiting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.waiting {
		_ = conn.Close()
	}
}

// Limits for connections: what the limit of open files leaves besides the database, its readers and the log, but at
// least a few and at most a sensible number.
const (
	reservedFiles = 44
	fewConns      = 8
	manyConns     = 512
)

func maxConns(files uint64) int {
	return int(min(max(files, reservedFiles+fewConns)-reservedFiles, manyConns))
}
