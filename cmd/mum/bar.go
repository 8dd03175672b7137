package main

import (
	"fmt"
	"io"
	"strings"

	"keepmum/api"
)

// bar is a line that shows the progress of a run on a terminal. Elsewhere it prints nothing.
type bar struct {
	out   io.Writer // nil = prints nothing
	shown bool
}

func (a *app) newBar(quiet bool) *bar {
	if quiet || !a.onTerminal(a.errs) {
		return &bar{}
	}
	return &bar{out: a.errs}
}

const barWidth = 30

func (b *bar) show(e api.RunEvent) {
	if b.out == nil || e.Total == 0 {
		return
	}
	full := barWidth * min(e.Done, e.Total) / e.Total
	if e.Size > 0 {
		full = int(barWidth * min(e.Bytes, e.Size) / e.Size)
	}
	fmt.Fprintf(b.out, "\r%-8s [%s%s] %d/%d ", e.Phase, strings.Repeat("=", full), strings.Repeat(" ", barWidth-full),
		e.Done, e.Total)
	b.shown = true
}

// clear removes the line, so that the next output begins at the left.
func (b *bar) clear() {
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
