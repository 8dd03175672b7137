package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type memoryForget struct {
	placeFlags
	dryRun, yes bool
}

func newMemoryForgetCmd(a *app) *cobra.Command {
	var o memoryForget
	cmd := &cobra.Command{
		Use: "forget ID", Short: "Remove a memory for good", Args: cobra.ExactArgs(1),
		Long: `Remove a memory and the archived ones it replaced: their files, index, lists, and the
backups and files set aside by a restore that contain them. Then search for them in every
byte. What was said in sessions stays, and agents can be told of it; the entries that it
came from are named with the command that removes them, too. A forgotten memory is learned
again only if you say it again later, in another session, or write it yourself. If
memories are committed, git's history still has them.`,
		Example: "  mum memory forget 12 --dry-run\n  mum memory forget 12 --yes",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runMemoryForget(cmd.Context(), o, args[0]) },
	}
	o.register(cmd, false)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would be removed, remove nothing")
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
	if !o.yes {
		for _, m := range plan.Memories {
			a.tell(a.errs, "%6d  %s%s\n", m.Entry, m.Title, remarks(m))
		}
		a.printLeft(func(format string, args ...any) { a.tell(a.errs, format, args...) }, plan.Forgotten)
		if !a.confirm(fmt.Sprintf("%s will be removed for good. Remove?",
			plural(len(plan.Memories), "memory", "memories"))) {
			return hinted(errors.New("nothing was removed"), "mum memory forget … --yes")
		}
	}
	if err := client.Post(ctx, memoryPath(m, "forget"), api.MemoryForget{Confirm: plan.Token}, &out); err != nil {
		return err
	}
	if err := a.printMemoryForgotten(out, o.json); err != nil {
		return err
	}
	if len(out.Found) > 0 {
		return hinted(fmt.Errorf("%s what was forgotten",
			plural(len(out.Found), "file still contains", "files still contain")), "check the files named above")
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
		if author, ok := strings.CutPrefix(m.Origin, "team/"); ok && m.Foreign {
			a.printf("    only from this machine: %s shared it, and the team keeps it\n", author)
		}
	}
	a.printSetAside(out.Forgotten)
	if !out.DryRun && out.Probes > 0 {
		spelled := ""
		if len(out.Left)+len(out.Repeated) > 0 {
			spelled = ", spelled as in the memory,"
		}
		a.printf("searched for %s%s in every byte of %s: found in %d\n", plural(out.Probes, "piece", "pieces"), spelled,
			plural(out.Files, "file", "files"), len(out.Found))
	}
	for _, f := range out.Found {
		a.printf("    %s\n", a.tilde(f))
	}
	a.printLeft(a.printf, out.Forgotten)
	return nil
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
		Long: `Remove all memories of this project, all global ones, or both: their files and index.
Sessions stay, and mum sync may learn from them again; to remove something for good use
mum memory forget. Without --yes nothing is removed and the exit status is 2; --dry-run
lists what would be removed.`,
		Example: "  mum memory reset --scope project --dry-run\n  mum memory reset --scope project --yes",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runMemoryReset(cmd.Context(), o) },
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&o.scope, "scope", "", "project, global or both (required)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would be removed, remove nothing")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "really remove them (required)")
	return cmd
}

func (a *app) runMemoryReset(ctx context.Context, o memoryReset) error {
	switch {
	case o.scope != "project" && o.scope != "global" && o.scope != "both":
		return usage(errors.New("--scope must be project, global or both"))
	case !o.yes && !o.dryRun:
		return usage(errors.New("this deletes memories: add --yes, or --dry-run to see which"))
	}
	q, err := o.query(a)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryResetDone
	if err := client.Post(ctx, "/memories/reset",
		api.MemoryReset{Scope: o.scope, Directory: q.Get("directory"), Project: o.project, DryRun: o.dryRun},
		&out); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(out)
	}
	if !out.DryRun {
		a.printf("removed %s\n", plural(out.Memories, "memory", "memories"))
		return nil
	}
	a.printf("would remove %s in %s\n", plural(out.Memories, "memory", "memories"),
		a.tildes(strings.Join(out.Dirs, " and ")))
	for _, m := range out.First {
		a.printMemoryLine(m, "")
	}
	if more := out.Memories - len(out.First); more > 0 {
		a.printf("        and %d more\n", more)
	}
	return nil
}
