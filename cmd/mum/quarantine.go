package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newQuarantineCmd(a *app) *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, _ []string) error { return a.runQuarantine(cmd.Context(), asJSON) }
	cmd := &cobra.Command{
		Use: "quarantine", Short: "Show what was held back from a model", Args: cobra.NoArgs,
		Long: `Show what the second gate held back from a model because it looked like a secret:
rule names and offsets, never the text. The first summary stays.`,
		Example: "  mum quarantine list\n  mum quarantine show 3\n  mum quarantine release 3\n  mum quarantine purge 3",
		RunE:    list,
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List what is held back", Args: cobra.NoArgs, Example: "  mum quarantine list",
			RunE: list},
		&cobra.Command{
			Use: "show ID", Short: "Show what was found in a job", Args: cobra.ExactArgs(1), Example: "  mum quarantine show 3",
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.showQuarantined(cmd.Context(), args[0], asJSON)
			},
		},
		&cobra.Command{
			Use: "release ID", Short: "Try a job again; both gates check it again", Args: cobra.ExactArgs(1),
			Example: "  mum quarantine release 3",
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.postID(cmd.Context(), "/quarantine/", args[0], "/release",
					"%s is released: both gates check it again\n")
			},
		},
		&cobra.Command{
			Use: "purge ID", Short: "Drop a job for good; its first summary stays", Args: cobra.ExactArgs(1),
			Example: "  mum quarantine purge 3",
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.postID(cmd.Context(), "/quarantine/", args[0], "/purge", "%s is purged\n")
			},
		},
	)
	return cmd
}

func (a *app) quarantined(ctx context.Context) (api.QuarantineList, error) {
	var l api.QuarantineList
	client, err := a.client()
	if err != nil {
		return l, err
	}
	return l, client.Get(ctx, "/quarantine", nil, &l)
}

func (a *app) runQuarantine(ctx context.Context, asJSON bool) error {
	l, err := a.quarantined(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(l)
	}
	if len(l.Quarantine) == 0 {
		a.printf("nothing is held back\n")
		return nil
	}
	for _, q := range l.Quarantine {
		var rules []string
		for _, f := range q.Findings {
			rules = append(rules, f.Rule)
		}
		slices.Sort(rules)
		a.printf("%6d  job %-6d %-12s %s: %s\n", q.ID, q.Job, ago(q.At), count(len(q.Findings), "doubt"),
			strings.Join(slices.Compact(rules), ", "))
	}
	return nil
}

func (a *app) showQuarantined(ctx context.Context, id string, asJSON bool) error {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return usage(errors.New("the id must be a number"))
	}
	l, err := a.quarantined(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(l.Quarantine, func(q api.Quarantined) bool { return q.ID == n })
	if i < 0 {
		return hinted(errors.New("the quarantine has no job with that number"), "mum quarantine list")
	}
	if asJSON {
		return a.printJSON(l.Quarantine[i])
	}
	a.printf("job %d, held back %s\n", l.Quarantine[i].Job, ago(l.Quarantine[i].At))
	for _, f := range l.Quarantine[i].Findings {
		a.printf("  %-16s bytes %d..%d\n", f.Rule, f.Start, f.End)
	}
	return nil
}
