package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"keepmum/daemon"
	"keepmum/home"
	"keepmum/transcript"
)

func newServeCmd(a *app) *cobra.Command {
	var port int
	var mark string
	cmd := &cobra.Command{
		Use: "serve", Short: "Run the daemon in the foreground", Args: cobra.NoArgs,
		Long: "Run the daemon in the foreground until it is interrupted. A service manager runs this; by hand, `mum up` " +
			"is what you want.",
		Example: "  mum serve\n  mum serve --port 0",
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags := map[string]any{}
			if cmd.Flags().Changed("port") {
				flags["daemon.port"] = port
			}
			return a.serveHere(cmd.Context(), mark, flags)
		},
	}
	cmd.Flags().IntVar(&port, "port", 38741, "TCP port on 127.0.0.1; 0 takes any free one")
	cmd.Flags().StringVar(&mark, "start", "", "identifies this start")
	_ = cmd.Flags().MarkHidden("start") // the flag exists
	return cmd
}

func (a *app) serveHere(ctx context.Context, mark string, flags map[string]any) error {
	dir, c, err := a.load(flags)
	if err != nil {
		return err
	}
	if !stillWanted(dir, mark) {
		return nil
	}
	if err := enoughFiles(); err != nil {
		return err
	}
	if _, err := home.Prepare(dir); err != nil {
		return err
	}
	file, err := openLog(dir)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the mum program: %w", err)
	}
	percent := debug.SetGCPercent(-1) // nothing that the start allocates is garbage
	d := daemon.New(daemon.Options{
		Settled: func() { debug.SetGCPercent(percent) },
		Home:    dir, Wanted: func() bool { return stillWanted(dir, mark) }, Config: c, Program: self, UserHome: a.userHome,
		Env: a.environ, Version: version(), OpenAIKey: a.getenv("MUM_OPENAI_KEY"),
		Examine: a.examineInside(dir, c), Mend: a.mendInside(dir, c),
		Transcripts: transcript.DefaultRoots(a.userHome, runtime.GOOS, a.getenv),
		Logger: slog.New(slog.NewJSONHandler(a.logTarget(file),
			&slog.HandlerOptions{Level: logLevel(c.Daemon.LogLevel)})),
	})
	err = d.Run(ctx)
	if errors.Is(err, daemon.ErrReplaced) {
		return again(self)
	}
	return err
}

// logTarget returns a writer to the file, and also to the terminal if someone reads it.
func (a *app) logTarget(file io.Writer) io.Writer {
	if a.onTerminal(a.errs) {
		return io.MultiWriter(file, a.errs)
	}
	return file
}

func logLevel(name string) slog.Level {
	var level slog.Level
	_ = level.UnmarshalText([]byte(name)) // config has checked the name
	return level
}
