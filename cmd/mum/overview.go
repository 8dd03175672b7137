package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newOverviewCmd(a *app) *cobra.Command {
	return placed(&cobra.Command{
		Use: "overview [TASK…]", Aliases: []string{"wakeup"},
		Short: "Show what is known about this project",
		Long: `Show what is known about this project: languages, entry points, how to build and test it (from its own
files), the memories, what was done last and what failed. With a task, also show the files, memories and
sessions about it. Agents get the same from memory_recall.`,
		Example: "  mum overview\n  mum overview move payments to Adyen\n  mum overview --project shop --json",
	}, a.showOverview)
}

func (a *app) showOverview(ctx context.Context, o placeFlags, words []string) error {
	more := url.Values{}
	if len(words) > 0 {
		more.Set("task", strings.Join(words, " "))
	}
	var v api.Overview
	if err := a.lookUp(ctx, o, "/overview", more, &v); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(v)
	}
	a.printTree(v)
	a.printHolds(v)
	if v.Last != nil {
		a.printf("done last:\n")
		for _, line := range v.Last.Digest {
			a.printf("  %s\n", line)
		}
	}
	for _, f := range v.Failed {
		a.printf("failed: %s (%d, %s)\n", f.Command, f.Entry, f.At.Format(time.DateOnly))
	}
	if v.About != nil {
		a.printAbout(*v.About)
	}
	return nil
}

func (a *app) printTree(v api.Overview) {
	c := a.colours()
	a.printf("%s%s%s  %s\n", c.bold, v.Project, c.off, a.tilde(v.Directory))
	var langs []string
	for _, l := range v.Languages {
		langs = append(langs, fmt.Sprintf("%s (%d)", l.Name, l.Files))
	}
	for _, line := range []struct {
		name string
		list []string
	}{{"written in", langs}, {"begins in", v.Entries}, {"built with", v.Build}, {"tested with", v.Test}} {
		if len(line.list) > 0 {
			a.printf("%s: %s\n", line.name, strings.Join(line.list, ", "))
		}
	}
}

func (a *app) printHolds(v api.Overview) {
	if len(v.Holds) > 0 {
		a.printf("memories:\n")
	}
	for _, m := range v.Holds {
		key := ""
		if m.Key != "" {
			key = m.Key + ": "
		}
		a.printf("  %d %s%s%s\n", m.Entry, key, oneLine(m.Title, 100), remarks(m))
	}
	if v.More > 0 {
		a.printf("  %d more: mum memory list\n", v.More)
	}
}

func (a *app) printAbout(v api.About) {
	if len(v.Files)+len(v.Memories)+len(v.Sessions) == 0 {
		a.printf("nothing is known about that task\n")
		return
	}
	a.printf("about the task:\n")
	for _, f := range v.Files {
		a.printf("  file     %s\n", f)
	}
	for _, m := range v.Memories {
		a.printf("  memory   %d %s\n", m.Entry, oneLine(m.Title, 100))
	}
	for _, s := range v.Sessions {
		a.printf("  session  %d %s/%s of %s\n", s.Row, s.Agent, s.Session, s.Last.Format(time.DateOnly))
	}
}
