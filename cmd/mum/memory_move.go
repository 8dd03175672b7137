package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/memory"
)

type memoryExport struct {
	placeFlags
	output string
}

func newMemoryExportCmd(a *app) *cobra.Command {
	var o memoryExport
	cmd := &cobra.Command{
		Use: "export", Short: "Copy the memories to a directory, a tar file or JSON", Args: cobra.NoArgs,
		Long: `Copy the memories of this project and the global ones, as markdown to a directory or a
.tar file (--output), or as JSON to standard output. The copy passes the gate.`,
		Example: "  mum memory export --output shop-memories\n  mum memory export --all --output memories.tar\n" +
			"  mum memory export --json > memories.json",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runMemoryExport(cmd.Context(), o) },
	}
	o.register(cmd, true)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "an empty directory, or a file that ends in .tar")
	return cmd
}

func (a *app) runMemoryExport(ctx context.Context, o memoryExport) error {
	if o.output == "" && !o.json {
		return usage(errors.New("name a place: --output DIR, --output FILE.tar, or --json"))
	}
	var out api.MemoryExport
	err := a.lookUp(ctx, o.placeFlags, "/memories/export", nil, &out)
	if err != nil {
		return err
	}
	switch {
	case o.output == "":
		return a.printJSON(out)
	case strings.HasSuffix(o.output, ".tar"):
		err = writeTar(o.output, out.Files)
	default:
		err = writeTree(o.output, out.Files)
	}
	if err != nil {
		return err
	}
	a.printf("%s in %s\n", plural(len(out.Files), "file", "files"), a.tilde(o.output))
	if len(out.Unread) > 0 {
		return hinted(fmt.Errorf("%s missing in it, because it cannot be read: %s",
			plural(len(out.Unread), "file is", "files are"), strings.Join(out.Unread, ", ")), "chmod u+r FILE")
	}
	return nil
}

