package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// output is a standard stream that remembers whether writing to it failed: on a full disk, say.
type output struct {
	*os.File
	err error
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// unwritten returns why a command's output is incomplete. A reader that closed its end has read enough.
func (a *app) unwritten() error {
	o, ok := a.out.(*output)
	if !ok || o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return hinted(fmt.Errorf("the output is incomplete: %w", o.err), "send it somewhere else")
}

// terminalOf returns the terminal that a stream leads to.
func terminalOf(w any) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		w = o.File
	}
	f, ok := w.(*os.File)
	return f, ok && isTerminal(f)
}
