package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// exitStatus stands at the end of every command's help.
const exitStatus = `
EXIT STATUS
  0 done   1 failed   2 wrong usage   3 partly done   4 somebody else is at it`

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "mum",
		Short: "The memory for coding agents that keeps secrets",
		Long: `keepmum remembers what you and your coding agents did, on this machine only.
Secrets and denied paths are taken out before anything is written.` + "\n" + exitStatus,
		Example:       "  mum up                      start the daemon\n  mum connect auto            connect the agents on this machine\n  mum search rate limit       find earlier work",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
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
	return root
}

type group struct {
	title    string
	commands []*cobra.Command
}

// groups are the commands in the order in which a user meets them.
func groups(a *app) []group {
	return []group{
		{"Find", []*cobra.Command{newSearchCmd(a), newShowCmd(a), newTimelineCmd(a), newContextCmd(a), newExplainCmd(a), newAskCmd(a)}},
		{"Memories", []*cobra.Command{newMemoryCmd(a), newProjectCmd(a), newWhyCmd(a), newBlastCmd(a)}},
		{"Privacy", []*cobra.Command{newRedactCmd(a), newLedgerCmd(a), newQuarantineCmd(a), newForgetCmd(a), newScrubCmd(a), newPauseCmd(a), newResumeCmd(a)}},
		{"Agents", []*cobra.Command{newConnectCmd(a), newDisconnectCmd(a), newHookCmd(a), newMCPCmd(a), newStatuslineCmd(a), newDemoCmd(a)}},
		{"Memories", []*cobra.Command{newSyncCmd(a), newMaintainCmd(a)}},
		{"Summaries", []*cobra.Command{newCompressCmd(a), newQueueCmd(a), newRetryCmd(a), newSkipCmd(a)}},
		{"Data", []*cobra.Command{newStatsCmd(a), newBackupCmd(a), newRestoreCmd(a), newExportCmd(a), newImportCmd(a)}},
		{"Daemon", []*cobra.Command{newStatusCmd(a), newDoctorCmd(a), newUpCmd(a), newDownCmd(a), newRestartCmd(a), newServeCmd(a), newServiceCmd(a), newLogsCmd(a), newConfigCmd(a), newVersionCmd(a)}},
	}
}

// complete gives a command and its subcommands the parts that all of them have.
func complete(c *cobra.Command) {
	if c.Long == "" {
		c.Long = c.Short + "."
	}
	c.Long += "\n" + exitStatus
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage(fmt.Errorf("%s: %w", cmd.CommandPath(), err))
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}
