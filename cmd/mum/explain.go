package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newExplainCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "explain [ID|last]", Short: "Show what an agent was told, and why", Args: cobra.MaximumNArgs(1),
		Long: "Show what an agent was told at a session start or a prompt: when, for which prompt, which " +
			"entries, with which scores.",
		Example: "  mum explain\n  mum explain 12 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			id := "last"
			if len(args) == 1 {
				id = args[0]
			}
			return a.runExplain(cmd.Context(), id, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runExplain(ctx context.Context, id string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var in api.Injection
	if err := client.Get(ctx, "/injection/"+id, nil, &in); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(in)
	}
	a.printf("%d  %s, %s in %s was told %s, about %d tokens\n", in.ID, ago(in.At), in.Agent, in.Project,
		plural(len(in.Entries), "entry", "entries"), in.Tokens)
	a.printf("    because: %s\n", because(in))
	for _, e := range in.Entries {
		note := ""
		if e.Held {
			note = "  HELD BACK: it looks like an instruction"
		}
		score := fmt.Sprintf("%6.2f  ", e.Score)
		if in.Query == "" { // nothing was searched for
			score = ""
		}
		a.printf("    %6d  %-11s %s%s%s\n", e.ID, e.Type, score, oneLine(e.Title, 90), note)
	}
	return nil
}

func because(in api.Injection) string {
	switch {
	case in.Reason == "gotcha":
		return "a command failed; this fixed it before (mum gotchas)"
	case in.Query == "":
		return "the session began; these are the last sessions of the project"
	case in.Reason == "recency":
		return "the prompt has no words to search for; these are the last sessions of the project"
	default:
		return "the prompt was: " + oneLine(in.Query, 100)
	}
}
