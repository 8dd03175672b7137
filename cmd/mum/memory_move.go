package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/memory"
)

type memoryForget struct {
	placeFlags
	dryRun, yes bool
}

func newMemoryForgetCmd(a *app) *cobra.Command {
	var o memoryForget
	cmd := &cobra.Command{
		Use: "forget ID", Short: "Remove a memory for good", Args: cobra.ExactArgs(1),
		Long: `Remove a memory and the archived ones that gave way to it: files, index entries,
the lists made of them, the backups that hold them, and what a restore set aside
if it holds them; then look for them in every byte. What was forgotten is not learned again from the same sessions. Where
memories are committed, git's history still has them.`,
		Example: "  mum memory forget 12 --dry-run\n  mum memory forget 12 --yes",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runMemoryForget(cmd.Context(), o, args[0]) },
	}
	o.register(cmd, false)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would go, and remove nothing")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask")
	return cmd
}

func (a *app) runMemoryForget(ctx context.Context, o memoryForget, name string) error {
	client, m, err := a.memory(ctx, o.placeFlags, name)
	if err != nil {
		return err
	}
	var plan, out api.MemoryForgotten
	if err := client.Post(ctx, memoryPath(m, "forget"), api.MemoryForget{DryRun: true}, &plan); err != nil {
		return err
	}
	if o.dryRun {
		return a.printMemoryForgotten(plan, o.json)
	}
	if !o.yes && !a.confirm(fmt.Sprintf("%s will be removed for good. Remove?", plural(int64(len(plan.Memories)), "memory", "memories"))) {
		return hinted(errors.New("nothing was removed"), "mum memory forget … --yes")
	}
	if err := client.Post(ctx, memoryPath(m, "forget"), api.MemoryForget{Confirm: plan.Token}, &out); err != nil {
		return err
	}
	if err := a.printMemoryForgotten(out, o.json); err != nil {
		return err
	}
	if len(out.Found) > 0 {
		return hinted(fmt.Errorf("%s what was forgotten", plural(int64(len(out.Found)), "file still holds", "files still hold")), "look at the files named above")
	}
	return nil
}

func (a *app) printMemoryForgotten(out api.MemoryForgotten, asJSON bool) error {
	if asJSON {
		return a.printJSON(out)
	}
	verb := "removed"
	if out.DryRun {
		verb = "would remove"
	}
	for _, m := range out.Memories {
		a.printf("%s %d %s%s\n", verb, m.Entry, m.Title, remarks(m))
	}
	a.printSetAside(out.Forgotten)
	if !out.DryRun && out.Probes > 0 {
		a.printf("looked for %s in every byte of %s: found in %d\n", plural(int64(out.Probes), "piece", "pieces"), plural(int64(out.Files), "file", "files"), len(out.Found))
	}
	for _, f := range out.Found {
		a.printf("    %s\n", a.tilde(f))
	}
	return nil
}

type memoryExport struct {
	placeFlags
	output string
}

func newMemoryExportCmd(a *app) *cobra.Command {
	var o memoryExport
	cmd := &cobra.Command{
		Use: "export", Short: "Copy the memories to a directory, a tar file or JSON", Args: cobra.NoArgs,
		Long: `Copy the memories of this project, and those that hold everywhere, as markdown to
a directory or a .tar file (--output), or as JSON to standard output. What the
gate would take out is taken out of the copy.`,
		Example: "  mum memory export --output shop-memories\n  mum memory export --all --output memories.tar\n  mum memory export --json > memories.json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runMemoryExport(cmd.Context(), o) },
	}
	o.register(cmd, true)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "an empty directory, or a file that ends in .tar")
	return cmd
}

