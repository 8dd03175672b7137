package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"keepmum/api"
	"keepmum/store"
)

func newWhyCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "why MEMORY", Short: "Show where a memory or a commit comes from", Args: cobra.ExactArgs(1),
		Long: `Show the sessions and entries that a memory comes from. mum show and mum timeline print
those entries in full.`,
		Example: "  mum why 12\n  mum why use-sqlc --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runWhy(cmd.Context(), o, args[0]) },
	}
	o.register(cmd, false)
	return cmd
}

func (a *app) runWhy(ctx context.Context, o placeFlags, name string) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryWhy
	if err := client.Get(ctx, "/memories/"+url.PathEscape(name)+"/why", q, &out); err != nil {
		if a.whyCommit(ctx, client, name, o.json) {
			return nil
		}
		return aboutFile(err, name)
	}
	if o.json {
		return a.printJSON(out)
	}
	a.printf("%d %s\n", out.Memory.Entry, out.Memory.Title)
	if len(out.Sessions) == 0 {
		a.printf("written by %s on %s, not from a session\n", out.Memory.Origin,
			out.Memory.Created.Local().Format(time.DateOnly))
	}
	for _, s := range out.Sessions {
		a.printSource(s)
	}
	return nil
}

// aboutFile adds to an error where to look if what was named as a memory is a file.
func aboutFile(err error, name string) error {
	var wire *api.Error
	if _, no := os.Stat(name); no != nil || !errors.As(err, &wire) || wire.Code != api.NotFound {
		return err
	}
	file, err := syntax.Quote(name, syntax.LangPOSIX)
	if err != nil {
		return errors.New(wire.Message)
	}
	return hinted(errors.New(wire.Message), "mum search --file "+file)
}

// whyCommit says where a commit comes from: the history of its repository. It reports whether the entry is a commit.
func (a *app) whyCommit(ctx context.Context, client *api.Client, name string, asJSON bool) bool {
	var found api.Observations
	if _, err := strconv.ParseUint(name, 10, 63); err != nil || client.Get(ctx, "/observation/"+name, nil, &found) != nil {
		return false
	}
	o := found.Observations[0]
	if o.Commit == "" {
		return false
	}
	if asJSON {
		return a.printJSON(o) == nil
	}
	a.printf("%d %s\ncommit %s of %s, written on %s: read from the history of its repository\n", o.ID, o.Title, o.Commit,
		o.Project, o.Date.Local().Format(time.DateOnly))
	return true
}

func (a *app) printSource(s api.SourceSession) {
	var places []string
	shown := false
	for _, ref := range s.Refs {
		place, id := store.Place(ref)
		shown = shown || id != 0 && slices.ContainsFunc(s.Moments, func(m api.Moment) bool { return m.ID == id })
		if place != "" {
			places = append(places, place)
		}
	}
	note := ""
	switch {
	case !s.Kept:
		note = "not stored here: it was read from the agent's own file"
	case len(places) > 0:
		note = "read from the agent's own file"
	}
	if len(places) > 0 {
		note += ", at " + strings.Join(places, ", ")
	}
	if len(s.Moments) > 0 && !shown {
		note = strings.TrimPrefix(note+"; it begins", "; ")
	}
	if note != "" {
		note = "  (" + note + ")"
	}
	a.printf("\nsession %s%s\n", s.Session, note)
	a.printMoments(s.Moments)
}

func (a *app) printMoments(all []api.Moment) {
	c := a.colours()
	for _, m := range all {
		a.printf("%s%6d  %s  %s%s  %s\n", c.dim, m.ID, m.Date.Local().Format("2006-01-02 15:04"), m.Type, c.off,
			oneLine(m.Title, 120))
	}
}
