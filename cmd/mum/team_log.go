package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/legible"
)

func newTeamLogCmd(a *app) *cobra.Command {
	var format string
	var limit int
	var receipts, asJSON bool
	cmd := &cobra.Command{
		Use: "log [PROJECT-KEY]", Short: "Show who joined, shared, sent, read and forgot", Args: cobra.MaximumNArgs(1),
		Long: `Show who joined, shared, sent, read and forgot, with counts. The rows form a chain of hashes,
which is checked each time. Exit status 3: a row was changed or removed. --receipts shows
what was forgotten, and which machines have proved that they deleted it.`,
		Example: "  mum team log\n  mum team log --receipts\n  mum team log --export jsonl > audit.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if receipts {
				return a.runTeamReceipts(cmd.Context(), args, asJSON)
			}
			return a.runTeamLog(cmd.Context(), args, format, limit, asJSON)
		},
	}
	cmd.Flags().StringVar(&format, "export", "", "jsonl: every row, as a line of JSON")
	cmd.Flags().IntVarP(&limit, "limit", "n", 50, "maximum number of rows")
	cmd.Flags().BoolVar(&receipts, "receipts", false, "show what was forgotten, and which machines proved it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// runTeamReceipts lists what was forgotten, newest first.
func (a *app) runTeamReceipts(ctx context.Context, args []string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	q := url.Values{}
	if len(args) == 1 {
		q.Set("project", args[0])
	}
	var out api.TeamReceipts
	if err := client.Get(ctx, "/team/receipts", q, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	if len(out.Receipts) == 0 {
		a.printf("nothing was forgotten\n")
	}
	for _, r := range out.Receipts {
		what := "forgotten"
		if r.Ended {
			what = "ended"
		}
		state := "gone everywhere"
		if len(r.Machines) > 0 {
			state = "not yet on " + strings.Join(r.Machines, ", ")
		}
		a.printf("%s  %-9s %s of %s  gone on %s; %s  %s\n", r.At.Format("2006-01-02"), what, r.Item, r.Author,
			count(len(r.Confirmed), "machine"), state, r.Project)
	}
	return nil
}

func (a *app) runTeamLog(ctx context.Context, args []string, format string, limit int, asJSON bool) error {
	if format != "" && format != "jsonl" {
		return usage(errors.New("--export takes jsonl"))
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	if format != "" {
		limit = 1_000_000
	}
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	if len(args) == 1 {
		q.Set("project", args[0])
	}
	var out api.TeamLog
	if err := client.Get(ctx, "/team/log", q, &out); err != nil {
		return err
	}
	if asJSON {
		if err := a.printJSON(out); err != nil {
			return err
		}
		out.Events = nil
	}
	for _, e := range out.Events {
		if format != "" {
			line, err := json.Marshal(e)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s\n", legible.JSON(line))
			continue
		}
		a.printf("%6d  %s  %-20s %-8s %6d  %s\n", e.N, e.At.Format("2006-01-02 15:04"),
			strings.Trim(e.Member+"/"+e.Machine, "/"), e.Action, e.Count, e.Project)
	}
	if out.Broken > 0 {
		return &exitError{exitPartial, fmt.Errorf("row %d does not follow from the one before it: the log was changed",
			out.Broken), "ask the administrator of the database"}
	}
	return nil
}
