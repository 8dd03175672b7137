package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
)

// patience is how long a person waits for a start or a stop.
const patience = 10 * time.Second

func newUpCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "up", Short: "Start the daemon", Args: cobra.NoArgs, Example: "  mum up",
		Long: "Start the daemon in the background and wait until it answers. Does nothing if it already runs.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, c, err := a.loadToStart()
			if err != nil {
				return err
			}
			return a.runUp(cmd.Context(), dir, c, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// running says in JSON what happened to the daemon.
type running struct {
	Running bool   `json:"running"`
	Version string `json:"version,omitempty"`
	Home    string `json:"home"`
	Ran     bool   `json:"ran,omitempty"` // before it was stopped
}

// bringUp starts the daemon now, and waits until it answers.
func bringUp(ctx context.Context, dir home.Dir, c config.Loaded) (api.Health, error) {
	if readOnly(dir) {
		f := checkHome(dir)
		return api.Health{}, hinted(errors.New(f.Detail), f.Fix)
	}
	if _, err := home.Prepare(dir); err != nil {
		return api.Health{}, err
	}
	if err := forgetStart(dir); err != nil {
		return api.Health{}, err
	}
	return start(ctx, dir, c)
}

func (a *app) runUp(ctx context.Context, dir home.Dir, c config.Loaded, asJSON bool) error {
	h, err := bringUp(ctx, dir, c)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(running{Running: true, Version: h.Version, Home: string(dir)})
	}
	a.printf("mum %s is running, data in %s\n", h.Version, a.tilde(string(dir)))
	if f, ok := checkEmptied(ctx, dir); ok {
		a.printf("%s\n  → %s\n", f.Detail, f.Fix)
	}
	return nil
}

func newDownCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "down", Short: "Stop the daemon", Args: cobra.NoArgs, Example: "  mum down",
		Long: "Stop the daemon when it has finished current requests. The next hook starts it again.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, c, err := a.load(nil)
			if dir == "" { // invalid settings must not keep a daemon running
				return err
			}
			return a.runDown(cmd.Context(), dir, c, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runDown(ctx context.Context, dir home.Dir, c config.Loaded, asJSON bool) error {
	switch ran, err := bringDown(ctx, dir, c); {
	case err != nil:
		return err
	case asJSON:
		return a.printJSON(running{Home: string(dir), Ran: ran})
	case !ran:
		a.printf("mum is not running\n")
	default:
		a.printf("mum has stopped\n")
	}
	return nil
}

// bringDown stops the daemon, and reports whether one was running.
func bringDown(ctx context.Context, dir home.Dir, c config.Loaded) (ran bool, err error) {
	if err := forgetStart(dir); err != nil && !readOnly(dir) { // a daemon must not begin afterwards
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, budget.Of(patience))
	defer cancel()
	client := api.NewClient(string(dir), c.Daemon.Socket)
	runs := func() bool { // a daemon whose mum.lock was removed still answers
		return owned(dir) || client.Get(ctx, "/health", nil, &api.Health{}) == nil
	}
	if !runs() {
		return false, nil
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for asked := false; runs(); {
		if !asked {
			err := client.Post(ctx, "/stop", struct{}{}, nil)
			if err != nil && !errors.Is(err, api.ErrDown) {
				if terminate(dir) != nil { // it does not accept our token, or there is none
					return true, hinted(err, endByHand(dir))
				}
				err = nil
			}
			asked = err == nil // a starting daemon does not listen yet
		}
		select {
		case <-ctx.Done():
			return true, hinted(errors.New("the daemon has not stopped yet"), endByHand(dir))
		case <-tick.C:
		}
	}
	return true, nil
}

// endByHand returns the command that ends a daemon that does not listen to mum. Everything that it acknowledged is on
// the disk.
func endByHand(dir home.Dir) string {
	switch pid := dir.LockHolder(); {
	case pid == 0:
		return "end the process mum serve, then mum up"
	case runtime.GOOS == "windows":
		return fmt.Sprintf("taskkill /F /PID %d; mum up", pid)
	default:
		return fmt.Sprintf("kill -9 %d; mum up", pid)
	}
}

func newRestartCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "restart", Short: "Stop the daemon and start it again", Args: cobra.NoArgs, Example: "  mum restart",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, c, err := a.loadToStart()
			if err != nil {
				return err
			}
			if asJSON {
				_, err = bringDown(cmd.Context(), dir, c)
			} else {
				err = a.runDown(cmd.Context(), dir, c, false)
			}
			if err != nil {
				return err
			}
			return a.runUp(cmd.Context(), dir, c, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
