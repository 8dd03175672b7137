package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/home"
	"keepmum/legible"
	"keepmum/safefile"
)

// maxLog is the size at which a new log begins; one older file is kept.
const maxLog = 5 << 20

// logFile appends to the log, and begins a new one when the log has grown too large.
type logFile struct {
	path string
	file *os.File
	size int64
}

func openLog(dir home.Dir) (*logFile, error) {
	if err := os.MkdirAll(dir.Logs(), 0o700); err != nil {
		return nil, fmt.Errorf("make the log directory: %w", err)
	}
	l := &logFile{path: dir.Log()}
	return l, l.open()
}

func (l *logFile) open() error {
	f, err := safefile.OpenOwn(l.path, os.O_APPEND)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	l.file, l.size = f, info.Size()
	return nil
}

// Write appends one record; slog calls it under its own lock.
func (l *logFile) Write(p []byte) (int, error) {
	if l.size+int64(len(p)) > maxLog {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

func (l *logFile) turn() error {
	if err := errors.Join(l.file.Close(), os.Rename(l.path, l.path+".1")); err != nil {
		return err
	}
	return l.open()
}

// Close closes the file.
func (l *logFile) Close() error { return l.file.Close() }

func newLogsCmd(a *app) *cobra.Command {
	var lines int
	var follow, asJSON bool
	cmd := &cobra.Command{
		Use: "logs", Aliases: []string{"log"}, Short: "Show what the daemon wrote to its log", Args: cobra.NoArgs,
		Long: "Show the last records of the daemon's log. It contains ids, counts, paths and rule names, never " +
			"captured text.",
		Example: "  mum logs -n 20\n  mum logs --follow",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := a.home()
			if err != nil {
				return err
			}
			if lines < 0 {
				return usage(errors.New("--lines must be 0 or more"))
			}
			return a.runLogs(cmd.Context(), dir, lines, follow, asJSON)
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "number of records")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "keep printing new records")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the raw records")
	return cmd
}

func (a *app) runLogs(ctx context.Context, dir home.Dir, lines int, follow, asJSON bool) error {
	f, err := safefile.Open(dir.Log())
	if errors.Is(err, fs.ErrNotExist) {
		return hinted(errors.New("there is no log yet: the daemon has not run"), "mum up")
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReader(f)
	var last []string
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			break // an incomplete record is shown once it is complete
		}
		last = append(last, line)
		last = last[max(0, len(last)-lines):]
	}
	for _, line := range slices.Clip(last) {
		a.printRecord(line, asJSON)
	}
	if !follow {
		return nil
	}
	return a.follow(ctx, r, asJSON)
}

func (a *app) follow(ctx context.Context, r *bufio.Reader, asJSON bool) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	part := ""
	for {
		line, err := r.ReadString('\n')
		part += line
		if err == nil {
			a.printRecord(part, asJSON)
			part = ""
			continue
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// printRecord prints {"time","level","msg",…} as one line for people.
func (a *app) printRecord(line string, asJSON bool) {
	var rec map[string]any
	numbers := json.NewDecoder(strings.NewReader(line))
	numbers.UseNumber() // as they were written
	if asJSON {
		fmt.Fprintf(a.out, "%s", legible.JSON([]byte(line)))
		return
	}
	if numbers.Decode(&rec) != nil {
		a.raw("%s", line)
		return
	}
	at, _ := time.Parse(time.RFC3339Nano, fmt.Sprint(rec["time"]))
	var rest []string
	for k, v := range rec {
		if n, ok := v.(json.Number); ok && k == "took" {
			ns, _ := n.Int64() // the log has durations in nanoseconds
			v = time.Duration(ns).Round(time.Millisecond)
		}
		if k != "time" && k != "level" && k != "msg" && v != nil {
			rest = append(rest, fmt.Sprintf("%s=%v", k, v))
		}
	}
	slices.Sort(rest)
	text := fmt.Sprintf("%s %-5s %s  %s", at.Local().Format(time.DateTime), rec["level"], rec["msg"],
		strings.Join(rest, " "))
	a.printf("%s\n", strings.TrimRight(text, " "))
}
