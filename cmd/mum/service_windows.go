package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/kardianos/service"
	"golang.org/x/sys/windows/registry"

	"keepmum/home"
)

// hasServiceManager: the registry is always there.
func hasServiceManager(context.Context) bool { return true }

// logon starts the daemon when this user logs in. A service of Windows would run as
// another user, who owns the files and sees none of the agents' own.
type logon struct {
	dir     home.Dir
	command string
}

const (
	runKey  = `Software\Microsoft\Windows\CurrentVersion\Run`
	runName = "keepmum"
)

func (a *app) service(dir home.Dir) (manager, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the mum program: %w", err)
	}
	hook := hookProgram(self)
	if hook == "" {
		return nil, errors.New("mum-hook.exe is not next to " + self)
	}
	return logon{dir, fmt.Sprintf(`"%s" "--home=%s" up`, hook, dir)}, nil
}

func (l logon) Install() error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(key.SetStringValue(runName, l.command), key.Close())
}

func (l logon) Uninstall() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	err = key.DeleteValue(runName)
	if errors.Is(err, registry.ErrNotExist) {
		err = service.ErrNotInstalled
	}
	return errors.Join(err, key.Close())
}

// Start starts what the next login would.
func (l logon) Start() error {
	_, err := spawn(l.dir)
	return err
}

// Stop leaves the daemon to mum down: an entry holds no process.
func (l logon) Stop() error { return nil }

func (l logon) Status() (service.Status, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return service.StatusUnknown, service.ErrNotInstalled
	}
	defer key.Close()
	if _, _, err := key.GetStringValue(runName); err != nil {
		return service.StatusUnknown, service.ErrNotInstalled
	}
	if owned(l.dir) {
		return service.StatusRunning, nil
	}
	return service.StatusStopped, nil
}

func (l logon) Platform() string { return "windows-logon" }
