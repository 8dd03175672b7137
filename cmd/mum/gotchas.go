package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newGotchasCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "gotchas", Aliases: []string{"gotcha", "bugs"}, Args: cobra.NoArgs,
		Short: "List failures that were fixed before, and how",
		Long: `List commands that failed in the same way in at least two sessions and were fixed in the
same way: by a command, by an edit, or by another form of the command. When the same
failure comes back, Claude Code and Codex get one line about it, once per session. No text
of a failure is kept for this, only keyed hashes and entry numbers.
context.gotchas = off switches it off. With memory.share_pitfalls = on, a fix that worked
in three projects is proposed here for all projects.`,
		Example: "  mum gotchas\n  mum gotchas --all --json\n  mum gotchas show 3\n  mum gotchas drop 3",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var g api.Gotchas
			if err := a.lookUp(cmd.Context(), o, "/gotchas", nil, &g); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(g)
			}
			var elsewhere api.Gotchas
			if len(g.Gotchas) == 0 && !o.all {
				if err := a.lookUp(cmd.Context(), placeFlags{all: true}, "/gotchas", nil, &elsewhere); err != nil {
					return err
				}
			}
			if n := len(elsewhere.Gotchas); n > 0 {
				a.printf("none in this project, %d in others: mum gotchas --all\n", n)
				return nil
			}
			a.printGotchas(g)
			return nil
		},
	}
	o.register(cmd, true)
	cmd.AddCommand(newGotchaListCmd(cmd), newGotchaShowCmd(a),
		newGotchaActCmd(a, "keep", "Keep one: agents are told about it, however often it worked"),
		newGotchaActCmd(a, "drop", "Drop one: no agent is told about it again"),
		newGotchaActCmd(a, "undo", "Undo keep or drop: the built-in rule decides again"))
	return cmd
}

// newGotchaListCmd returns the command itself under the name that other tools use for it.
func newGotchaListCmd(parent *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: parent.Short, Args: cobra.NoArgs, Example: "  mum gotchas list --all",
		RunE: parent.RunE}
	cmd.Flags().AddFlagSet(parent.Flags())
	return cmd
}

func newGotchaShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show one, with the entries it comes from", Args: cobra.ExactArgs(1),
		Example: "  mum gotchas show 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := gotchaID(args[0])
			if err != nil {
				return err
			}
			var g api.Gotchas
			err = a.lookUp(cmd.Context(), placeFlags{all: true}, "/gotchas", url.Values{"id": {id}}, &g)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(g.Gotchas[0])
			}
			a.printGotcha(g.Gotchas[0])
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newGotchaActCmd(a *app, act, short string) *cobra.Command {
	var asJSON bool
	var in api.GotchaAct
	cmd := &cobra.Command{
		Use: act + " ID", Short: short, Args: cobra.ExactArgs(1), Example: "  mum gotchas " + act + " 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.actOnGotcha(cmd.Context(), act, args[0], in, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	if act == "keep" {
		cmd.Flags().BoolVar(&in.Everywhere, "everywhere", false, "tell it in every project")
	}
	return cmd
}

func gotchaID(arg string) (string, error) {
	if n, err := strconv.ParseInt(arg, 10, 64); err != nil || n < 1 {
		return "", &exitError{exitUsage, fmt.Errorf("%q is not the number of a gotcha", arg), "mum gotchas --all"}
	}
	return arg, nil
}

func (a *app) actOnGotcha(ctx context.Context, act, arg string, in api.GotchaAct, asJSON bool) error {
	id, err := gotchaID(arg)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Gotcha
	if err := client.Post(ctx, "/gotchas/"+id+"/"+act, in, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("%s: %s\n", out.State, oneLine(out.Remedy, 100))
	return nil
}

func (a *app) printGotchas(g api.Gotchas) {
	c := a.colours()
	if len(g.Gotchas) == 0 {
		a.printf("no failure has been fixed in the same way in two sessions yet\n")
	}
	for _, x := range g.Gotchas {
		a.printf("%s%4d  %s  %s  %s%s%s\n", c.dim, x.ID, x.At.Format(time.DateOnly), x.Project, x.State, gotchaMark(x),
			c.off)
		a.printf("      %s%s%s: %s\n", c.bold, oneLine(x.Command, 60), c.off, oneLine(x.Error, 90))
		a.printf("      %s (%d of %s)\n", remedyOf(x), x.Sessions, count(x.Fixed, "session"))
	}
	if g.Reading {
		a.printf("some sessions are still being read: try again in a minute\n")
	}
	if !g.On {
		a.printf("agents are not told: context.gotchas is off\n")
	}
}

// gotchaMark returns what a reader should know about a gotcha besides its state.
func gotchaMark(x api.Gotcha) string {
	switch {
	case x.Proposed:
		return fmt.Sprintf(", proposed for all projects (%d): mum gotchas keep %d --everywhere", x.Projects, x.ID)
	case !x.Tellable && x.State != "dropped":
		return ", not told: other sessions fixed it in other ways"
	}
	return ""
}

func remedyOf(x api.Gotcha) string {
	return map[string]string{"ran": "passed after: ", "edited": "passed after an edit of: ",
		"instead": "passed instead: "}[x.How] + oneLine(x.Remedy, 100)
}

func (a *app) printGotcha(x api.Gotcha) {
	a.printGotchas(api.Gotchas{Gotchas: []api.Gotcha{x}, On: true})
	a.printf("      failed in entry %d, fixed by %d, passed in %d: mum show ID prints one\n", x.Failed, x.FixedBy,
		x.PassedBy)
	if x.Line != "" {
		a.printf("      agents are told: %s", x.Line)
	}
	a.printf("      told in %s\n", plural(x.Told, "session", "sessions"))
}
