package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "mum",
		Short: "The memory for coding agents that never stores your secrets",
		Long: `keepmum remembers what you and your coding agents did, on this machine only.
Secrets and denied paths are removed before anything is written.` + "\n" + exitStatus,
		Example: "  mum up                      start the daemon\n" +
			"  mum connect auto            connect the agents on this machine\n  mum search rate limit       find earlier work",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(flagError(err)) })
	root.SetHelpCommand(newHelpCmd(a))
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.showHelp(c, false) })
	for _, g := range groups(a) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	for _, c := range root.Commands() {
		complete(c)
	}
	a.completeWords(root)
	return root
}

type group struct {
	title    string
	commands []*cobra.Command
}

// groups returns the commands in the order in which a user first needs them.
func groups(a *app) []group {
	return []group{
		{
			"Find",
			[]*cobra.Command{
				newOpenCmd(a),
				newSearchCmd(a),
				newShowCmd(a),
				newTimelineCmd(a),
				newContextCmd(a),
				newExplainCmd(a),
				newSessionCmd(a), newOverviewCmd(a), newOutlineCmd(a),
				newCheckpointCmd(a),
				newAskCmd(a),
			},
		},
		{"Memories", []*cobra.Command{newMemoryCmd(a), newReviewCmd(a), newGotchasCmd(a), newProjectCmd(a),
			newWhyCmd(a), newBlastCmd(a), newSyncCmd(a), newMaintainCmd(a), newRunsCmd(a)}},
		{"Team", []*cobra.Command{newTeamCmd(a)}},
		{"Privacy", []*cobra.Command{newRedactCmd(a), newLedgerCmd(a), newQuarantineCmd(a), newForgetCmd(a), newScrubCmd(a),
			newPauseCmd(a), newResumeCmd(a)}},
		{"Agents", []*cobra.Command{newConnectCmd(a), newDisconnectCmd(a), newHookCmd(a), newMCPCmd(a), newStatuslineCmd(a),
			newDemoCmd(a)}},
		{"Summaries", []*cobra.Command{newCompressCmd(a), newQueueCmd(a), newRetryCmd(a), newSkipCmd(a)}},
		{"Data", []*cobra.Command{newStatsCmd(a), newBackupCmd(a), newRestoreCmd(a), newExportCmd(a), newImportCmd(a)}},
		{"Daemon", []*cobra.Command{newStatusCmd(a), newDoctorCmd(a), newUpCmd(a), newDownCmd(a), newRestartCmd(a),
			newServeCmd(a), newServiceCmd(a), newLogsCmd(a), newConfigCmd(a), newVersionCmd(a)}},
	}
}

// complete adds to a command and its subcommands what all of them have in common.
func complete(c *cobra.Command) {
	if c.Long == "" {
		c.Long = c.Short + "."
	}
	c.Long += "\n" + exitStatus
	if c.HasSubCommands() && c.RunE == nil {
		c.Use, c.DisableFlagsInUseLine = c.Use+" COMMAND", true
		c.Args, c.RunE = cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage(wrongArgs(cmd, args, err))
			}
			return noneEmpty(cmd, args)
		}
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}

// noneEmpty returns an error if an argument that must name one thing is empty, as a variable of a script that was not
// set is.
func noneEmpty(cmd *cobra.Command, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	for i, arg := range args {
		if strings.TrimSpace(arg) != "" || len(words) == 0 {
			continue
		}
		name := strings.TrimRight(words[min(i, len(words)-1)], ".…")
		switch first, _, _ := strings.Cut(name, "|"); first {
		case "ID", "ENTRY", "SESSION", "MEMORY", "JOB", "FILE", "DIR", "F12", "A", "B":
			return usage(fmt.Errorf("%s needs %s, and what it got is empty", cmd.CommandPath(), name))
		}
	}
	return nil
}

// wrongArgs says which arguments a command takes: in its own words, otherwise in those of its help.
func wrongArgs(cmd *cobra.Command, args []string, err error) error {
	_, takes, _ := strings.Cut(cmd.Use, " ")
	switch {
	case !strings.HasPrefix(err.Error(), "accepts ") && !strings.HasPrefix(err.Error(), "requires ") &&
		!strings.HasPrefix(err.Error(), "unknown "):
		return fmt.Errorf("%s: %w", cmd.CommandPath(), err)
	case cmd.HasSubCommands():
		return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), similar(cmd, args[0]))
	case takes == "":
		return fmt.Errorf("%s takes no argument", cmd.CommandPath())
	}
	if len(args) == 0 {
		return fmt.Errorf("%s needs %s", cmd.CommandPath(), takes)
	}
	return fmt.Errorf("%s takes %s, but got %s", cmd.CommandPath(), takes,
		plural(len(args), "argument", "arguments"))
}

// otherNames returns, for words that people type, the command that they mean. Other tools have commands of these names.
func otherNames() map[string]string {
	return map[string]string{
		"add": "memory add", "remember": "memory add", "note": "session", "recall": "search", "find": "search",
		"grep": "search", "query": "search", "list": "memory list", "ls": "memory list", "memories": "memory",
		"get": "show", "cat": "show",
		"view": "show", "history": "timeline", "tasks": "queue", "errors": "gotchas",
		"failures": "gotchas", "delete": "forget", "remove": "forget", "rm": "forget", "purge": "forget",
		"agent": "connect", "agents": "connect", "install": "connect", "setup": "connect", "init": "connect",
		"uninstall": "disconnect", "check": "doctor", "health": "doctor", "fix": "doctor --fix", "verify": "doctor",
		"start": "up", "stop": "down", "daemon": "status", "info": "status", "settings": "config", "set": "config set",
		"ui": "open", "web": "open", "dashboard": "open", "redactions": "ledger", "secrets": "ledger",
		"audit": "ledger", "upgrade": "version", "update": "version", "rules": "memory rules", "link": "memory link",
	}
}

// similar returns the subcommands that a misspelt one may mean.
func similar(cmd *cobra.Command, word string) string {
	if cmd.SuggestionsMinimumDistance == 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	near := cmd.SuggestionsFor(word)
	if other := otherNames()[strings.ToLower(word)]; other != "" && !cmd.HasParent() {
		near = []string{other}
	}
	if len(near) > 0 {
		return ": did you mean " + strings.Join(near, ", ") + "?"
	}
	return ""
}

// flagError removes from an error the name of the Go function that could not parse a value.
func flagError(err error) error {
	text, _, found := strings.Cut(err.Error(), ": strconv.")
	if found {
		return errors.New(text + " must be a number")
	}
	return err
}
