package main

import "syscall"

// ownSession keeps the daemon alive when the agent's console closes. It gets a console
// without a window, which its own children use: without one, each would open a window.
func ownSession() *syscall.SysProcAttr {
	const createNoWindow = 0x08000000
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow}
}
