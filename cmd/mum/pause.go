package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
)

func newPauseCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "pause [DURATION]", Short: "Stop capturing, for a while or until `mum resume`", Args: cobra.MaximumNArgs(1),
		Long: `Stop capturing for a while (30m, 2h, 1d) or, without a duration, until
` + "`mum resume`" + `. It takes effect at once, for all agents, and survives a restart. To leave one
session out, begin a prompt with #private. To leave a project out, put
capture = "off" into its .mum/config.toml.`,
		Example: "  mum pause 30m\n  mum pause\n  mum resume",
		RunE: func(_ *cobra.Command, args []string) error {
			until := time.Time{}
			if len(args) == 1 {
				var d config.Duration
				if err := d.UnmarshalText([]byte(args[0])); err != nil {
					return usage(err)
				}
				if d <= 0 {
					return usage(errors.New("a pause needs a positive duration, like 30m; mum resume ends it"))
				}
				until = time.Now().Add(time.Duration(d))
			}
			return a.runPause(until, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runPause(until time.Time, asJSON bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	if _, err := home.Prepare(dir); err != nil {
		return err
	}
	if err := capture.Pause(string(dir), until); err != nil {
		return fmt.Errorf("pause: %w", err)
	}
	if asJSON {
		return a.printJSON(struct {
			Paused bool      `json:"paused"`
			Until  time.Time `json:"paused_until,omitzero"`
		}{true, until.UTC()})
	}
	if until.IsZero() {
		a.printf("paused until `mum resume`\n")
	} else {
		a.printf("paused until %s\n", until.Local().Format(time.DateTime))
	}
	return nil
}

func newResumeCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "resume", Short: "Capture again after `mum pause`", Args: cobra.NoArgs, Example: "  mum resume",
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.home()
			if err != nil {
				return err
			}
			if err := capture.Resume(string(dir)); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(map[string]bool{"paused": false})
			}
			a.printf("capturing\n")
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
