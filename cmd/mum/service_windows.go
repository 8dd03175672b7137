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

// hasServiceManager returns true: the registry always exists.
func hasServiceManager(context.Context) bool { return true }

// logon starts the daemon when this user logs in. A Windows service would run as another user, who would own the files
// and could not see the agents' files.
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

// Stop does nothing, because an entry has no process; mum down stops the daemon.
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
