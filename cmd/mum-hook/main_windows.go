package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// createNoWindow starts a console program without a visible window.
const createNoWindow = 0x08000000

// main runs mum hook, or mum up, without a window. Windows opens no window for this program either, because it is
// linked for the windows subsystem. Hooks on Windows get no environment of their own, so the data directory can be an
// argument: --home=DIR.
func main() {
	args := os.Args[1:]
	if len(args) > 0 && strings.HasPrefix(args[0], "--home=") {
		if os.Setenv("MUM_HOME", strings.TrimPrefix(args[0], "--home=")) != nil {
			return
		}
		args = args[1:]
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	mum := filepath.Join(filepath.Dir(self), "mum.exe")
	command := append([]string{mum, "hook"}, args...)
	if len(args) == 1 && args[0] == "up" {
		command = []string{mum, "up"}
	}
	p, err := os.StartProcess(mum, command, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys: &syscall.SysProcAttr{CreationFlags: createNoWindow}})
	if err == nil {
		_, _ = p.Wait()
	}
}
