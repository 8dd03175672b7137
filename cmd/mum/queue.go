package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newQueueCmd(a *app) *cobra.Command {
	var state string
	var failed, asJSON bool
	cmd := &cobra.Command{
		Use: "queue", Aliases: []string{"jobs"},
		Short: "List what waits for a summary, and the sessions that wait for sync", Args: cobra.NoArgs,
		Example: "  mum queue\n  mum queue --failed\n  mum retry 12",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if failed {
				state = "failed"
			}
			return a.runQueue(cmd.Context(), state, asJSON)
		},
	}
	cmd.Flags().StringVar(&state, "state", "",
		"pending, running, done, failed, dead, quarantined or skipped (default all but done and skipped)")
	cmd.Flags().BoolVar(&failed, "failed", false, "what failed, and what is no longer tried")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("state", "failed")
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
	if len(l.Jobs)+len(l.Sync) == 0 {
		a.printf("the queue is empty\n")
		return nil
	}
	line := func(format string, args ...any) {
		a.printf("%s\n", strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
	for _, j := range l.Jobs {
		line("%12d  %-8s %-12s %-12s %s  %s", j.ID, j.Kind, j.State, ago(j.Updated), count(j.Attempts, "attempt"),
			j.Error)
	}
	for _, j := range l.Sync {
		line("%-12s  %-8s %-12s %-12s %s  %s %s  %s", j.ID, "sync", j.State, ago(j.Updated),
			count(j.Attempts, "attempt"), j.Agent, j.Project, j.Error)
	}
	if !slices.ContainsFunc(l.Jobs, func(j api.Job) bool { return j.State == "pending" }) {
		return nil
	}
	return a.noteRules(ctx, client)
}

// noteRules says why jobs wait if there is no model: nothing is wrong.
func (a *app) noteRules(ctx context.Context, client *api.Client) error {
	var s api.Status
	if err := client.Get(ctx, "/status", nil, &s); err != nil || !byRules(s) {
		return err
	}
	a.printf("summarised by rules; there is no local model\n")
	return nil
}

// byRules reports whether no model writes the summaries, and none has to.
func byRules(s api.Status) bool { return strings.HasPrefix(s.Compress["summaries"], "by heuristic") }

func newRetryCmd(a *app) *cobra.Command {
	return a.newChangeCmd(&cobra.Command{
		Use: "retry JOB|--all", Short: "Run a failed, skipped or finished job again",
		Example: "  mum retry 12\n  mum retry 4ab774e4\n  mum retry --all",
		Long: `Try a job again. Name a summary job by its number, and a session that waits for sync by
the beginning of its id (at least 6 characters, as mum queue shows it).`,
	}, "/retry", "job %s will be tried again\n", "%s will be tried again\n")
}

func newSkipCmd(a *app) *cobra.Command {
	return a.newChangeCmd(&cobra.Command{
		Use: "skip JOB|--all", Short: "Remove a job from the queue; its first summary stays",
		Example: "  mum skip 12\n  mum skip 4ab774e4\n  mum skip --all",
		Long: `Remove a job from the queue. Name a summary job by its number, and a session that waits
for sync by the beginning of its id. A session that grows comes back.`,
	}, "/skip", "job %s is removed from the queue\n", "%s removed from the queue\n")
}

// newChangeCmd completes a command that changes one job, or all failed jobs.
func (a *app) newChangeCmd(cmd *cobra.Command, do, done, doneAll string) *cobra.Command {
	var all, asJSON bool
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if all == (len(args) == 1) || len(args) > 1 {
			return errors.New("name one job, or --all")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out := api.QueueChanged{Changed: 1}
		var err error
		if all {
			out, err = a.changeAll(cmd.Context(), "/queue"+do)
		} else {
			err = a.changeJob(cmd.Context(), args[0], do)
		}
		switch {
		case err != nil:
			return err
		case asJSON:
			return a.printJSON(out)
		case all:
			a.printf(doneAll, count(out.Changed, "job"))
		default:
			a.printf(done, args[0])
		}
		return nil
	}
	cmd.Flags().BoolVar(&all, "all", false, "all jobs that failed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) changeAll(ctx context.Context, path string) (out api.QueueChanged, err error) {
	client, err := a.client()
	if err != nil {
		return out, err
	}
	return out, client.Post(ctx, path, api.QueueAll{All: true}, &out)
}

func (a *app) changeJob(ctx context.Context, id, do string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var none struct{}
	return client.Post(ctx, "/queue/"+url.PathEscape(id)+do, none, &none)
}

// postID posts an action on the item with a number.
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
