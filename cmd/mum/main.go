// Command mum is keepmum: a memory for coding agents that never stores your secrets.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run())
}

// run is the only function that reads the environment and uses the real standard streams.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	userHome, _ := os.UserHomeDir()
	in := io.Reader(os.Stdin)
	if isTerminal(os.Stdin) {
		in = typed{os.Stdin, ctx}
	}
	a := &app{
		in: in, out: &output{File: os.Stdout}, errs: os.Stderr,
		environ: os.Environ(), getenv: os.Getenv, userHome: userHome, args: os.Args[1:],
	}
	return a.main(ctx)
}
