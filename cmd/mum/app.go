package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/home"
	"keepmum/legible"
	"keepmum/safefile"
	"keepmum/store"
)

// app contains everything outside the program that commands may use.
type app struct {
	in        io.Reader
	out, errs io.Writer
	environ   []string
	getenv    func(string) string
	userHome  string
	args      []string
	telling   telling
}

// Exit codes are the same for all commands.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	exitPartial = 3
	exitBusy    = 4
	exitStopped = 130 // what a shell reports for an interrupt
)

// exitError carries an exit code and a hint: the command to type next.
type exitError struct {
	code int
	err  error
	hint string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func hinted(err error, hint string) error { return &exitError{exitFailure, err, hint} }

func usage(err error) error { return &exitError{exitUsage, err, ""} }

func (a *app) main(ctx context.Context) int {
	root := newRoot(a)
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Short = "Print a script that completes commands, agents, projects and ids in your shell"
		explainCompletion(c)
		complete(c)
	}
	root.SetArgs(a.args)
	cmd, err := root.ExecuteContextC(ctx)
	if lost := a.unwritten(); lost != nil && cmd.Name() != "hook" { // an agent's hook never fails
		err = lost
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil: // whatever happened, the user knows why
		fmt.Fprintln(a.errs, "stopped")
		return exitStopped
	}
	return a.report(cmd, err)
}

// report prints an error as `mum: error: …` and, if there is something to do about it, `mum: hint: …`.
func (a *app) report(cmd *cobra.Command, err error) int {
	var typed *typedError
	kept := errors.As(err, &typed)
	code, hint, err := advised(cmd, err)
	if code == exitUsage && hint == "" {
		hint = cmd.CommandPath() + " --help"
	}
	if err.Error() != "" {
		a.complain("error", err.Error())
	}
	if hint != "" {
		a.complain("hint", hint)
	}
	if kept {
		a.complain("note", typed.where())
	}
	return code
}

// complain prints an error, a hint or a warning in lines that are no wider than the window.
func (a *app) complain(what, text string) {
	a.tell(a.errs, "mum: %s: %s\n", what, a.clean(text))
}

// advised returns the exit code of an error, the hint and the error to print.
func advised(cmd *cobra.Command, err error) (code int, hint string, said error) {
	code, hint = exitFailure, ""
	var e *exitError
	var wire *api.Error
	switch {
	case strings.HasPrefix(err.Error(), "unknown command"): // cobra has no error type for it
		code, err = exitUsage, unknownCommand(cmd, err)
	case strings.HasPrefix(err.Error(), flagGroup): // nor for this
		code, err = exitUsage, apart(err)
	case strings.HasPrefix(err.Error(), flagMissing): // nor for this
		code, err = exitUsage, unset(err)
	case errors.As(err, &e):
		code, hint = e.code, e.hint
	case errors.As(err, &wire):
		code, hint = wireExit(cmd, wire)
		err = asTyped(cmd, wire)
	case errors.Is(err, api.ErrDown):
		hint = "mum up"
	case errors.Is(err, api.ErrSilent):
		hint = "mum doctor; mum restart"
	case errors.Is(err, daemon.ErrRunning):
		code, hint = exitBusy, "mum status"
	case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrNewer):
		hint = "mum doctor"
	case errors.Is(err, store.ErrKey), errors.Is(err, home.ErrDamaged):
		hint = "mum doctor --fix"
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC):
		hint = "free some space on that disk, then: mum up"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		hint = "mum doctor"
	case errors.Is(err, fs.ErrNotExist):
		hint = cmd.CommandPath() + " --help"
	}
	return code, hint, err
}

// unknownCommand words cobra's error like that of a subcommand, with the commands that may be meant.
func unknownCommand(cmd *cobra.Command, err error) error {
	quoted, ok := strings.CutPrefix(err.Error(), "unknown command ")
	word, bad := strconv.QuotedPrefix(quoted)
	if ok && bad == nil {
		word, bad = strconv.Unquote(word)
	}
	if !ok || bad != nil {
		return err
	}
	return fmt.Errorf("unknown command %q for %q%s", word, cmd.CommandPath(), similar(cmd, word))
}

const flagGroup = "if any flags in the group ["

// apart says which flags cannot be used together.
func apart(err error) error {
	_, set, _ := strings.Cut(err.Error(), "; [")
	set, _, _ = strings.Cut(set, "]")
	return errors.New("--" + strings.Join(strings.Fields(set), " and --") + " do not go together")
}

const flagMissing = "required flag(s) "

// unset says which flags a command needs.
func unset(err error) error {
	names := strings.TrimSuffix(strings.TrimPrefix(err.Error(), flagMissing), " not set")
	return errors.New("--" + strings.ReplaceAll(strings.ReplaceAll(names, `"`, ""), ", ", " and --") + " is missing")
}

// asTyped names the flag that was typed, where the daemon names the field of its request.
func asTyped(cmd *cobra.Command, e *api.Error) error {
	field, rest, _ := strings.Cut(e.Message, " ")
	flag := strings.ReplaceAll(field, "_", "-")
	if e.Code != api.Invalid || cmd.Flags().Lookup(flag) == nil {
		return e
	}
	return errors.New("--" + flag + " " + rest)
}

