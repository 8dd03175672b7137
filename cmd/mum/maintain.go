package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type maintainFlags struct {
	project                  string
	dryRun, ignoreLock, json bool
}

func newMaintainCmd(a *app) *cobra.Command {
	var f maintainFlags
	cmd := &cobra.Command{
		Use: "maintain", Short: "Tidy memories: merge duplicates, archive unused ones", Args: cobra.NoArgs,
		Long: `Tidy the memories of all projects: merge duplicates, archive memories that were not used
for a long time, and rebuild the lists. Nothing is deleted: archived memories are in
archived/, and mum memory restore brings them back. The daemon does this on its own every
hour if something changed. A second run changes nothing.`,
		Example: "  mum maintain --dry-run\n  mum maintain --project shop\n  mum maintain --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runMaintain(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.project, "project", "p", "", "the memories of one project, by name or number")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would change, change nothing")
	flags.BoolVar(&f.ignoreLock, "ignore-lock", false, "run although another run holds the lock")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (a *app) runMaintain(ctx context.Context, f maintainFlags) error {
	client, err := a.clientUp(ctx)
	if err != nil {
		return err
	}
	last, err := a.watchRun(ctx, client, "/maintain",
		api.MaintainRequest{Project: f.project, DryRun: f.dryRun, IgnoreLock: f.ignoreLock}, f.json)
	if err != nil {
		return err
	}
	if last.Maintain == nil {
		return hinted(errors.New("the run was interrupted"), "run it again: finished work is kept; mum logs says why")
	}
	if f.json {
		err = a.printJSON(last.Maintain)
	} else {
		a.printMaintain(*last.Maintain)
	}
	if err == nil && last.Maintain.Failed > 0 {
		return &exitError{exitPartial,
			fmt.Errorf("the memories of %s could not be tidied", plural(last.Maintain.Failed, "project", "projects")),
			"mum doctor"}
	}
	return err
}

func (a *app) printMaintain(m api.Maintained) {
	for _, p := range m.Projects {
		a.printMaintained(p)
	}
	c := m.Counts
	would := ""
	if m.DryRun {
		would = "would be "
	}
	together := ""
	if c.Consolidated > 0 {
		together = fmt.Sprintf("%d consolidated, ", c.Consolidated)
	}
	a.printf("%s%d merged, %s%d archived, %d fading, %d unchanged, in %s\n", would, c.Merged, together, c.Archived,
		c.Decayed, c.Unchanged, inSeconds(m.Seconds))
}

func (a *app) printMaintained(p api.MaintainProject) {
	name := p.Name
	if name == "" {
		name = "(no project)"
	}
	if n := len(p.Actions) + len(p.Consolidate) + len(p.CrossSession) + len(p.Contradictions) + len(p.Broken); n > 0 ||
		p.Error != "" {
		a.printf("%s, %s\n", name, plural(p.Memories, "memory", "memories"))
	}
	for _, act := range p.Actions {
		into := ""
		if act.Target != "" {
			into = " into " + act.Target
		}
		a.printf("  %-11s %s%s  (%s)\n", act.Action, act.Source, into, act.Reason)
	}
	for _, x := range p.Consolidate {
		a.printf("  belong together: %s\n", strings.Join(x.Members, ", "))
	}
	if p.NotAsked != "" && len(p.Consolidate) > 0 {
		a.printf("  unchanged: %s\n", p.NotAsked)
	}
	for _, x := range p.CrossSession {
		a.printf("  mentioned in %s but in no memory: %s\n", count(len(x.Members), "session"), x.Topic)
	}
	for _, x := range p.Contradictions {
		a.printf("  contradict each other: %s and %s\n", x[0], x[1])
	}
	for _, x := range p.Broken {
		a.printf("  cannot be read, not changed: %s\n", x)
	}
	if p.Error != "" {
		a.tell(a.errs, "mum: %s: %s\n", name, p.Error)
	}
}
