//go:build !windows

package main

import (
	"errors"
	"syscall"

	"keepmum/home"
)

// ownSession keeps the daemon alive when the agent's terminal closes.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// terminate asks the process that holds the lock to end, as the system does: that needs no token.
func terminate(dir home.Dir) error {
	pid := dir.LockHolder()
	if pid <= 1 || !owned(dir) {
		return errors.New("no process holds the lock")
	}
	return syscall.Kill(pid, syscall.SIGTERM)
}
