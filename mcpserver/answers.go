package mcpserver

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client until it closes its end and has an answer to everything that it asked.
func Run(ctx context.Context, o Options, t mcp.Transport) error {
	return New(o).Run(ctx, answering{t, o.Clean})
}

// answering is a transport whose input ends only when every call was answered. In the library, the end of the input
// cancels the calls that are being answered; but a client may write its questions, close the pipe, and then read.
// Errors are redacted here, because the library makes some of them before any middleware runs.
type answering struct {
	mcp.Transport
	clean func(string) string
}

func (t answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	a := &answers{Connection: c, clean: t.clean, open: map[jsonrpc.ID]bool{}}
	a.changed.L = &a.mu
	return a, nil
}

// answers knows which calls have no answer yet.
type answers struct {
	mcp.Connection
	clean   func(string) string
	mu      sync.Mutex
	changed sync.Cond
	open    map[jsonrpc.ID]bool
	writing int  // a client may use an id again before the write of its answer returns
	broken  bool // no more answers can be written
}

func (a *answers) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := a.Connection.Read(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		a.open[r.ID] = true
	}
	for err != nil && !a.broken && len(a.open)+a.writing > 0 {
		a.changed.Wait()
	}
	return m, err
}

func (a *answers) Write(ctx context.Context, m jsonrpc.Message) error {
	r, answer := m.(*jsonrpc.Response)
	if answer && r.Error != nil && a.clean != nil {
		r.Error = a.quiet(r.Error)
	}
	a.mu.Lock()
	a.writing++
	if answer {
		delete(a.open, r.ID)
	}
	a.mu.Unlock()
	err := a.Connection.Write(ctx, m)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writing--
	a.broken = a.broken || err != nil
	a.changed.Broadcast()
	return err
}

func (a *answers) Close() error {
	a.mu.Lock()
	a.broken = true
	a.changed.Broadcast()
	a.mu.Unlock()
	return a.Connection.Close()
}

// quiet redacts an error, whose data may repeat an argument, too.
func (a *answers) quiet(err error) error {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return errors.New(a.clean(unquoted(err.Error())))
	}
	return &jsonrpc.Error{Code: wire.Code, Message: a.clean(unquoted(wire.Message))}
}

// unquoted removes from an error what could not be parsed. The library quotes a part of it, which the gate may not
// recognise.
func unquoted(text string) string {
	text, _, _ = strings.Cut(text, ": unmarshaling ")
	return text
}
