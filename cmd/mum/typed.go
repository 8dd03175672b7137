package main

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"
)

// typed is a terminal, or a pipe, that stops reading when the command is stopped: Ctrl-C is an answer to a question.
type typed struct {
	file *os.File
	ctx  context.Context
}

// Read implements [io.Reader]. What is read after the end of ctx is lost with the process.
func (t typed) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	buf := make([]byte, len(p))
	done := make(chan result, 1)
	go func() {
		n, err := t.file.Read(buf)
		done <- result{n, err}
	}()
	select {
	case <-t.ctx.Done():
		return 0, t.ctx.Err()
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	}
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// stdin returns what a child process reads from.
func stdin(in io.Reader) io.Reader {
	if t, ok := in.(typed); ok {
		return t.file
	}
	return in
}
