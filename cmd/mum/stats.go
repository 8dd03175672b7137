package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newStatsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "stats", Short: "Show how much is stored, and how long hooks take", Args: cobra.NoArgs,
		Long:    "Show how much is stored, and the time of hooks in the daemon since it started (p50, p95, p99).",
		Example: "  mum stats\n  mum stats --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runStats(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runStats(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var s api.Stats
	if err := client.Get(ctx, "/stats", nil, &s); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(s)
	}
	a.printf("%s, %s, %s, %s, %s, %s, %s, %s redacted, %s on disk\n", count(s.Projects, "project"),
		count(s.Sessions, "session"), count(s.Prompts, "prompt"), count(s.Answers, "answer"),
		count(s.Observations, "observation"), plural(s.Summaries, "summary", "summaries"),
		plural(s.Memories, "memory", "memories"), count(s.Redactions, "secret"),
		sizeOf(s.Bytes))
	if len(s.Hooks) > 0 {
		a.raw("\n%-16s %7s %9s %9s %9s %11s\n", "time in hooks", "count", "p50 ms", "p95 ms", "p99 ms", "total")
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Hooks)) {
		h := s.Hooks[kind]
		a.raw("%-16s %7d %9.2f %9.2f %9.2f %11s\n", kind, h.Count, h.P50, h.P95, h.P99, inSeconds(h.Total/1000))
	}
	return nil
}

// plural returns a number with its noun: "1 memory", "3 memories".
func plural[N int | int64](n N, one, many string) string {
	return fmt.Sprintf("%d %s", n, noun(n, one, many))
}

// count returns a number with a noun that takes an s: "1 event", "3 events".
func count[N int | int64](n N, one string) string { return plural(n, one, one+"s") }

// noun returns the form of a noun that goes with a number.
func noun[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// sizeOf returns a size for people.
func sizeOf(n int64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	}
}