// wireExit returns the exit code and the hint for an error of the daemon. The daemon's hints are also written for
// programs: a page of the documentation is of no use to a user, nor is the help of another command that also asks for
// this check.
func wireExit(cmd *cobra.Command, e *api.Error) (code int, hint string) {
	code, hint = exitFailure, e.Hint
	switch e.Code {
	case api.Invalid:
		code = exitUsage
	case api.Unauthorized: // the hint is for programs
		return code, "mum doctor --fix"
	}
	if strings.HasPrefix(hint, "docs/") || strings.HasSuffix(hint, " --help") {
		hint = cmd.CommandPath() + " --help"
	}
	return code, hint
}

// home returns the data directory: $MUM_HOME, otherwise ~/.mum. A relative path would be different in each directory in
// which a hook runs.
func (a *app) home() (home.Dir, error) {
	switch dir := a.getenv("MUM_HOME"); {
	case filepath.IsAbs(dir):
		return home.Dir(filepath.Clean(dir)), nil
	case dir != "":
		return "",
			hinted(
				errors.New("MUM_HOME is a relative path: it must be absolute, or each directory would have a memory of its own"),
				"MUM_HOME=/path/to/data mum …")
	}
	if a.userHome == "" {
		return "", hinted(errors.New("there is no home directory"), "MUM_HOME=/path/to/data mum …")
	}
	if !filepath.IsAbs(a.userHome) {
		return "", hinted(errors.New("HOME is a relative path: it must be absolute"), "MUM_HOME=/path/to/data mum …")
	}
	return home.Dir(filepath.Join(a.userHome, ".mum")), nil
}

// load returns the data directory and the settings in effect.
func (a *app) load(flags map[string]any) (home.Dir, config.Loaded, error) {
	dir, err := a.home()
	if err != nil {
		return "", config.Loaded{}, err
	}
	c, err := config.Load(config.Options{Home: string(dir), Environ: a.environ, Flags: flags})
	if err != nil {
		return dir, c, hinted(err, "mum config check")
	}
	return dir, c, nil
}

// loadToStart returns the settings for a start. It is an error if the daemon would refuse them, so that a daemon that
// runs is not stopped for one that cannot start.
func (a *app) loadToStart() (home.Dir, config.Loaded, error) {
	dir, c, err := a.load(nil)
	if err == nil {
		err = a.startable(c)
	}
	return dir, c, err
}

func (a *app) startable(c config.Loaded) error {
	if err := capture.CheckStart(c.Config, a.userHome); err != nil {
		return hinted(fmt.Errorf("the daemon cannot start with these settings: %w", err), "mum config check")
	}
	return nil
}

// client returns a client of the daemon, which need not be running. If the settings cannot be used, one that runs still
// has those of its start.
func (a *app) client() (*api.Client, error) {
	dir, c, err := a.load(nil)
	if err == nil {
		return a.clientOf(dir, c)
	}
	if dir == "" {
		return nil, err
	}
	client := api.NewClient(string(dir), c.Daemon.Socket)
	if client.Get(context.Background(), "/health", nil, nil) != nil {
		return nil, err
	}
	a.complain("warning", err.Error()+"; "+goesOn)
	return client, nil
}

// clientOf returns a client of the daemon. Where none can run, because nothing can be written, it returns one that
// reads what is stored.
func (a *app) clientOf(dir home.Dir, c config.Loaded) (*api.Client, error) {
	client := api.NewClient(string(dir), c.Daemon.Socket)
	if !readOnly(dir) || !errors.Is(client.Get(context.Background(), "/health", nil, nil), api.ErrDown) {
		return client, nil
	}
	client, err := daemon.Look(context.Background(), daemon.Options{Home: dir, Config: c, UserHome: a.userHome,
		Env: a.environ, Version: version()})
	if err != nil {
		return nil, hinted(fmt.Errorf("read %s, which cannot be written to: %w", dir, err), "mum doctor")
	}
	return client, nil
}

// readOnly reports whether there is a database in a directory that cannot be written to.
func readOnly(dir home.Dir) bool {
	err := safefile.Writable(string(dir))
	return (errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)) && exists(dir.Database())
}

// printJSON writes v for programs, as one indented document.
func (a *app) printJSON(v any) error {
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.out.Write(legible.JSON(doc.Bytes()))
	return err
}

// printf prints text for people on the standard output.
func (a *app) printf(format string, args ...any) { a.tell(a.out, format, args...) }

// raw prints text without breaking its lines: what was kept, code, tables, and what programs read.
func (a *app) raw(format string, args ...any) {
	fmt.Fprint(a.out, a.harmless(a.out, fmt.Sprintf(format, unstyled(args)...)))
}

// onTerminal reports whether w is a terminal that shows colour.
func (a *app) onTerminal(w io.Writer) bool {
	_, ok := terminalOf(w)
	return ok && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}

// tilde shortens a path for display.
func (a *app) tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, a.userHome+string(filepath.Separator)); ok && a.userHome != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// tildes shortens every path in a text, except in quotes, where a shell does not know the tilde.
func (a *app) tildes(text string) string {
	if a.userHome == "" {
		return text
	}
	home := a.userHome + string(filepath.Separator)
	return strings.NewReplacer("'"+home, "'"+home, home, "~/").Replace(text)
}
