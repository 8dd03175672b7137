//go:build unix

package llm

import (
	"os/exec"
	"syscall"
)

// alone gives a program a group of its own, which goes with it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
