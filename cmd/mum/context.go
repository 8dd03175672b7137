package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type contextFlags struct {
	project string
	budget  string
	asOf    string
	json    bool
}

func newContextCmd(a *app) *cobra.Command {
	var f contextFlags
	cmd := &cobra.Command{
		Use: "context [PROMPT…]", Short: "Show what an agent would be told at its next session",
		Long: "Show the block of earlier work that an agent in this directory would be given: at a session start, or " +
			"for a prompt.",
		Example: "  mum context\n  mum context why does the deploy fail\n  mum context --project shop --json\n" +
			"  mum context --as-of 2026-03-01 why does the deploy fail",
		RunE: func(cmd *cobra.Command, args []string) error { return a.runContext(cmd.Context(), f, args) },
	}
	cmd.Flags().StringVarP(&f.project, "project", "p", "",
		"project by name or number (default: the one of this directory)")
	cmd.Flags().StringVar(&f.budget, "budget", "", "maximum number of tokens")
	cmd.Flags().StringVar(&f.asOf, "as-of", "", asOfHelp)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (a *app) runContext(ctx context.Context, f contextFlags, args []string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	q := url.Values{"format": {"json"}}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("q", strings.Join(args, " "))
	set("budget", f.budget)
	set("project", f.project)
	set("as_of", f.asOf)
	if f.project == "" {
		dir, err := a.here()
		if err != nil {
			return err
		}
		q.Set("directory", dir)
	}
	var c api.Context
	if err := client.Get(ctx, "/context", q, &c); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(c)
	}
	if c.Context == "" {
		a.printf("%s\n", nothingToTell(f.budget))
		return nil
	}
	a.printf("%s\n", strings.TrimSuffix(c.Context, "\n"))
	return nil
}

// nothingToTell says why there is nothing to tell; a small budget may be the only reason.
func nothingToTell(budget string) string {
	if budget != "" {
		return "nothing: no earlier work here is relevant and fits into " + budget +
			" tokens; try a larger --budget"
	}
	return "nothing: no earlier work here is relevant"
}
