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
	root.AddCommand(
		newServeCmd(a), newUpCmd(a), newDownCmd(a), newRestartCmd(a), newStatusCmd(a), newLogsCmd(a),
		newDoctorCmd(a), newVersionCmd(a), newHookCmd(a), newConfigCmd(a), newContextCmd(a), newStatsCmd(a), newDemoCmd(a), newLedgerCmd(a), newCompressCmd(a), newQueueCmd(a), newRetryCmd(a), newSkipCmd(a), newQuarantineCmd(a), newExplainCmd(a), newSearchCmd(a), newShowCmd(a), newTimelineCmd(a), newForgetCmd(a), newScrubCmd(a), newBackupCmd(a), newRestoreCmd(a), newExportCmd(a), newImportCmd(a), newRedactCmd(), newServiceCmd(a), newPauseCmd(a), newResumeCmd(a),
		newConnectCmd(a), newDisconnectCmd(a), newMCPCmd(a), newStatuslineCmd(a),
	)
	for _, c := range root.Commands() {
		complete(c)
	}
	return root
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
