package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"github.com/kardianos/service"
	"github.com/spf13/cobra"

	"keepmum/config"
	"keepmum/home"
)

var errNoServiceManager = errors.New("there is no service manager for this user here")

func newServiceCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "service", Short: "Let the operating system keep the daemon running",
		Long: `Install the daemon as a service of the operating system: a systemd user unit,
a launchd agent or a Windows service. Without one the daemon is started by the
first hook, and that is enough.`,
		Example: "  mum service install\n  mum service status\n  mum service uninstall",
	}
	cmd.AddCommand(
		a.serviceCmd("install", "Install the service and start it", a.installService),
		a.serviceCmd("uninstall", "Stop the service and remove it", a.uninstallService),
		a.serviceCmd("status", "Show whether the service is installed and running", a.serviceStatus),
	)
	return cmd
}

func (a *app) serviceCmd(verb, short string, run func(context.Context, service.Service, home.Dir, config.Loaded) error) *cobra.Command {
	return &cobra.Command{
		Use: verb, Short: short, Args: cobra.NoArgs, Example: "  mum service " + verb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, c, err := a.load(nil)
			if err != nil {
				return err
			}
			if !hasServiceManager(cmd.Context()) {
				return hinted(errNoServiceManager, "mum up   (or nothing: a hook starts the daemon)")
			}
			svc, err := a.service(dir)
			if err != nil {
				return err
			}
			return run(cmd.Context(), svc, dir, c)
		},
	}
}

// hasServiceManager asks on Linux for the user's own systemd: as root in a
// container the library would fall back to writing to /etc/init.d.
func hasServiceManager(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return service.ChosenSystem() != nil
	}
	return exec.CommandContext(ctx, "systemctl", "--user", "show-environment").Run() == nil
}

func (a *app) service(dir home.Dir) (service.Service, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the mum program: %w", err)
	}
	return service.New(&program{app: a}, &service.Config{
		Name: "mum", DisplayName: "keepmum", Description: "the memory for coding agents that keeps secrets",
		Executable: self, Arguments: []string{"serve"}, WorkingDirectory: string(dir),
		EnvVars: map[string]string{"MUM_HOME": string(dir)},
		Option:  service.KeyValue{"UserService": true, "RunAtLoad": true, "KeepAlive": true, "Restart": "on-failure"},
	})
}

// installService replaces whatever service there was, so that it always runs this program.
func (a *app) installService(ctx context.Context, svc service.Service, dir home.Dir, c config.Loaded) error {
	if _, err := home.Prepare(dir); err != nil {
		return err
	}
	_ = svc.Stop()
	_ = svc.Uninstall()
	if err := a.runDown(ctx, dir, c); err != nil {
		return err
	}
	if err := svc.Install(); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	if err := svc.Start(); err != nil {
		return fmt.Errorf("start the service: %w", err)
	}
	h, err := waitUp(ctx, dir, c)
	if err != nil {
		return err
	}
	a.printf("mum %s runs as a service of %s\n", h.Version, svc.Platform())
	return nil
}

func (a *app) uninstallService(_ context.Context, svc service.Service, _ home.Dir, _ config.Loaded) error {
	if _, err := svc.Status(); errors.Is(err, service.ErrNotInstalled) {
		a.printf("there is no service\n")
		return nil
	}
	_ = svc.Stop() // it may not run
	if err := svc.Uninstall(); err != nil {
		return fmt.Errorf("remove the service: %w", err)
	}
	a.printf("the service is removed\n")
	return nil
}

func (a *app) serviceStatus(_ context.Context, svc service.Service, _ home.Dir, _ config.Loaded) error {
	state, err := svc.Status()
	switch {
	case errors.Is(err, service.ErrNotInstalled):
		a.printf("not installed (%s)\n", svc.Platform())
	case err != nil:
		return fmt.Errorf("ask for the service: %w", err)
	case state == service.StatusRunning:
		a.printf("running (%s)\n", svc.Platform())
	default:
		a.printf("installed, not running (%s)\n", svc.Platform())
	}
	return nil
}

// program is the daemon as the Windows service manager wants it: started and
// stopped by calls. Other systems run `mum serve` and send signals.
type program struct {
	app  *app
	stop context.CancelFunc
	done chan error
}

// Start begins to serve and returns.
func (p *program) Start(service.Service) error {
	ctx, stop := context.WithCancel(context.Background())
	p.stop, p.done = stop, make(chan error, 1)
	go func() { p.done <- p.app.serveHere(ctx, "", nil) }()
	return nil
}

// Stop ends serving and waits for it.
func (p *program) Stop(service.Service) error {
	p.stop()
	return <-p.done
}
