package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"keepmum/api"
)

// where names a line of a file.
func where(a *app, file string, line int) string {
	if line == 0 {
		return a.tilde(file)
	}
	return fmt.Sprintf("%s:%d", a.tilde(file), line)
}

func newMemoryAuditCmd(a *app) *cobra.Command {
	asJSON, rejudge, apply := false, false, false
	cmd := &cobra.Command{
		Use: "audit", Short: "Check the memory files for secrets, errors and instructions", Args: cobra.NoArgs,
		Long: `Check every memory file and print the file and line of each problem: a secret that was
pasted into it, a frontmatter that cannot be read, a text that instructs a model, a
memory that came with a cloned repository. Exit status 3: there are problems.

--rejudge lists the memories that mum sync wrote and would not write today. --apply
archives them; mum memory restore brings one back. Memories that you wrote, changed,
pinned or restored are not included.`,
		Example: "  mum memory audit\n  mum memory audit --json\n  mum memory audit --rejudge\n" +
			"  mum memory audit --rejudge --apply",
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
		a.printf("%s checked, %s\n", plural(out.Files, "file", "files"), plural(len(out.Problems), "problem", "problems"))
		for _, p := range out.Problems {
			a.printf("    %s: %s: %s\n", where(a, p.File, p.Line), p.Kind, p.Why)
		}
	}
	if err == nil && len(out.Problems) > 0 {
		return &exitError{exitPartial, fmt.Errorf("%s to check", plural(len(out.Problems), "place", "places")),
			"open the files at the lines named above; mum scrub removes secrets from them"}
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
	a.printf("%d would not be written today, %d would, %d cannot be judged, %d are yours or were changed by you\n",
		len(out.Memories), out.Stay, out.Unjudged, out.Left)
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
		Long: `Read the memory files and update the index. The daemon does this within seconds of an
edit. --all also reads unchanged files again.`,
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
	cmd.Flags().BoolVar(&all, "all", false, "also read unchanged files")
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
			a.printf("    %s: %s; skipped\n", where(a, b.File, b.Line), b.Why)
		}
	}
	return nil
}
