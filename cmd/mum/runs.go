package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newRunsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "runs", Short: "Show what each run did, and why", Args: cobra.NoArgs,
		Long: `Every run of sync, maintain, compress and ask leaves a trace: the sessions it read, what
became of each candidate and why, and each request to a model with its time and tokens.
It contains ids, numbers and text that passed the gate, never questions or answers.
docs/runs.md explains the lines.`,
		Example: "  mum runs\n  mum runs show last\n  mum runs why 5f0c2f6e",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runRunsList(cmd.Context(), url.Values{"limit": {"20"}}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newRunsListCmd(a), newRunsShowCmd(a), newRunsWhyCmd(a))
	return cmd
}

func newRunsListCmd(a *app) *cobra.Command {
	var kind string
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List runs, newest first", Args: cobra.NoArgs,
		Example: "  mum runs list\n  mum runs list --kind sync --limit 5 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := url.Values{"limit": {strconv.Itoa(limit)}}
			if kind != "" {
				q.Set("kind", kind)
			}
			return a.runRunsList(cmd.Context(), q, asJSON)
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "sync, maintain, compress or ask")
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "maximum number of runs (1..1000)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runRunsList(ctx context.Context, q url.Values, asJSON bool) error {
	var found api.RunList
	if err := a.get(ctx, "/runs", q, &found); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(found)
	}
	if len(found.Runs) == 0 {
		a.printf("no run has left a trace yet; a run that finds nothing to do leaves none\n")
	}
	for _, r := range found.Runs {
		a.printRun(r)
	}
	if more := found.Total - len(found.Runs); more > 0 {
		a.printf("%d more; --limit shows them\n", more)
	}
	return nil
}

// printRun prints a run on one line.
func (a *app) printRun(r api.RunTotals) {
	var did []string
	if r.Sessions > 0 {
		did = append(did, plural(r.Sessions, "session", "sessions"))
	}
	for _, fate := range slices.Sorted(maps.Keys(r.Fates)) {
		did = append(did, fmt.Sprintf("%d %s", r.Fates[fate], strings.ReplaceAll(fate, "_", " ")))
	}
	if r.Calls > 0 {
		did = append(did, fmt.Sprintf("%s in %s, %d tokens in, %d out%s",
			plural(r.Calls, "question", "questions"), inSeconds(r.ModelSeconds), r.In, r.Out, costs(r.Cost)))
	}
	c := a.colours()
	a.printf("%s  %s%s%s  %s  %s%s  %s%s%s\n", r.RunID, c.bold, r.Outcome, c.off, inSeconds(r.Seconds),
		strings.Join(did, ", "), aside(r.Why), c.dim, r.Started.Local().Format(time.DateTime), c.off)
}

func aside(why string) string {
	if why == "" {
		return ""
	}
	return " (" + oneLine(why, 160) + ")"
}

func costs(cost float64) string {
	if cost == 0 {
		return ""
	}
	return fmt.Sprintf(", cost %.4f", cost)
}

func newRunsShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print what a run did, line by line", Args: cobra.ExactArgs(1),
		Long: `Print what a run did: the sessions it read, what became of each candidate and why, and
the requests to models. last is the newest run that left a trace.`,
		Example: "  mum runs show last\n  mum runs show sync-20261121-060640-3ceca0 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			var run api.RunTrace
			if err := a.get(cmd.Context(), "/runs/"+url.PathEscape(args[0]), nil, &run); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(run)
			}
			a.printRun(run.RunTotals)
			a.printRunLines(run.Lines)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) printRunLines(lines []api.RunLine) {
	for _, l := range lines {
		if text := traceLine(l); text != "" {
			a.printf("%s\n", text)
		}
	}
}

// traceLine describes a line of a run; "" = it says no more than the totals.
func traceLine(l api.RunLine) string {
	switch l.Kind {
	case "session":
		return sessionLine(l)
	case "candidate":
		return candidateLine(l)
	case "project":
		return fmt.Sprintf("  memories of %s: %s%s%s", l.Project, count(l.Steps, "step"), aside(l.Reason), aside(l.Outcome))
	case "step":
		return stepLine(l)
	case "job":
		return fmt.Sprintf("  %s %d: %s%s", l.Form, l.Entry, words(l.Action), aside(l.Reason))
	case "passage":
		return fmt.Sprintf("  %s: %s %d", words(l.Action), l.Form, l.Entry)
	case "call":
		return fmt.Sprintf("  asked %s %s on %s for %s: %s in %s, %d tokens in, %d out%s%s", l.Provider, l.Model, l.Host,
			l.Role, l.Outcome, inSeconds(l.Seconds), l.In, l.Out, costs(l.Cost), aside(l.Reason))
	}
	return ""
}

func words(code string) string { return strings.ReplaceAll(code, "_", " ") }

func about(lead, what string) string {
	if what == "" {
		return ""
	}
	return lead + what
}

func newRunsWhyCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "why SESSION", Short: "Explain why a session became a memory, or why not", Args: cobra.ExactArgs(1),
		Long: `Explain what became of a session: what the last run of sync that read it did with each
candidate, or why no run has read it. Name a session by its id, or by at least its first
six characters.`,
		Example: "  mum runs why 5f0c2f6e\n  mum runs why claude/5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			var why api.RunWhy
			if err := a.get(cmd.Context(), "/runs/why", url.Values{"session": {args[0]}}, &why); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(why)
			}
			a.printf("%s: %s\n", why.Session, why.Why)
			a.printRunLines(why.Lines)
			a.printf("next: %s\n", why.Next)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// get sends a GET request to the daemon.
func (a *app) get(ctx context.Context, path string, q url.Values, into any) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	return client.Get(ctx, path, q, into)
}
