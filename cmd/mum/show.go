package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID…", Short: "Print entries in full", Args: cobra.MinimumNArgs(1),
		Long:    "Print entries in full, as they were stored: without their secrets.",
		Example: "  mum show 12\n  mum show 12 13 --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runShow(cmd.Context(), args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runShow(ctx context.Context, ids []string, asJSON bool) error {
	list, err := idPath(ids...)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var found api.Observations
	if err := client.Get(ctx, "/observation/"+list, nil, &found); err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(found)
	} else {
		a.printEntries(found.Observations)
	}
	if err == nil && len(found.Missing) > 0 {
		return &exitError{exitPartial, errors.New(api.NoEntry(found.Missing)), "mum search finds ids"}
	}
	return err
}

func (a *app) printEntries(list []api.Observation) {
	for i, o := range list {
		if i > 0 {
			a.printf("\n")
		}
		a.printEntry(o)
	}
}

// idPath returns ids as a part of a path.
func idPath(ids ...string) (string, error) {
	for _, id := range ids {
		if _, err := strconv.ParseUint(id, 10, 63); err != nil {
			return "", &exitError{exitUsage, fmt.Errorf("%q is not the id of an entry", id), "mum search shows ids"}
		}
	}
	return strings.Join(ids, ","), nil
}

func (a *app) printEntry(o api.Observation) {
	c := a.colours()
	a.printf("%s%d  %s%s\n", c.bold, o.ID, strings.Join(nonEmpty(o.Title, spoken(o.Type, o.Origin)), " · "), c.off)
	session := ""
	if o.Session != "" { // a memory belongs to no session
		session = "session " + o.Session
	}
	branch := ""
	if o.Branch != "" {
		branch = "branch " + o.Branch
	}
	a.printf("%s%s%s\n", c.dim,
		strings.Join(nonEmpty(o.Date.Local().Format(time.DateTime), o.Agent, o.Project, session, branch), " · "), c.off)
	if len(o.Files) > 0 {
		a.printf("files: %s\n", strings.Join(o.Files, ", "))
	}
	if o.Commit != "" {
		a.printf("commit: %s\n", o.Commit)
	}
	if o.Instruction {
		a.printf("this reads like an instruction to a model, so no agent is told about it\n")
	}
	if o.Failed {
		a.printf("failed\n")
	}
	for _, part := range []struct{ name, text string }{
		{"", o.Text}, {"input", pretty(o.Input)}, {"output", pretty(o.Output)},
	} {
		if part.text == "" {
			continue
		}
		if part.name != "" {
			a.printf("%s%s:%s\n", c.dim, part.name, c.off)
		}
		a.raw("%s\n", strings.TrimRight(part.text, "\n"))
	}
}

// pretty returns the text of a JSON string, and indents other JSON.
func pretty(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 {
		return ""
	}
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

func newTimelineCmd(a *app) *cobra.Command {
	var asJSON bool
	var before, after int
	cmd := &cobra.Command{
		Use: "timeline [ID]", Short: "Show what happened around an entry", Args: cobra.MaximumNArgs(1),
		Long: "Show what happened before and after an entry in the same session. Without an ID: around the latest " +
			"entry of this project.",
		Example: "  mum timeline\n  mum timeline 12 --before 3 --after 10",
		RunE: func(cmd *cobra.Command, args []string) error {
			q := url.Values{"before": {strconv.Itoa(before)}, "after": {strconv.Itoa(after)}}
			id, err := a.timelineOf(cmd.Context(), args)
			if err != nil {
				return err
			}
			return a.runTimeline(cmd.Context(), id, q, asJSON)
		},
	}
	cmd.Flags().IntVar(&before, "before", 5, "entries before (0..50)")
	cmd.Flags().IntVar(&after, "after", 5, "entries after (0..50)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// timelineOf returns the named entry, otherwise the latest one here that belongs to a session.
func (a *app) timelineOf(ctx context.Context, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	client, err := a.client()
	if err != nil {
		return "", err
	}
	here, err := a.here()
	if err != nil {
		return "", err
	}
	var out api.SearchResults
	if err := client.Get(ctx, "/search", url.Values{"directory": {here}, "limit": {"20"}}, &out); err != nil {
		return "", err
	}
	for _, r := range out.Results {
		if r.Session != "" { // a memory or a commit belongs to no session
			return strconv.FormatInt(r.ID, 10), nil
		}
	}
	return "", hinted(errors.New("no session of this project was kept yet"), "mum search --all, then mum timeline ID")
}

func (a *app) runTimeline(ctx context.Context, id string, q url.Values, asJSON bool) error {
	list, err := idPath(id)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var t api.Timeline
	if err := client.Get(ctx, "/timeline/"+list, q, &t); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(t)
	}
	c := a.colours()
	session := ""
	if t.Session != "" { // a memory belongs to no session
		session = "session " + t.Session
	}
	a.printf("%s%s%s\n", c.dim, strings.Join(nonEmpty(t.Project, session), " · "), c.off)
	for _, m := range t.Moments {
		here := "  "
		if strconv.FormatInt(m.ID, 10) == id {
			here = "→ "
		}
		a.printf("%s%s %6d  %-11s %s\n", here, m.Date.Local().Format("15:04:05"), m.ID, m.Type, oneLine(m.Title, 100))
	}
	return nil
}
