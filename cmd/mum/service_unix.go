//go:build !windows

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"github.com/kardianos/service"

	"keepmum/home"
)

// hasServiceManager checks on Linux for the user's own systemd: as root in a container, the library would otherwise
// write to /etc/init.d.
func hasServiceManager(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return service.ChosenSystem() != nil
	}
	return exec.CommandContext(ctx, "systemctl", "--user", "show-environment").Run() == nil
}

func (a *app) service(dir home.Dir) (manager, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the mum program: %w", err)
	}
	return service.New(nil, &service.Config{ // it runs mum serve, not this process
		Name: "mum", DisplayName: "keepmum", Description: "the memory for coding agents that never stores your secrets",
		Executable: self, Arguments: []string{"serve"}, WorkingDirectory: string(dir),
		EnvVars: map[string]string{"MUM_HOME": string(dir)},
		Option:  service.KeyValue{"UserService": true, "RunAtLoad": true, "KeepAlive": true, "Restart": "on-failure"},
	})
}
