package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/kardianos/service"
	"github.com/spf13/cobra"

	"keepmum/config"
	"keepmum/home"
)

var errNoServiceManager = errors.New("no service manager runs for this user")

func newServiceCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "service", Short: "Let the operating system keep the daemon running",
		Long: `Install the daemon as a service of the operating system: a systemd user unit, a launchd
agent, or on Windows an entry that starts it when you log in. This is optional: without
it the first hook starts the daemon.`,
		Example: "  mum service install\n  mum service status\n  mum service uninstall",
	}
	cmd.AddCommand(
		a.serviceCmd("install", "Install the service and start it", a.installService),
		a.serviceCmd("uninstall", "Stop the service and remove it", a.uninstallService),
		a.serviceCmd("status", "Show whether the service is installed and running", a.serviceStatus),
	)
	return cmd
}

func (a *app) serviceCmd(verb, short string,
	run func(context.Context, manager, home.Dir, config.Loaded) (serviceState, error)) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: verb, Short: short, Args: cobra.NoArgs, Example: "  mum service " + verb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, c, err := a.load(nil)
			if err != nil {
				return err
			}
			if !hasServiceManager(cmd.Context()) {
				return hinted(errNoServiceManager, "mum up   (optional: a hook starts the daemon too)")
			}
			svc, err := a.service(dir)
			if err != nil {
				return err
			}
			state, err := run(cmd.Context(), svc, dir, c)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(state)
			}
			a.printf("%s\n", state.said)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// serviceState is the result of a command about the service.
type serviceState struct {
	Installed bool   `json:"installed"`
	Running   bool   `json:"running"`
	Platform  string `json:"platform"`
	said      string
}

// manager is what keeps the daemon running.
type manager interface {
	Install() error
	Uninstall() error
	Start() error
	Stop() error
	Status() (service.Status, error)
	Platform() string
}

// installService replaces any existing service, so that it always runs this program.
func (a *app) installService(ctx context.Context, svc manager, dir home.Dir, c config.Loaded) (serviceState, error) {
	if err := a.startable(c); err != nil {
		return serviceState{}, err
	}
	if _, err := home.Prepare(dir); err != nil {
		return serviceState{}, err
	}
	_ = svc.Stop()
	_ = svc.Uninstall()
	if _, err := bringDown(ctx, dir, c); err != nil {
		return serviceState{}, err
	}
	if err := svc.Install(); err != nil {
		return serviceState{}, fmt.Errorf("install the service: %w", err)
	}
	if err := svc.Start(); err != nil {
		return serviceState{}, fmt.Errorf("start the service: %w", err)
	}
	h, err := waitUp(ctx, dir, c)
	return serviceState{true, true, svc.Platform(),
		fmt.Sprintf("mum %s runs as a service of %s", h.Version, svc.Platform())}, err
}

func (a *app) uninstallService(_ context.Context, svc manager, _ home.Dir, _ config.Loaded) (serviceState, error) {
	if _, err := svc.Status(); errors.Is(err, service.ErrNotInstalled) {
		return serviceState{Platform: svc.Platform(), said: "the service is not installed"}, nil
	}
	_ = svc.Stop() // it may not be running
	if err := svc.Uninstall(); err != nil {
		return serviceState{}, fmt.Errorf("remove the service: %w", err)
	}
	return serviceState{Platform: svc.Platform(), said: "the service is removed"}, nil
}

func (a *app) serviceStatus(_ context.Context, svc manager, _ home.Dir, _ config.Loaded) (serviceState, error) {
	state, err := svc.Status()
	on := svc.Platform()
	switch {
	case errors.Is(err, service.ErrNotInstalled):
		return serviceState{Platform: on, said: "not installed (" + on + ")"}, nil
	case err != nil:
		return serviceState{}, fmt.Errorf("ask for the service: %w", err)
	case state == service.StatusRunning:
		return serviceState{true, true, on, "running (" + on + ")"}, nil
	}
	return serviceState{true, false, on, "installed, not running (" + on + ")"}, nil
}
