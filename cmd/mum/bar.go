package main

import (
	"fmt"
	"io"
	"strings"

	"keepmum/api"
)

// bar is one line on a terminal that says how far a run is. Elsewhere it says nothing.
type bar struct {
	out   io.Writer // nil = silent
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

// clear takes the line away, so that what comes next begins at the left.
func (b *bar) clear() {
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
