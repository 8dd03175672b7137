//go:build !windows

package main

import "syscall"

// ownSession keeps the daemon alive when the agent's terminal closes.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
