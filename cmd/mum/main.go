// Command mum is keepmum: a memory for coding agents that keeps secrets.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run())
}

// run is the only place that reads the environment and the real standard streams.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	userHome, _ := os.UserHomeDir()
	a := &app{
		in: os.Stdin, out: os.Stdout, errs: os.Stderr,
		environ: os.Environ(), getenv: os.Getenv, userHome: userHome, args: os.Args[1:],
	}
	return a.main(ctx)
}
