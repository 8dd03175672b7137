package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/safefile"
	"keepmum/store"
)

type exportOptions struct {
	format, project string
	days            int
	noRaw           bool
}

func newExportCmd(a *app) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: "export", Short: "Export the sessions that were kept", Args: cobra.NoArgs,
		Long: `Write the sessions (prompts, answers, tool uses, summaries) to standard output: as JSON
lines or JSON, which mum import reads, or as Markdown for people. On import, everything
passes the current gate. Memories are files: mum memory export copies them.`,
		Example: "  mum export > memory.jsonl\n  mum export --project shop --format markdown --no-raw > shop.md",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runExport(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "jsonl", "jsonl, json or markdown")
	f.StringVarP(&o.project, "project", "p", "", "only this project, by name or number")
	f.IntVar(&o.days, "days", 0, "only sessions of the last days (0 = all)")
	f.BoolVar(&o.noRaw, "no-raw", false, "without the inputs and outputs of tools")
	return cmd
}

func (a *app) runExport(ctx context.Context, o exportOptions) error {
	switch {
	case !slices.Contains([]string{"jsonl", "json", "markdown"}, o.format):
		return usage(errors.New("--format must be jsonl, json or markdown"))
	case o.days < 0:
		return usage(errors.New("--days must be 0 or more"))
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	q := url.Values{"format": {o.format}, "project": {o.project}, "days": {strconv.Itoa(o.days)},
		"include_raw": {strconv.FormatBool(!o.noRaw)}}
	resp, err := client.Send(ctx, http.MethodGet, "/export?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := a.copyOut(resp.Body); err != nil {
		return hinted(fmt.Errorf("the export was interrupted: %w", err), "mum logs")
	}
	return nil
}

func newImportCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "import FILE|-", Short: "Import an export of mum, or another database", Args: cobra.ExactArgs(1),
		Long: `Import what mum export wrote (JSON lines or JSON), a database that mum restore set
aside, or the database of LongMem, claude-mem or engram. A database is only read.
Everything passes the current gate and keeps its time. Importing again adds nothing
twice.`,
		Example: "  mum import memory.jsonl\n  mum import ~/.claude-mem/claude-mem.db\n  mum export | ssh other mum import -",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runImport(cmd.Context(), args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// importFrom opens the import as the lines of an export. It also sends errors in reading a database to failed: the
// request itself would report them only as a broken connection.
func (a *app) importFrom(ctx context.Context, name string, failed chan<- error) (io.ReadCloser, error) {
	if name == "-" {
		if pipe, ok := a.in.(*os.File); ok { // a signal ends the import, even if nothing is written to it
			return io.NopCloser(typed{pipe, ctx}), nil
		}
		return io.NopCloser(a.in), nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, hinted(fmt.Errorf("%s is a directory", name),
			"mum import FILE, or mum memory import DIRECTORY for files of memories")
	}
	f, err := safefile.Open(name)
	if errors.Is(err, safefile.ErrNotRegular) {
		return nil, hinted(fmt.Errorf("%s is not a regular file", name), "PROGRAM | mum import -   (imports what it writes)")
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReader(f)
	if head, _ := lines.Peek(len(sqliteMagic)); string(head) != sqliteMagic { // a shorter file is not a database
		return struct {
			io.Reader
			io.Closer
		}{lines, f}, nil
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() { // ends when the database is read, or when the reader is closed
		enc := json.NewEncoder(w)
		emit := func(rec store.Record) error { return enc.Encode(rec) }
		_, err := store.ReadForeign(ctx, name, emit)
		if errors.Is(err, store.ErrOwn) && !a.inUse(name) {
			err = store.ReadOwn(ctx, name, emit)
		}
		if err != nil {
			failed <- err
		}
		w.CloseWithError(err)
	}()
	return r, nil
}

// inUse reports whether a file is the database that the daemon here uses: everything in it is there already.
func (a *app) inUse(name string) bool {
	dir, err := a.home()
	if err != nil {
		return false
	}
	mine, err := os.Stat(dir.Database())
	file, errFile := os.Stat(name)
	return err == nil && errFile == nil && os.SameFile(mine, file)
}

const sqliteMagic = "SQLite format 3\x00"

// numbersOf names lines by their numbers, of which only the first may be known.
func numbersOf(lines []int, all int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines), " ", ", "), "[]")
	if more := all - len(lines); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return "line " + text
}

func (a *app) runImport(ctx context.Context, name string, asJSON bool) error {
	failed := make(chan error, 1)
	in, err := a.importFrom(ctx, name, failed)
	if err != nil {
		return err
	}
	defer in.Close()
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Imported
	resp, err := client.Send(ctx, http.MethodPost, "/import", in)
	if err != nil {
		select {
		case reason := <-failed:
			if errors.Is(reason, store.ErrOwn) {
				return hinted(reason, "run mum export > memory.jsonl there, and mum import memory.jsonl here")
			}
			return hinted(reason, "it reads what mum export wrote, and the databases of LongMem, claude-mem and engram")
		default:
			return err
		}
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return hinted(fmt.Errorf("the import was interrupted: %w", err),
			"run mum import … again: nothing is added twice")
	}
	if out.Skipped > 0 && out.Documents+out.Duplicates+out.Forgotten == 0 {
		return hinted(fmt.Errorf("%s contains nothing that mum can import", name), "mum import --help")
	}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("added %s of %s; %d already there, %d forgotten here\n",
		plural(out.Documents, "document", "documents"), plural(out.Sessions, "new session", "new sessions"),
		out.Duplicates, out.Forgotten)
	a.printf("the gate cleaned %s\n", plural(out.Cleaned, "document", "documents"))
	if out.Skipped > 0 {
		return &exitError{exitPartial, fmt.Errorf("%s not imported: %s",
			plural(out.Skipped, "line was", "lines were"), numbersOf(out.Lines, out.Skipped)),
			"correct what is no line of an export, and import again: nothing is added twice"}
	}
	return nil
}