// exportName returns the path of a file in an export: each project has a directory, and so do memories that belong to
// no project.
func exportName(f api.MemoryFile) (string, error) {
	project := f.Project
	if project == "" {
		project = memory.Everywhere
	}
	name := filepath.ToSlash(filepath.Join(strings.NewReplacer("/", "-", `\`, "-").Replace(project),
		filepath.FromSlash(f.Path)))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", errors.New("the name of an exported file leads out of the directory")
	}
	return name, nil
}

func writeTree(dir string, files []api.MemoryFile) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return usage(fmt.Errorf("%s is not empty", dir))
	}
	for _, f := range files {
		name, err := exportName(f)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := atomicfile.Write(path, []byte(f.Text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func writeTar(path string, files []api.MemoryFile) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("%s exists already", path))
	}
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	for _, f := range files {
		name, nameErr := exportName(f)
		if err = nameErr; err != nil {
			break
		}
		if err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(f.Text)),
			ModTime: time.Unix(0, 0)}); err != nil {
			break
		}
		if _, err = io.WriteString(w, f.Text); err != nil {
			break
		}
	}
	return errors.Join(err, w.Close(), out.Close())
}

type memoryImport struct {
	placeFlags
	global bool
}

func newMemoryImportCmd(a *app) *cobra.Command {
	var o memoryImport
	cmd := &cobra.Command{
		Use: "import DIR|FILE…", Short: "Import memories from a directory, a tar file or JSON",
		Args: cobra.MinimumNArgs(1),
		Long: `Import memories into this project from a directory: with decisions/ and learnings/ in
it, such as .lerim/memory or an export, or with files decision_*.md and learning_*.md.
They pass the gate. Global memories of an export stay global, and the rest goes to this
project; outside of a project, add --project or --global. Known memories are not changed,
and of two statements of one key the later one is valid. Files that cannot be read are
listed, and the exit status is 3.

You can also import a tar or JSON file that mum memory export wrote, or a file of lean-ctx:
knowledge.json, gotchas.json, a session, a list of facts. What lean-ctx found on its own
in tool output is skipped, and so is what exceeds the limit (memory.max_active).`,
		Example: "  mum memory import .lerim/memory\n  mum memory import shop-memories --project shop\n" +
			"  mum memory import memories.json\n  mum memory import knowledge.json gotchas.json sessions/*.json",
		RunE: func(cmd *cobra.Command, args []string) error { return a.runMemoryImport(cmd.Context(), o, args) },
	}
	o.register(cmd, false)
	cmd.Flags().BoolVar(&o.global, "global", false, "valid in all projects")
	cmd.MarkFlagsMutuallyExclusive("global", "project")
	return cmd
}

func (a *app) runMemoryImport(ctx context.Context, o memoryImport, paths []string) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var empty []string
	sum := api.MemoryImported{Added: []api.Memory{}, Refused: []api.MemoryBroken{}}
	for _, path := range paths {
		from, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if err := a.importable(from); err != nil {
			return err
		}
		in := api.MemoryImport{From: from, Directory: q.Get("directory"), Project: o.project, Global: o.global}
		var out api.MemoryImported
		if err := client.Post(ctx, "/memories/import", in, &out); err != nil {
			return err
		}
		if saysNothing(out) && isDirectory(from) {
			empty = append(empty, a.tilde(from))
		}
		sum.Added, sum.Refused = append(sum.Added, out.Added...), append(sum.Refused, out.Refused...)
		sum.Notes, sum.Same, sum.Over = sum.Notes+out.Notes, sum.Same+out.Same, sum.Over+out.Over
		sum.Summaries += out.Summaries
		sum.Automatic, sum.Empty = sum.Automatic+out.Automatic, sum.Empty+out.Empty
	}
	if o.json {
		err = a.printJSON(sum)
	} else {
		a.printImported(sum)
	}
	if err == nil && len(sum.Refused) > 0 {
		return &exitError{exitPartial,
			fmt.Errorf("%s not imported", plural(len(sum.Refused), "file was", "files were")),
			"fix the files named above, then run: mum memory import " + strings.Join(paths, " ")}
	}
	if err == nil && len(empty) > 0 {
		return importedOf(len(paths), empty)
	}
	return err
}

// importedOf returns the error for directories without memories, among the paths that were named.
func importedOf(paths int, empty []string) error {
	code := exitPartial
	if len(empty) == paths {
		code = exitFailure
	}
	return &exitError{code, fmt.Errorf("there are no memories in %s", strings.Join(empty, ", ")),
		"mum memory import --help"}
}

// saysNothing reports whether an import found nothing at all, not even what is known or cannot be read.
func saysNothing(out api.MemoryImported) bool {
	return len(out.Added)+len(out.Refused)+out.Notes+out.Summaries+out.Same+out.Automatic+out.Empty+out.Over == 0
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// importable rejects a path of which nothing can be read.
func (a *app) importable(from string) error {
	switch info, err := os.Stat(from); {
	case err != nil:
		return usage(fmt.Errorf("%s does not exist", a.tilde(from)))
	case !info.IsDir() && !info.Mode().IsRegular():
		return usage(fmt.Errorf("%s is neither a directory nor an ordinary file", a.tilde(from)))
	}
	return nil
}

func (a *app) printImported(out api.MemoryImported) {
	a.printf("%s imported, %d already known\n", plural(len(out.Added), "memory", "memories"), out.Same)
	if out.Notes > 0 {
		a.printf("%s of a session imported: mum session list\n", plural(out.Notes, "note", "notes"))
	}
	if out.Summaries > 0 {
		a.printf("%s imported\n", plural(out.Summaries, "summary", "summaries"))
	}
	if out.Automatic > 0 {
		a.printf("%d skipped: lean-ctx found them in tool output, nobody wrote them\n", out.Automatic)
	}
	if out.Empty > 0 {
		a.printf("%d skipped: they are empty\n", out.Empty)
	}
	if out.Over > 0 {
		a.printf("%d skipped, the least trusted: the limit is reached (memory.max_active)\n", out.Over)
	}
	for i, b := range out.Refused {
		if i == maxNamed {
			a.printf("    and %d more\n", len(out.Refused)-i)
			break
		}
		a.printf("    %s: %s\n", where(a, b.File, b.Line), b.Why)
	}
}

// maxNamed is the maximum number of refused files that are named: in a directory that is no tree of memories, every
// file is refused.
const maxNamed = 30
