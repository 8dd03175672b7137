package main

import (
	"errors"
	"syscall"

	"keepmum/home"
)

// ownSession keeps the daemon alive when the agent's console closes. It gives the daemon a console without a window,
// which the daemon's child processes use; otherwise each of them would open a window.
func ownSession() *syscall.SysProcAttr {
	const createNoWindow = 0x08000000
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow}
}

// terminate would end a process as the system does. Windows has no way to ask one.
func terminate(home.Dir) error { return errors.New("a process cannot be asked to end on Windows") }