func (a *app) runMemoryExport(ctx context.Context, o memoryExport) error {
	if o.output == "" && !o.json {
		return usage(errors.New("say where to: --output DIR, --output FILE.tar, or --json"))
	}
	q, err := o.query()
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryExport
	if err := client.Get(ctx, "/memories/export", q, &out); err != nil {
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
	if err == nil {
		a.printf("%s in %s\n", plural(int64(len(out.Files)), "file", "files"), a.tilde(o.output))
	}
	return err
}

// exportName is where a file lies in an export: each project has a directory,
// and so has what belongs to none.
func exportName(f api.MemoryFile) (string, error) {
	project := f.Project
	if project == "" {
		project = memory.Everywhere
	}
	name := filepath.ToSlash(filepath.Join(strings.NewReplacer("/", "-", `\`, "-").Replace(project), filepath.FromSlash(f.Path)))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", errors.New("a file of the export has a name that leads elsewhere")
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
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	for _, f := range files {
		name, nameErr := exportName(f)
		if err = nameErr; err != nil {
			break
		}
		if err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(f.Text)), ModTime: time.Unix(0, 0)}); err != nil {
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
		Use: "import DIR", Short: "Take over memories from an older tree", Args: cobra.ExactArgs(1),
		Long: `Take over the memories of another tree into this project: one with directories
decisions/ and learnings/, such as .lerim/memory or an export, or a flat one of
decision_*.md and learning_*.md. They pass the gate. Of an export, what held
everywhere does so again, and the rest goes to this project; where there is none, say
--project or --global. What is known already stays as it is; what cannot be read is named, and the exit code is 3.`,
		Example: "  mum memory import .lerim/memory\n  mum memory import shop-memories --project shop",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runMemoryImport(cmd.Context(), o, args[0]) },
	}
	o.register(cmd, false)
	cmd.Flags().BoolVar(&o.global, "global", false, "they hold in all projects")
	return cmd
}

func (a *app) runMemoryImport(ctx context.Context, o memoryImport, dir string) error {
	from, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("%s is no directory", a.tilde(from)))
	}
	q, err := o.query()
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryImported
	in := api.MemoryImport{From: from, Directory: q.Get("directory"), Project: o.project, Global: o.global}
	if err := client.Post(ctx, "/memories/import", in, &out); err != nil {
		return err
	}
	if o.json {
		err = a.printJSON(out)
	} else {
		a.printf("%s taken over, %d known already\n", plural(int64(len(out.Added)), "memory", "memories"), out.Same)
		for i, b := range out.Refused {
			if i == maxNamed {
				a.printf("    and %d more\n", len(out.Refused)-i)
				break
			}
			a.printf("    %s: %s\n", where(a, b.File, b.Line), b.Why)
		}
	}
	if err == nil && len(out.Refused) > 0 {
		return &exitError{exitPartial, fmt.Errorf("%s not taken over", plural(int64(len(out.Refused)), "file was", "files were")), "mend the files named above, then again: mum memory import " + dir}
	}
	return err
}

// maxNamed is how many files that were refused are named: of a directory that is no
// tree of memories every file is.
const maxNamed = 30

// where names a line of a file.
func where(a *app, file string, line int) string {
	if line == 0 {
		return a.tilde(file)
	}
	return fmt.Sprintf("%s:%d", a.tilde(file), line)
}

type memoryReset struct {
	placeFlags
	scope       string
	dryRun, yes bool
}

func newMemoryResetCmd(a *app) *cobra.Command {
	var o memoryReset
	cmd := &cobra.Command{
		Use: "reset --scope project|global|both --yes", Short: "Remove all memories of a scope", Args: cobra.NoArgs,
		Long: `Remove all memories of this project, of those that hold everywhere, or of both:
their files and index. Sessions stay, and mum sync may learn from them again; what
must not come back is for mum memory forget. Without --yes nothing is removed and
the exit code is 2; --dry-run names what would go.`,
		Example: "  mum memory reset --scope project --dry-run\n  mum memory reset --scope project --yes",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runMemoryReset(cmd.Context(), o) },
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&o.scope, "scope", "", "project, global or both (required)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "name what would go, and remove nothing")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "really remove them (required)")
	return cmd
}

func (a *app) runMemoryReset(ctx context.Context, o memoryReset) error {
	switch {
	case o.scope != "project" && o.scope != "global" && o.scope != "both":
		return usage(errors.New("--scope must be project, global or both"))
	case !o.yes && !o.dryRun:
		return usage(errors.New("this removes memories for good: say --yes, or --dry-run to see which"))
	}
	q, err := o.query()
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryResetDone
	if err := client.Post(ctx, "/memories/reset", api.MemoryReset{Scope: o.scope, Directory: q.Get("directory"), Project: o.project, DryRun: o.dryRun}, &out); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(out)
	}
	if !out.DryRun {
		a.printf("removed %s\n", plural(int64(out.Memories), "memory", "memories"))
		return nil
	}
	a.printf("would remove %s in %s\n", plural(int64(out.Memories), "memory", "memories"), strings.ReplaceAll(strings.Join(out.Dirs, " and "), a.userHome+"/", "~/"))
	for _, m := range out.First {
		a.printMemoryLine(m, "")
	}
	if more := out.Memories - len(out.First); more > 0 {
		a.printf("        and %d more\n", more)
	}
	return nil
}

func newMemoryAuditCmd(a *app) *cobra.Command {
	asJSON, rejudge, apply := false, false, false
	cmd := &cobra.Command{
		Use: "audit", Short: "Name the memory files that somebody should look at", Args: cobra.NoArgs,
		Long: `Look at every memory file and name file and line of what is wrong: a secret that
was pasted into it, a frontmatter that cannot be read, a text that speaks to a
model, a memory that came with a cloned repository. The exit code is 3 when there
is something.

--rejudge lists the memories that mum sync wrote and would not write today; --apply
archives them, and mum memory restore brings one back. What you wrote, changed, pinned
or restored is not looked at, and nothing is archived by itself.`,
		Example: "  mum memory audit\n  mum memory audit --json\n  mum memory audit --rejudge\n  mum memory audit --rejudge --apply",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if apply && !rejudge {
				return usage(errors.New("--apply goes with --rejudge"))
			}
			if rejudge {
				return a.runRejudge(cmd.Context(), apply, asJSON)
			}
			return a.runMemoryAudit(cmd.Context(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&rejudge, "rejudge", false, "list what sync wrote and would not write today")
	cmd.Flags().BoolVar(&apply, "apply", false, "archive what --rejudge lists")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runMemoryAudit(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryAudit
	if err := client.Get(ctx, "/memories/audit", url.Values{}, &out); err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(out)
	} else {
		a.printf("%s looked at\n", plural(int64(out.Files), "file", "files"))
		for _, p := range out.Problems {
			a.printf("    %s: %s: %s\n", where(a, p.File, p.Line), p.Kind, p.Why)
		}
	}
	if err == nil && len(out.Problems) > 0 {
		return &exitError{exitPartial, fmt.Errorf("%s to look at", plural(int64(len(out.Problems)), "place", "places")), "open the files at the lines named above; mum scrub takes secrets out of them"}
	}
	return err
}

func (a *app) runRejudge(ctx context.Context, apply, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Rejudged
	if err := client.Post(ctx, "/memories/rejudge", api.Rejudge{Apply: apply}, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	for _, m := range out.Memories {
		a.printf("%d  %s\n", m.Entry, oneLine(m.Title, 100))
	}
	a.printf("%d would not be written today, %d would, %d cannot be judged, %d are yours or were changed\n", len(out.Memories), out.Stay, out.Unjudged, out.Left)
	switch {
	case apply:
		a.printf("%d archived; mum memory restore ID brings one back\n", out.Archived)
	case len(out.Memories) > 0:
		a.printf("nothing was changed: mum memory audit --rejudge --apply archives them\n")
	}
	return nil
}

func newMemoryReindexCmd(a *app) *cobra.Command {
	asJSON, all := false, false
	cmd := &cobra.Command{
		Use: "reindex", Short: "Read the memory files again", Args: cobra.NoArgs,
		Long: `Read the memory files and make the index say what they say. It happens by itself
within seconds of an edit; --all takes in again what did not change.`,
		Example: "  mum memory reindex\n  mum memory reindex --all",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			var out api.MemoryReindexed
			if err := client.Post(cmd.Context(), "/memories/reindex", api.MemoryReindex{All: all}, &out); err != nil {
				return err
			}
			return a.printReindexed(out, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also what did not change")
	return cmd
}

func (a *app) printReindexed(out api.MemoryReindexed, asJSON bool) error {
	if asJSON {
		return a.printJSON(out)
	}
	if len(out.Trees) == 0 {
		a.printf("there are no memories yet\n")
	}
	for _, t := range out.Trees {
		a.printf("%s: %d new, %d changed, %d gone, %d as before\n", a.tilde(t.Dir), t.Added, t.Changed, t.Removed, t.Same)
		for _, b := range t.Broken {
			a.printf("    %s: %s; it is passed over\n", where(a, b.File, b.Line), b.Why)
		}
	}
	return nil
}
