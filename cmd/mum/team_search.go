package main

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"keepmum/api"
)

// searchTeam searches the shared place of the team. Filters for what only this machine knows mean nothing there.
func (a *app) searchTeam(ctx context.Context, f searchFlags, words []string) error {
	if len(words) == 0 {
		return usage(errors.New("mum search --team takes words"))
	}
	if f.kind+f.tool+f.file+f.agent+f.branch+f.since+f.until+f.asOf+f.mode != "" || f.offset != 0 {
		return usage(errors.New("--team goes with --project KEY, --limit and --json alone"))
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	q := url.Values{"q": {strings.Join(words, " ")}, "limit": {strconv.Itoa(f.limit)}}
	if f.project != "" {
		q.Set("project", f.project)
	}
	var found api.TeamFound
	if err := client.Get(ctx, "/team/search", q, &found); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(found)
	}
	if len(found.Results) == 0 {
		a.printf("nothing found in the team\n")
		return nil
	}
	c := a.colours()
	for _, r := range found.Results {
		a.printf("%s%-12s%s %s%s%s · %s/%s · %s\n", c.dim, ago(r.Date), c.off, c.bold, oneLine(r.Title, 80), c.off, r.Author,
			r.Machine, r.Project)
		if text := c.marks(r.Snippet, 200); text != "" {
			a.printf("        %s\n", text)
		}
	}
	if found.Total > len(found.Results) {
		a.printf("%s%d of %d; --limit shows more%s\n", c.dim, len(found.Results), found.Total, c.off)
	}
	return nil
}
