package main

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newQueueCmd(a *app) *cobra.Command {
	var state string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "queue", Short: "List what waits for a summary by a model", Args: cobra.NoArgs,
		Example: "  mum queue\n  mum queue --state dead\n  mum retry 12",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runQueue(cmd.Context(), state, asJSON) },
	}
	cmd.Flags().StringVar(&state, "state", "", "pending, leased, done, failed, dead, quarantined or skipped (default all but done and skipped)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runQueue(ctx context.Context, state string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	q := url.Values{}
	if state != "" {
		q.Set("state", state)
	}
	var l api.JobList
	if err := client.Get(ctx, "/queue", q, &l); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(l)
	}
	if len(l.Jobs) == 0 {
		a.printf("no job is in the queue\n")
		return nil
	}
	for _, j := range l.Jobs {
		a.printf("%6d  %-8s %-12s %-12s %s  %s\n", j.ID, j.Kind, j.State, ago(j.Updated), count(int64(j.Attempts), "attempt"), j.Error)
	}
	return nil
}

func newRetryCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "retry JOB", Short: "Try a job again that failed, was skipped or is done", Args: cobra.ExactArgs(1), Example: "  mum retry 12",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.postID(cmd.Context(), "/queue/", args[0], "/retry", "job %s will be tried again\n")
		},
	}
}

func newSkipCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "skip JOB", Short: "Take a job out of the queue; its first summary stays", Args: cobra.ExactArgs(1), Example: "  mum skip 12",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.postID(cmd.Context(), "/queue/", args[0], "/skip", "job %s is out of the queue\n")
		},
	}
}

// postID does something to the thing of a number.
func (a *app) postID(ctx context.Context, before, id, after, done string) error {
	if n, err := strconv.ParseInt(id, 10, 64); err != nil || n < 1 {
		return usage(errors.New("the id must be a number"))
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var none struct{}
	if err := client.Post(ctx, before+id+after, none, &none); err != nil {
		return err
	}
	a.printf(done, id)
	return nil
}
