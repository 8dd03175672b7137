package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newBlastCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "blast ENTRY|SESSION", Short: "Show what was derived from an entry or a session", Args: cobra.ExactArgs(1),
		Long: `Show what mum forget would remove with an entry or a session: the memories learned
from it, its summaries and the contexts that contained it. Also show which memories
depend on those (mum memory link). Name a session by its id or the beginning of it,
with or without the agent in front.`,
		Example: "  mum blast 311\n  mum blast claude/0a1b2c3d --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runBlast(cmd.Context(), args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runBlast(ctx context.Context, of string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Blast
	if err := client.Get(ctx, "/blast", url.Values{"of": {of}}, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("%s, %s, told in %s\n", plural(len(out.Memories), "memory", "memories"),
		plural(len(out.Summaries), "summary", "summaries"), plural(len(out.Told), "context", "contexts"))
	for _, m := range out.Memories {
		a.printMemoryLine(m, "")
	}
	for _, m := range out.Stands {
		a.printf("depends on it:\n")
		a.printMemoryLine(m, "")
	}
	a.printMoments(out.Summaries)
	if len(out.Told) > 0 {
		a.printf("receipts: %s (mum explain ID)\n", strings.Trim(fmt.Sprint(out.Told), "[]"))
	}
	return nil
}
