package main

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newScrubCmd(a *app) *cobra.Command {
	var in api.Scrub
	var asJSON bool
	cmd := &cobra.Command{
		Use: "scrub", Short: "Clean stored data with the current rules", Args: cobra.NoArgs,
		Long: `Check stored data with the current rules, and remove what they find from text, index and
backups. The daemon does this on its own after an upgrade.`,
		Example: "  mum scrub --dry-run\n  mum scrub --all",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runScrub(cmd.Context(), in, asJSON) },
	}
	cmd.Flags().BoolVar(&in.All, "all", false,
		"check everything again (after a new pattern or denied path)")
	cmd.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would change, change nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runScrub(ctx context.Context, in api.Scrub, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Scrubbed
	if err := client.Post(ctx, "/scrub", in, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	verb := "changed"
	if out.DryRun {
		verb = "would change"
	}
	a.printf("checked %s, %s %d\n", plural(out.Scanned, "document", "documents"), verb, out.Changed)
	if out.Memories > 0 {
		a.printf("%s %s\n", verb, plural(out.Memories, "memory file", "memory files"))
	}
	for _, rule := range slices.Sorted(maps.Keys(out.Findings)) {
		a.printf("    %4d  %s\n", out.Findings[rule], rule)
	}
	a.printProblems(out.Problems)
	return nil
}
